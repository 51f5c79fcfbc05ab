/**
 * One price of a fetch for all pages, and the fetch intervals that the crawls can sustain for ever.
 *
 * At a price μ, page i is fetched every a_i(μ) = clamp(interval at μ, shortest_i, longest_i) seconds; μ solves Σ 1/a_i
 * = crawl rate. The pages of a host with a delay get at most 1/delay fetches a second together; where this limit binds,
 * the host has a higher price of its own (solvers/market).
 */
import type { Budget } from '../budget.ts';
import { clearSupply, type WarmStart } from '../market/index.ts';
import type { PageModel, PlannedPages } from '../pages/models/index.ts';
import type { ProblemWithRates } from './evidence.ts';
import { meanHostDelay } from './limits.ts';
import type { CrawlPlanProblem } from './problem.ts';

/**
 * Fetch interval, in mean intervals of all pages, at which a page takes a negligible share of the crawls: the price has
 * its ceiling there. Without a ceiling the price diverges if deadlines take all crawls and worth grows without end.
 */
const negligibleIntervals = 1e6;

/** The problem with the worth of fetches, by page and age. */
export interface DemandingPages extends ProblemWithRates {
  readonly pages: PlannedPages;
  /** Prices from the search for a target. */
  readonly warmStart?: WarmStart | undefined;
  /** Whether a target counts on every fetch, also on those of the even share. */
  readonly isPromised?: boolean | undefined;
}

export interface PricedPlan extends DemandingPages {
  readonly steady: SteadyState;
  /** By page: longest time between two fetches by maxInterval and the even share, in seconds. */
  readonly longest: Float64Array;
  /** Crawls a second. */
  readonly crawlRate: number;
  /** By host: shortest mean time between two of its fetches, in seconds. */
  readonly hostDelay: Float64Array;
}

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly fetchInterval: Float64Array;
  /** μ: worth of one more fetch, in weight × seconds of the objective's cost. */
  readonly price: number;
  /** By page: the price of its fetches, which is its host's where the limit of the host binds. */
  readonly pagePrice: Float64Array;
  /** Mean worth of a fetch if all pages took turns, above 0: the scale on which worths are compared. */
  readonly typicalWorth: number;
  /** By host: the price at which the host keeps its limit; 0 if this price is not above the common price. */
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
export function pricePlan(demanding: DemandingPages, budget: Budget): PricedPlan {
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
  // the price of a host whose longest intervals exceed its limit has no end: cap it at the largest worth of a fetch
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
 * The longest wait in seconds that the even share allows at a rate of crawls a second. The wait is doubled until the
 * crawls suffice for it beside the deadlines. Infinity without an even share, and where the deadlines take all crawls:
 * then maxInterval is the only cap.
 */
export function waitCap({
  evenShare,
  maxInterval,
}: Pick<CrawlPlanProblem, 'evenShare' | 'maxInterval'>): (crawlRate: number) => number {
  if (evenShare === 0) return () => Number.POSITIVE_INFINITY;
  const due = maxInterval.filter((limit) => limit < Number.POSITIVE_INFINITY);
  const unlimitedPages = maxInterval.length - due.length;
  const requiredRate = (cap: number): number =>
    due.reduce((sum, limit) => sum + 1 / Math.min(limit, cap), unlimitedPages / cap);
  const dueRate = requiredRate(Number.POSITIVE_INFINITY);
  return (crawlRate) => {
    let cap = dueRate < crawlRate ? maxInterval.length / (evenShare * crawlRate) : Number.POSITIVE_INFINITY;
    while (requiredRate(cap) > crawlRate && cap < Number.POSITIVE_INFINITY) cap *= 2;
    return cap;
  };
}

/** The mean worth of a fetch if all pages took turns, above 0. */
function typicalWorth({ model, crawlRate }: SteadyProblem): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, model.pages / crawlRate);
  return sum > 0 ? sum / model.pages : 1;
}

/**
 * The largest worth of a fetch: at a higher price no page is fetched less often. If the worth of a page grows without
 * end, its worth after `negligibleIntervals` mean intervals counts.
 */
function highestPrice({ model, longest, crawlRate }: SteadyProblem): number {
  const negligibleInterval = (negligibleIntervals * model.pages) / crawlRate;
  let highest = 0;
  for (let i = 0; i < model.pages; i++) {
    if (model.ceiling(i, Number.POSITIVE_INFINITY) <= highest) continue;
    const ceiling = model.ceiling(i, longest[i]);
    const finite = ceiling < Number.POSITIVE_INFINITY ? ceiling : model.ceiling(i, negligibleInterval);
    highest = Math.max(highest, finite);
  }
  return highest > 0 ? highest : 1;
}
