/**
 * The fewest fetches a second that keep a target for ever, by the plan's own model of its pages.
 *
 * What is left is Σ weight·(long-run cost), over Σ weight (under delay Σ weight·rate: an item each). The even share
 * bounds every wait by the fetches there are. The least rate is the fixed point, which a few rounds reach, since only
 * some twentieth of the fetches depend on it. The bound is that without the even share.
 */
import type { Budget } from '../../budget.ts';
import {
  type CurvePoint,
  clearingPrice,
  clearTarget,
  type Demand,
  type FeasibleTarget,
  type InfeasibleTarget,
  type MarketProblem,
  tradeOff,
  type WarmStart,
} from '../../market/index.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { type MeasureTarget, measureOf, residualOf, scaleOf } from '../../pages/targets/index.ts';
import { waitCap } from '../price.ts';
import { type CrawlPlanProblem, roundoff } from '../problem.ts';
import { costAt, fetchesAt } from './closed-times.ts';

/** The pages of a target. */
export interface TargetedPages {
  readonly problem: CrawlPlanProblem;
  readonly model: PageModel;
  readonly rate: Float64Array;
  readonly hostDelay: Float64Array;
  /** Lengths of the closed times of an interval, the longest first. */
  readonly closed: Float64Array;
}

export interface NeededRate {
  readonly clearing: FeasibleTarget;
  /** Fetches a second that no plan does without; null where no bound is known. */
  readonly bound: number;
  /** Longest intervals, those of the even share at that rate among them. */
  readonly longest: Float64Array;
}

/** The cost of a page whose measure is 1. */
export const pageScale = ({ problem, rate }: TargetedPages): ((page: number) => number) =>
  scaleOf(measureOf(problem.objective ?? 'freshness'), { weight: problem.weight, rate });

/** A target with the scale of the pages, which depends on their rates. */
export function scaledTarget(pages: TargetedPages, request: MeasureTarget): MeasureTarget {
  const scaleOfPage = pageScale(pages);
  let scale = 0;
  for (let i = 0; i < pages.rate.length; i++) scale += scaleOfPage(i);
  return { ...request, scale, maxResidual: residualOf(request.measure, request.value) * scale };
}

/** @throws NothingToReturn when the budget ends first */
export function neededRate(pages: TargetedPages, target: MeasureTarget, budget: Budget): NeededRate | InfeasibleTarget {
  const { problem } = pages;
  let longest = problem.maxInterval;
  const first = clearTarget(marketOf(pages, longest, budget), target.maxResidual);
  if (!first.feasible) return first;
  const { bound, total: start } = first;
  if (problem.evenShare === 0 || start === 0) return { clearing: first, bound, longest };
  let clearing: FeasibleTarget | InfeasibleTarget = first;
  let lastFeasible = first;
  /** What the target needs at the longest wait of a rate, over that rate: falls in the rate. 1 ends the search. */
  const requiredShare = (rate: number): number => {
    longest = longestIntervals(problem, rate);
    const { price, hostPrice } = lastFeasible;
    clearing = clearTarget(marketOf(pages, longest, budget, { price, host: hostPrice }), target.maxResidual);
    if (!clearing.feasible) return 1;
    lastFeasible = clearing;
    return clearing.total / rate;
  };
  requiredShare(clearingPrice(requiredShare, { supply: 1, start, tolerance: roundoff }).high);
  return clearing.feasible ? { clearing: lastFeasible, bound, longest } : clearing;
}

/** Longest intervals, that of the even share at a rate of fetches among them. */
export function longestIntervals(problem: CrawlPlanProblem, crawlRate: number): Float64Array {
  const cap = waitCap(problem)(crawlRate);
  return problem.maxInterval.map((limit, i) => Math.min(limit, Math.max(cap, problem.minInterval[i])));
}

/** The trade-off of fetches against cost, at these longest intervals. */
export function planCurve(pages: TargetedPages, longest: Float64Array, around: number, budget: Budget): CurvePoint[] {
  return tradeOff(marketOf(pages, longest, budget), around);
}

function marketOf(pages: TargetedPages, longest: Float64Array, budget: Budget, warmStart?: WarmStart): MarketProblem {
  const { problem, hostDelay } = pages;
  const limit = hostDelay.map((delay) => (delay > 0 ? 1 / delay : Number.POSITIVE_INFINITY));
  return {
    demand: demandOf(pages, longest),
    hosts: { of: problem.host, limit },
    start: startOf(pages),
    warmStart,
    budget,
  };
}

function demandOf({ problem, model, closed }: TargetedPages, longest: Float64Array): Demand {
  const { weight, minInterval: shortest, interval } = problem;
  return {
    pages: model.pages,
    fetchesAt(i, price) {
      const gap = Math.min(longest[i], Math.max(shortest[i], model.intervalAt(i, price, longest[i])));
      return fetchesAt(gap, closed, interval);
    },
    costOf(i, fetches) {
      if (!(weight[i] > 0)) return 0;
      // under other objectives than freshness a page left alone for ever has no cost rate
      if (!(fetches > 0)) return model.costTime === null ? weight[i] : Number.POSITIVE_INFINITY;
      const rate = (gap: number): number => (gap > 0 ? model.longRunCost(i, gap) : 0);
      return weight[i] * costAt(fetches, { closed, interval }, rate);
    },
  };
}

/** Mean worth of a fetch to pages at their mean time to a change; above 0. */
function startOf({ model, rate }: TargetedPages): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, 1 / rate[i]);
  return sum > 0 && sum < Number.POSITIVE_INFINITY ? sum / model.pages : 1;
}
