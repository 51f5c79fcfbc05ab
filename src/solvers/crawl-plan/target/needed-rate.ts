/**
 * The fewest fetches a second that keep a target for ever, by the plan's own model of its pages.
 *
 * The measure of the target is Σ weight·(long-run cost) over Σ weight (under delay over Σ weight·rate: a mean over
 * items). The even share bounds every wait by the rate of fetches, so that the least rate is a fixed point; a few
 * rounds reach it, because only about a twentieth of the fetches depend on the even share. The bound is the one without
 * the even share.
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

/** The pages of a target, with what their long-run costs depend on. */
export interface TargetedPages {
  readonly problem: CrawlPlanProblem;
  readonly model: PageModel;
  /** By page: changes a second. */
  readonly rate: Float64Array;
  /** By host: shortest mean time between two of its fetches, in seconds. */
  readonly hostDelay: Float64Array;
  /** Lengths of the closed times of an interval in seconds, the longest first. */
  readonly closed: Float64Array;
}

export interface NeededRate {
  readonly clearing: FeasibleTarget;
  /** Lower bound on the fetches a second of any plan that keeps the target. */
  readonly bound: number;
  /** By page: longest time between two fetches by maxInterval and the even share at this rate, in seconds. */
  readonly longest: Float64Array;
}

/** By page: the weighted cost a second of a page whose measure is 1. */
export const pageScale = ({ problem, rate }: TargetedPages): ((page: number) => number) =>
  scaleOf(measureOf(problem.objective ?? 'freshness'), { weight: problem.weight, rate });

/** A target with the sum of the pages' scales, which depends on their estimated rates. */
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
  const freeClearing = clearTarget(marketOf(pages, longest, budget), target.maxResidual);
  if (!freeClearing.feasible) return freeClearing;
  const { bound, total: start } = freeClearing;
  if (problem.evenShare === 0 || start === 0) return { clearing: freeClearing, bound, longest };
  let clearing: FeasibleTarget | InfeasibleTarget = freeClearing;
  let lastFeasible = freeClearing;
  /**
   * Rate that the target needs under the longest waits at `rate`, over `rate`; falls in `rate`. The search ends at 1.
   */
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

/** By page: longest time between two fetches by maxInterval and the even share at a rate of crawls, in seconds. */
export function longestIntervals(problem: CrawlPlanProblem, crawlRate: number): Float64Array {
  const cap = waitCap(problem)(crawlRate);
  return problem.maxInterval.map((limit, i) => Math.min(limit, Math.max(cap, problem.minInterval[i])));
}

/** The trade-off of fetches a second against cost. @param around fetches a second in the middle of the curve */
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
      // except under freshness, the cost rate of a page that is never fetched has no limit
      if (!(fetches > 0)) return model.costTime === null ? weight[i] : Number.POSITIVE_INFINITY;
      const rate = (gap: number): number => (gap > 0 ? model.longRunCost(i, gap) : 0);
      return weight[i] * costAt(fetches, { closed, interval }, rate);
    },
  };
}

/** Start of the price search: mean worth of a fetch at the mean time to a change; above 0. */
function startOf({ model, rate }: TargetedPages): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, 1 / rate[i]);
  return sum > 0 && sum < Number.POSITIVE_INFINITY ? sum / model.pages : 1;
}
