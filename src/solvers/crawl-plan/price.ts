/**
 * One price for all pages: the fetch intervals that the crawls can keep up for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, least_i, longest_i); Σ 1/a_i = crawl rate
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second, by a price
 * of the host's own where that binds (solvers/market).
 */
import type { Budget } from '../budget.ts';
import { clearSupply, type WarmStart } from '../market/index.ts';
import { type KnownRates, type PageModel, type PlannedPages, pagesByEvidence } from '../pages/models/index.ts';
import { type IntervalSlots, meanHostDelay } from './limits/allowed.ts';
import type { CrawlPlanProblem } from './problem.ts';

/** A page fetched less often than the average by this factor takes nothing that counts. */
const seldomBy = 1e6;
/** Of what a typical fetch is worth: the least that a fetch is taken to go for. */
const leastPrice = 1e-9;
/** The longest wait of the even share grows by this factor, at most so often, where deadlines leave less to go round. */
const [capGrowth, mostGrowths] = [1.5, 60];

/** A problem that can be kept, as far as is known, its slots, and what the evidence says of its pages. */
export interface KnownPages {
  readonly problem: CrawlPlanProblem;
  readonly slots: IntervalSlots;
  /** Of each copy at `now`; +∞ where there is none. */
  readonly age: Float64Array;
  readonly rates: KnownRates;
  /** Prices that a target has found already. */
  readonly near?: WarmStart | undefined;
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

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly fetchInterval: Float64Array;
  /** μ: what one more fetch is worth, in weighted seconds of freshness. */
  readonly price: number;
  /** The price each page meets: its host's where that is limited. */
  readonly pagePrice: Float64Array;
  /** What a fetch goes for on average, and above 0 always: a scale for comparing worths. */
  readonly typicalPrice: number;
  /** By host: the price at which it keeps its limit; 0 where it is not above that for all. */
  readonly hostPrice: Float64Array;
}

export interface SteadyProblem {
  readonly model: PageModel;
  /** Least and longest time between two fetches of a page; Infinity for no limit. */
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Fetches a second. */
  readonly crawlRate: number;
  /** Host of each page, −1 for none; seconds between two fetches of a host. */
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
  readonly near?: WarmStart | undefined;
}

/** The steady state under the crawls. @throws NothingToReturn when the budget ends first */
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

/** @throws NothingToReturn when the budget ends first */
export function steadyState(problem: SteadyProblem, budget: Budget): SteadyState {
  const { model, least, longest, crawlRate, host, hostDelay, near } = problem;
  const { pages } = model;
  const demand = {
    pages,
    fetchesAt: (i: number, price: number) =>
      1 / Math.min(longest[i], Math.max(least[i], model.intervalAt(i, price, longest[i]))),
    // what pages leave does not decide the price of a supply
    costOf: () => 0,
  };
  const hosts = { of: host, limit: hostDelay.map((delay) => 1 / delay) };
  const start = typicalWorth(problem);
  const ceiling = highestPrice(problem);
  const cleared = clearSupply({ demand, hosts, start, ceiling, warmStart: near, budget }, crawlRate);
  const { price } = cleared;
  // longest intervals that a host's limit cannot keep have no price; no fetch is worth more than the dearest
  const hostPrice = cleared.hostPrice.map((own) => Math.min(own, Math.max(price, ceiling)));
  const pagePrice = new Float64Array(pages);
  const fetchInterval = new Float64Array(pages);
  let [paid, fetches] = [0, 0];
  for (let i = 0; i < pages; i++) {
    fetchInterval[i] = Math.min(longest[i], Math.max(least[i], 1 / cleared.fetches[i]));
    pagePrice[i] = Math.max(price, host[i] < 0 ? 0 : hostPrice[host[i]]);
    if (!(fetchInterval[i] > 0)) continue;
    paid += pagePrice[i] / fetchInterval[i];
    fetches += 1 / fetchInterval[i];
  }
  const typicalPrice = Math.max(fetches > 0 ? paid / fetches : 0, leastPrice * start);
  return { fetchInterval, price, pagePrice, typicalPrice, hostPrice };
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
    for (let growth = 0; growth < mostGrowths; growth++) {
      let needed = open / cap;
      for (const most of due) needed += 1 / Math.min(most, cap);
      if (needed <= crawlRate) return cap;
      cap *= capGrowth;
    }
    return Number.POSITIVE_INFINITY;
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
