/**
 * The least fetches a second that keep a target for ever, by the plan's own model of its pages.
 *
 * What is left is Σ weight·(long-run cost), over Σ weight (under delay Σ weight·rate: an item each). The even share
 * bounds every wait by the fetches there are. The least rate is the fixed point, which a few rounds reach, since only
 * some twentieth of the fetches depend on it. The bound is that without the even share.
 */
import type { Budget } from '../../budget.ts';
import {
  type CurvePoint,
  clearTarget,
  type Demand,
  type FeasibleTarget,
  type InfeasibleTarget,
  type MarketProblem,
  tradeOff,
  type WarmStart,
} from '../../market/index.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { leftOf, type MeasureTarget, measureOf, scaleOf } from '../../pages/targets/index.ts';
import { waitCap } from '../price.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { costAt, fetchesAt } from './closed-times.ts';

/** What a target is asked of. */
export interface TargetedPages {
  readonly problem: CrawlPlanProblem;
  readonly model: PageModel;
  readonly rate: Float64Array;
  readonly hostDelay: Float64Array;
  /** Lengths of the closed times of an interval, the longest first. */
  readonly closed: Float64Array;
}

export interface NeededRate {
  readonly cleared: FeasibleTarget;
  /** Fetches a second that no plan does without; null where no bound is known. */
  readonly bound: number;
  /** Longest intervals, those of the even share at that rate among them. */
  readonly longest: Float64Array;
}

/** Rounds of the even share. */
const mostRounds = 30;
/** Relative tolerance of the fixed point, and floor of the slope of what is needed in the rate. */
const [tolerance, minSlope] = [1e-10, 0.1];

/** What a page of measure 1 would leave. */
export const pageScale = ({ problem, rate }: TargetedPages): ((page: number) => number) =>
  scaleOf(measureOf(problem.objective ?? 'freshness'), { weight: problem.weight, rate });

/** A target by the scales of the pages, which hang on their rates. */
export function scaledTarget(pages: TargetedPages, asked: MeasureTarget): MeasureTarget {
  const scaleOfPage = pageScale(pages);
  let scale = 0;
  for (let i = 0; i < pages.rate.length; i++) scale += scaleOfPage(i);
  return { ...asked, scale, whole: leftOf(asked.measure, asked.value) * scale };
}

/** @throws NothingToReturn when the budget ends first */
export function neededRate(pages: TargetedPages, target: MeasureTarget, budget: Budget): NeededRate | InfeasibleTarget {
  const { problem } = pages;
  let longest = problem.maxInterval;
  let cleared = clearTarget(marketOf(pages, longest, budget), target.whole);
  if (!cleared.feasible) return cleared;
  const { bound } = cleared;
  let [rate, steepness] = [0, 0];
  for (let round = 0; round < mostRounds && problem.evenShare > 0 && cleared.total > 0; round++) {
    // the secant of what is needed at the longest wait of a rate
    const [before, { total, price, hostPrice }]: [number, FeasibleTarget] = [rate, cleared];
    rate = round === 0 ? total : before + (total - before) / (1 - steepness);
    longest = longestOf(problem, rate);
    // what is best without these is best with them where it keeps them
    if (keeps(pages, cleared.fetches, longest)) break;
    const next = clearTarget(marketOf(pages, longest, budget, { price, host: hostPrice }), target.whole);
    if (!next.feasible) return next;
    if (round > 0 && rate !== before) steepness = Math.max(0, Math.min(0.5, (next.total - total) / (rate - before)));
    cleared = next;
    // what is needed moves by little of what its rate is off
    if (Math.abs(next.total - rate) * Math.max(minSlope, steepness) <= tolerance * next.total) break;
  }
  return { cleared, bound, longest };
}

/** Whether no page waits longer than these. */
function keeps({ problem, closed }: TargetedPages, fetches: Float64Array, longest: Float64Array): boolean {
  return fetches.every((own, i) => own >= fetchesAt(longest[i], closed, problem.interval));
}

/** Longest intervals, that of the even share at a rate of fetches among them. */
export function longestOf(problem: CrawlPlanProblem, crawlRate: number): Float64Array {
  const cap = waitCap(problem)(crawlRate);
  return problem.maxInterval.map((most, i) => Math.min(most, Math.max(cap, problem.minInterval[i])));
}

/** What fetches buy, at these longest intervals. */
export function planCurve(pages: TargetedPages, longest: Float64Array, around: number, budget: Budget): CurvePoint[] {
  return tradeOff(marketOf(pages, longest, budget), around);
}

function marketOf(pages: TargetedPages, longest: Float64Array, budget: Budget, near?: WarmStart): MarketProblem {
  const { problem, hostDelay } = pages;
  const limit = hostDelay.map((delay) => (delay > 0 ? 1 / delay : Number.POSITIVE_INFINITY));
  return {
    demand: demandOf(pages, longest),
    hosts: { of: problem.host, limit },
    start: startOf(pages),
    warmStart: near,
    budget,
  };
}

function demandOf({ problem, model, closed }: TargetedPages, longest: Float64Array): Demand {
  const { weight, minInterval: least, interval } = problem;
  return {
    pages: model.pages,
    fetchesAt(i, price) {
      const gap = Math.min(longest[i], Math.max(least[i], model.intervalAt(i, price, longest[i])));
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

/** What a fetch is worth to pages that wait as long as they take to change, in the mean: above 0. */
function startOf({ model, rate }: TargetedPages): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, 1 / rate[i]);
  return sum > 0 && sum < Number.POSITIVE_INFINITY ? sum / model.pages : 1;
}
