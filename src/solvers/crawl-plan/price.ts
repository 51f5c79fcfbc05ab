/**
 * One price for all pages: the fetch intervals that the crawls can sustain for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, shortest_i, longest_i); Σ 1/a_i = crawl rate
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second, by a price
 * of the host's own where that binds (solvers/market).
 */
import type { Budget } from '../budget.ts';
import { clearSupply, type WarmStart } from '../market/index.ts';
import type { PageModel, PlannedPages } from '../pages/models/index.ts';
import type { ProblemWithRates } from './evidence.ts';
import { meanHostDelay } from './limits.ts';
import type { CrawlPlanProblem } from './problem.ts';

/**
 * A page fetched less often than the average by this factor takes a negligible share of the crawls. Without it the price
 * has no end where deadlines take all crawls and worth grows without end.
 */
const seldomBy = 1e6;

/** Pages with what a fetch of each is worth. */
export interface DemandingPages extends ProblemWithRates {
  readonly pages: PlannedPages;
  /** Prices from the search for a target. */
  readonly warmStart?: WarmStart | undefined;
  /** Whether a target counts on every fetch, those of the even share too. */
  readonly isPromised?: boolean | undefined;
}

export interface PricedPlan extends DemandingPages {
  readonly steady: SteadyState;
  /** Longest intervals, that of the even share among them. */
  readonly longest: Float64Array;
  /** Crawls a second. */
  readonly crawlRate: number;
  /** Seconds between two fetches of each host in the mean, at least. */
  readonly hostDelay: Float64Array;
}

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly fetchInterval: Float64Array;
  /** μ: what one more fetch is worth, in weighted seconds of freshness. */
  readonly price: number;
  /** The price each page meets: its host's where that is limited. */
  readonly pagePrice: Float64Array;
  /** Mean worth of a fetch if all pages took turns, always above 0: a scale for comparing worths. */
  readonly typicalWorth: number;
  /** By host: the price at which it keeps its limit; 0 where that is not above the common price. */
  readonly hostPrice: Float64Array;
}

export interface SteadyProblem {
  readonly model: PageModel;
  /** Shortest and longest time between two fetches of a page; Infinity for no limit. */
  readonly shortest: Float64Array;
  readonly longest: Float64Array;
  /** Fetches a second. */
  readonly crawlRate: number;
  /** Host of each page, −1 for none; seconds between two fetches of a host. */
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
  readonly warmStart?: WarmStart | undefined;
}

/** The steady state under the crawls. @throws NothingToReturn when the budget ends first */
export function pricedPlan(demanding: DemandingPages, budget: Budget): PricedPlan {
  const { problem, slots, pages, warmStart } = demanding;
  const { minInterval: shortest, host } = problem;
  const crawlRate = slots.time.length / problem.interval;
  const cap = waitCap(problem)(crawlRate);
  const longest = problem.maxInterval.map((limit, i) => Math.min(limit, Math.max(cap, shortest[i])));
  const hostDelay = meanHostDelay(problem);
  const steady = solveSteadyState(
    { model: pages.now, shortest, longest, crawlRate, host, hostDelay, warmStart },
    budget,
  );
  return { ...demanding, steady, longest, crawlRate, hostDelay };
}

/** @throws NothingToReturn when the budget ends first */
export function solveSteadyState(problem: SteadyProblem, budget: Budget): SteadyState {
  const { model, shortest, longest, crawlRate, host, hostDelay, warmStart } = problem;
  const { pages } = model;
  const demand = {
    pages,
    fetchesAt: (i: number, price: number) =>
      1 / Math.min(longest[i], Math.max(shortest[i], model.intervalAt(i, price, longest[i]))),
    // the price of a supply does not depend on the costs
    costOf: () => 0,
  };
  const hosts = { of: host, limit: hostDelay.map((delay) => 1 / delay) };
  const start = typicalWorth(problem);
  const ceiling = highestPrice(problem);
  const clearing = clearSupply({ demand, hosts, start, ceiling, warmStart, budget }, crawlRate);
  const { price } = clearing;
  // longest intervals that a host's limit cannot keep have no price; no fetch is worth more than the dearest
  const hostPrice = clearing.hostPrice.map((own) => Math.min(own, Math.max(price, ceiling)));
  const pagePrice = new Float64Array(pages);
  const fetchInterval = new Float64Array(pages);
  for (let i = 0; i < pages; i++) {
    fetchInterval[i] = Math.min(longest[i], Math.max(shortest[i], 1 / clearing.fetches[i]));
    pagePrice[i] = Math.max(price, host[i] < 0 ? 0 : hostPrice[host[i]]);
  }
  return { fetchInterval, price, pagePrice, typicalWorth: start, hostPrice };
}

/**
 * The longest wait that the even share allows at a number of crawls a second; doubled where the deadlines leave less to go
 * round, until they leave enough. Infinity without an even share, and where the deadlines leave nothing: then no page has
 * a cap but its maxInterval.
 */
export function waitCap({
  evenShare,
  maxInterval,
}: Pick<CrawlPlanProblem, 'evenShare' | 'maxInterval'>): (crawlRate: number) => number {
  if (evenShare === 0) return () => Number.POSITIVE_INFINITY;
  const due = maxInterval.filter((limit) => limit < Number.POSITIVE_INFINITY);
  const open = maxInterval.length - due.length;
  const requiredRate = (cap: number): number => due.reduce((sum, limit) => sum + 1 / Math.min(limit, cap), open / cap);
  const dueRate = requiredRate(Number.POSITIVE_INFINITY);
  return (crawlRate) => {
    let cap = dueRate < crawlRate ? maxInterval.length / (evenShare * crawlRate) : Number.POSITIVE_INFINITY;
    while (requiredRate(cap) > crawlRate && cap < Number.POSITIVE_INFINITY) cap *= 2;
    return cap;
  };
}

/** What fetches would be worth if all pages took turns, in the mean: above 0. */
function typicalWorth({ model, crawlRate }: SteadyProblem): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, model.pages / crawlRate);
  return sum > 0 ? sum / model.pages : 1;
}

/**
 * What the dearest fetch is worth: at a higher price no page is fetched more seldom. Where a page's worth grows without
 * end, no page is fetched often enough to count.
 */
function highestPrice({ model, longest, crawlRate }: SteadyProblem): number {
  const seldom = (seldomBy * model.pages) / crawlRate;
  let highest = 0;
  for (let i = 0; i < model.pages; i++) {
    if (model.ceiling(i, Number.POSITIVE_INFINITY) <= highest) continue;
    const ceiling = model.ceiling(i, longest[i]);
    const finite = ceiling < Number.POSITIVE_INFINITY ? ceiling : model.ceiling(i, seldom);
    highest = Math.max(highest, finite);
  }
  return highest > 0 ? highest : 1;
}
