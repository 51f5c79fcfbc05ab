/** A problem that can be kept, with what is known of its pages and the price of a fetch in the steady state. */
import type { Budget } from '../../budget.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import type { CrawlSlots } from '../limits/crawl-slots.ts';
import { expectedCost } from '../limits/fetch-costs.ts';
import { meanHostDelay } from '../limits/host-caps.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { type PlannedPages, pagesByEvidence } from '../rates/pages-by-evidence.ts';
import { type SteadyState, steadyState } from './steady-state.ts';

export interface PricedPlan {
  readonly problem: CrawlPlanProblem;
  readonly slots: CrawlSlots;
  /** Of each copy at `now`; +∞ where there is none. */
  readonly age: Float64Array;
  readonly rates: PageRates;
  readonly pages: PlannedPages;
  readonly steady: SteadyState;
  /** Longest intervals, that of the even share among them. */
  readonly longest: Float64Array;
  /** Crawls, or what they may cost, a second. */
  readonly crawlRate: number;
  readonly fetchCost: ((i: number, at: number) => number) | undefined;
  /** Seconds between two fetches of each host in the mean, at least. */
  readonly hostDelay: Float64Array;
}

/** The steady state under the crawls. */
export function pricedPlan(
  problem: CrawlPlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  rates: PageRates,
  budget: Budget,
): PricedPlan {
  const { costs, minInterval: least, host, hostWithin } = problem;
  const pages = pagesByEvidence(problem, rates, age);
  const hostDelay = meanHostDelay(problem, slots);
  const fetchCost = costs && ((i: number, at: number): number => expectedCost(costs, i, rates.rate[i], at));
  const crawlRate = (costs?.spending ?? slots.time.length) / problem.interval;
  const cap = waitCap(problem, crawlRate);
  const longest = problem.maxInterval.map((most, i) => Math.min(most, Math.max(cap, least[i])));
  const steady = steadyState(
    { model: pages.now, least, longest, crawlRate, fetchCost, host, hostDelay, hostWithin },
    budget,
  );
  return { problem, slots, age, rates, pages, steady, longest, crawlRate, fetchCost, hostDelay };
}

/** The longest wait that the even share allows; longer where the deadlines alone leave less to go round. */
export function waitCap(
  { evenShare, maxInterval, costs }: Pick<CrawlPlanProblem, 'evenShare' | 'maxInterval' | 'costs'>,
  crawlRate: number,
): number {
  if (evenShare === 0) return Number.POSITIVE_INFINITY;
  const once = (i: number): number => (costs === undefined ? 1 : costs.cost[i] + costs.ifChanged[i]);
  const round = costs === undefined ? maxInterval.length : maxInterval.reduce((sum, _, i) => sum + once(i), 0);
  let cap = round / (evenShare * crawlRate);
  for (let attempt = 0; attempt < 60; attempt++) {
    let needed = 0;
    for (const [i, most] of maxInterval.entries()) needed += once(i) / Math.min(most, cap);
    if (needed <= crawlRate) return cap;
    cap *= 1.5;
  }
  return Number.POSITIVE_INFINITY;
}
