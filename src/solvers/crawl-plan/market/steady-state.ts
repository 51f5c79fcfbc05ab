/**
 * One price for all pages: the fetch intervals that the crawls can keep up for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, least_i, longest_i); Σ 1/a_i = crawl rate
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second. Where they
 * would want more, the host gets a price of its own beside μ: while μ is sought a host counts with min(1/delay, what
 * its pages take), and then the price of each crowded host clears its own limit (pages/market).
 * Complexity: pages × some 5 prices, one inversion each, after 15 on a sample of 16,384. Stopping rule: ln μ to 1e−9.
 */
import type { Budget } from '../../budget.ts';
import { clearingPrice, type PriceSearch } from '../../market/index.ts';
import { Pricing, type SteadyProblem, typicalWorth } from './pricing.ts';

/** The price is found to this in its logarithm, or in the logarithm of what is spent at it. */
const tolerance = 1e-9;
/** A page fetched less often than the average by this factor takes nothing that counts. */
const seldomBy = 1e6;
/** Pages on which a first price is found, where there are many more. */
const largestSample = 16_384;

/** A price beside another, and the least that is reckoned with of how what is spent falls. */
const slightly = 1 + 1e-5;
const leastSlope = 0.1;

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly fetchInterval: Float64Array;
  /** μ: what one more fetch is worth, in weighted seconds of freshness. */
  readonly price: number;
  /** The price each page meets: its host's where that is limited. */
  readonly pagePrice: Float64Array;
  /** What a fetch goes for on average, and above 0 always: a scale for comparing worths. */
  readonly typicalPrice: number;
  /** By host whose limit binds: what it adds to the price of a fetch. */
  readonly hostPrice: ReadonlyMap<number, number>;
}

/** @throws NothingToReturn when the budget ends first */
export function steadyState(problem: SteadyProblem, budget: Budget): SteadyState {
  const { model, crawlRate } = problem;
  const pages = model.pages;
  const fetchInterval = new Float64Array(pages);
  const pricing = new Pricing(problem, budget);
  const spent = (price: number): number => pricing.spendAll(price, fetchInterval);
  const ceiling = highestPrice(problem);
  const stride = pages > 2 * largestSample ? Math.ceil(pages / largestSample) : 1;
  const typical = typicalWorth(problem, stride);
  const { near } = problem;
  const from = { supply: crawlRate, start: near?.price ?? typical, ceiling, tolerance };
  const sampled = near === undefined && stride > 1;
  const start = sampled ? priceBySample((at) => pricing.spendSample(at, stride), spent, from) : from.start;
  const { low, high: price } = clearingPrice(spent, { ...from, start, near: near !== undefined || sampled });
  const left = crawlRate - spent(price);
  if (low < price && left > 0) {
    // Near the price at which a page gets its first fetch, its frequency moves by more than any price resolves. Two
    // prices, a billionth apart, bracket the crawl rate: pages take what is left in the proportions between them.
    const atPrice = Float64Array.from(fetchInterval);
    const share = Math.min(1, left / (spent(low) - crawlRate + left));
    for (let i = 0; i < pages; i++) fetchInterval[i] = 1 / ((1 - share) / atPrice[i] + share / fetchInterval[i]);
  }
  const pagePrice = new Float64Array(pages).fill(price);
  const first = price > 0 ? price : typical;
  const hostPrice = new Map<number, number>();
  for (const [h, list] of pricing.crowdedHosts()) {
    const known = near?.host[h] ?? 0;
    const begun = known > 0 ? { start: known, near: true } : { start: first };
    const search = { ...begun, supply: 1 / problem.hostDelay[h], ceiling, tolerance };
    const own = clearingPrice((at) => pricing.spend(list, at), search).high;
    if (own > price) hostPrice.set(h, own - price);
    for (const i of list) {
      pagePrice[i] = own;
      fetchInterval[i] = pricing.intervalOf(i, own);
    }
  }
  return { fetchInterval, price, pagePrice, typicalPrice: averagePrice(fetchInterval, pagePrice, typical), hostPrice };
}

/** A price near the one sought, by what a sample takes at prices, and all at one of them. */
function priceBySample(
  sampled: (price: number) => number,
  spent: (price: number) => number,
  from: PriceSearch,
): number {
  const found = clearingPrice(sampled, from).high || from.start;
  // what all take there is off by what the sample is, and by the sample's slope the price
  const slope = Math.log(sampled(found * slightly) / sampled(found)) / Math.log(slightly);
  const off = Math.log(spent(found) / from.supply);
  const move = Math.max(-1, Math.min(1, off / Math.max(leastSlope, -slope)));
  return Number.isNaN(move) ? found : found * Math.exp(move);
}

/** The mean price over all fetches, at least a billionth of a typical page's worth. */
function averagePrice(fetchInterval: Float64Array, pagePrice: Float64Array, worth: number): number {
  let paid = 0;
  let fetches = 0;
  for (let i = 0; i < fetchInterval.length; i++) {
    if (!(fetchInterval[i] > 0)) continue;
    paid += pagePrice[i] / fetchInterval[i];
    fetches += 1 / fetchInterval[i];
  }
  return Math.max(fetches > 0 ? paid / fetches : 0, 1e-9 * worth);
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
