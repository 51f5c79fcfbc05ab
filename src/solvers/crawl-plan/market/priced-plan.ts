/** The price of a fetch in the steady state, of a problem whose pages are known. */
import type { Budget } from '../../budget.ts';
import type { KnownRates } from '../evidence/page-rates.ts';
import { type IntervalSlots, meanHostDelay } from '../limits/allowed.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { type PlannedPages, pagesByEvidence } from '../rates/pages-by-evidence.ts';
import type { NearPrices } from './pricing.ts';
import { type SteadyState, steadyState } from './steady-state.ts';

/** A problem that can be kept, as far as is known, its slots, and what the evidence says of its pages. */
export interface KnownPages {
  readonly problem: CrawlPlanProblem;
  readonly slots: IntervalSlots;
  /** Of each copy at `now`; +∞ where there is none. */
  readonly age: Float64Array;
  readonly rates: KnownRates;
  /** Prices that a target has found already. */
  readonly near?: NearPrices | undefined;
  /** Whether a target counts on every fetch, those of the even share too. */
  readonly isPromised?: boolean | undefined;
}

export interface PricedPlan extends KnownPages {
  readonly pages: PlannedPages;
  readonly steady: SteadyState;
  /** Longest intervals, that of the even share among them. */
  readonly longest: Float64Array;
  /** Crawls a second. */
  readonly crawlRate: number;
  /** Seconds between two fetches of each host in the mean, at least. */
  readonly hostDelay: Float64Array;
}

/** The steady state under the crawls. */
export function pricedPlan(known: KnownPages, budget: Budget): PricedPlan {
  const { problem, slots, age, rates, near } = known;
  const { minInterval: least, host } = problem;
  const crawlRate = slots.time.length / problem.interval;
  const cap = waitCap(problem)(crawlRate);
  const longest = problem.maxInterval.map((most, i) => Math.min(most, Math.max(cap, least[i])));
  const pages = pagesByEvidence(problem, rates, age);
  const hostDelay = meanHostDelay(problem);
  const steady = steadyState({ model: pages.now, least, longest, crawlRate, host, hostDelay, near }, budget);
  return { ...known, pages, steady, longest, crawlRate, hostDelay };
}

/**
 * The longest wait that the even share allows at a number of crawls a second; longer where the deadlines alone leave less
 * to go round.
 */
export function waitCap({
  evenShare,
  maxInterval,
}: Pick<CrawlPlanProblem, 'evenShare' | 'maxInterval'>): (crawlRate: number) => number {
  if (evenShare === 0) return () => Number.POSITIVE_INFINITY;
  const due = maxInterval.filter((most) => most < Number.POSITIVE_INFINITY);
  const open = maxInterval.length - due.length;
  return (crawlRate) => {
    let cap = maxInterval.length / (evenShare * crawlRate);
    for (let attempt = 0; attempt < 60; attempt++) {
      let needed = open / cap;
      for (const most of due) needed += 1 / Math.min(most, cap);
      if (needed <= crawlRate) return cap;
      cap *= 1.5;
    }
    return Number.POSITIVE_INFINITY;
  };
}
