/**
 * One price for all pages: the fetch intervals that the crawls can keep up for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, least_i, longest_i); Σ 1/a_i = crawl rate
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second. Where they
 * would want more, the host gets a price of its own beside μ. Hosts lie within one another (host, address, CDN): the
 * prices of all that a page lies in add.
 * Method, where no two hosts overlap but one within the other. From the inside out each host takes min(1/delay, what its
 * pages and the hosts in it take). What the outermost take falls with μ: one clearing price (pages/market). Then, from
 * the inside out, one more for each host that wants more, no page paying less than inside. What a host adds is its price
 * less the highest of those around it. Hosts that overlap in part are priced together at every price (pages/groups).
 * Complexity: pages × some 5 prices, one inversion each, after 15 on a sample of 16,384. Stopping rule: ln μ to 1e−9.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { areNested, around, GroupPrices, type HostGroups, insideOut, outsideOf } from '../../pages/groups/index.ts';
import { clearingPrice } from '../../pages/market/index.ts';
import type { PageModel } from '../rates/page-model.ts';

/** How many pages are priced between two looks at the budget. */
const pagesPerPoll = 4096;
/** The price is found to this in its logarithm, or in the logarithm of what is spent at it. */
const tolerance = 1e-9;
/** A page fetched less often than the average by this factor takes nothing that counts. */
const seldomBy = 1e6;
/** Pages on which a first price is found, where there are many more. */
const largestSample = 16_384;

interface SteadyProblem {
  readonly model: PageModel;
  /** Least and longest time between two fetches of a page; Infinity for no limit. */
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Fetches a second; where fetches cost, what may be spent a second. */
  readonly crawlRate: number;
  /** What a fetch of a page at an interval costs; left out: 1, whatever the page. */
  readonly fetchCost?: ((page: number, interval: number) => number) | undefined;
  /** Host of each page, −1 for none; seconds between two fetches of a host. */
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
  readonly hostGroups?: HostGroups | undefined;
  /** Prices that are nearly those sought, where another search has found them. */
  readonly near?: NearPrices | undefined;
}

/** Of all pages, above 0, and by host: 0 for none of its own. */
export interface NearPrices {
  readonly price: number;
  readonly host: ArrayLike<number>;
}

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly fetchInterval: Float64Array;
  /** μ: what one more fetch, or unit of cost, is worth, in weighted seconds of freshness. */
  readonly price: number;
  /** The price each page meets: its host's where that is limited. */
  readonly pagePrice: Float64Array;
  /** What a fetch goes for on average, and above 0 always: a scale for comparing worths. */
  readonly typicalPrice: number;
  /** The host that sets it, or adds most to it; −1 for none. */
  readonly pricedBy: Int32Array;
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
  const typical = typicalWorth(problem);
  const { near } = problem;
  let start = near?.price ?? typical;
  let step = 1;
  if (near === undefined && pages > 2 * largestSample) {
    const stride = Math.ceil(pages / largestSample);
    const sampled = (price: number): number => pricing.spendSample(price, stride);
    start = clearingPrice(sampled, { supply: crawlRate, start, step, ceiling, tolerance }).high || start;
    step = 0.02;
  }
  const isNear = near !== undefined;
  const search = { supply: crawlRate, start, step, near: isNear, ceiling, tolerance };
  const { low, high: price } = clearingPrice(spent, search);
  const left = crawlRate - spent(price);
  if (low < price && left > 0) {
    // Near the price at which a page gets its first fetch, its frequency moves by more than any price resolves. Two
    // prices, a billionth apart, bracket the crawl rate: pages take what is left in the proportions between them.
    const atPrice = Float64Array.from(fetchInterval);
    const share = Math.min(1, left / (spent(low) - crawlRate + left));
    for (let i = 0; i < pages; i++) fetchInterval[i] = 1 / ((1 - share) / atPrice[i] + share / fetchInterval[i]);
  }
  const pagePrice = new Float64Array(pages).fill(price);
  const pricedBy = new Int32Array(pages).fill(-1);
  if (pricing.overlapping !== null) {
    const hostPrice = pricedTogether(problem, pricing, pricing.overlapping, {
      price,
      pagePrice,
      pricedBy,
      fetchInterval,
    });
    return {
      fetchInterval,
      price,
      pagePrice,
      typicalPrice: averagePrice(fetchInterval, pagePrice, typical),
      pricedBy,
      hostPrice,
    };
  }
  const first = price > 0 ? price : typical;
  const reached = new Map<number, number>();
  const inside = new Float64Array(pages);
  for (const [h, list] of pricing.crowdedHosts()) {
    const supply = 1 / problem.hostDelay[h];
    const spentAt = (at: number): number => pricing.spend(list, inside, at, price);
    const known = near?.host[h] ?? 0;
    const from = known > 0 ? { start: known, near: true } : { start: first };
    const own = clearingPrice(spentAt, { ...from, supply, ceiling: ceilingOf(problem, ceiling), tolerance }).high;
    reached.set(h, own);
    for (const i of list) {
      if (own <= inside[i]) continue;
      inside[i] = own;
      pricedBy[i] = h;
      pagePrice[i] = pricing.priceOf(i, own, price);
      fetchInterval[i] = pricing.intervalOf(i, pagePrice[i]);
    }
  }
  const typicalPrice = averagePrice(fetchInterval, pagePrice, typical);
  const hostPrice = addedPrices(problem, reached, problem.fetchCost === undefined ? price : 0);
  return { fetchInterval, price, pagePrice, typicalPrice, pricedBy, hostPrice };
}

/** What each host adds to the highest price around it, where it adds any. */
function addedPrices(
  { hostGroups }: SteadyProblem,
  reached: ReadonlyMap<number, number>,
  price: number,
): Map<number, number> {
  const added = new Map<number, number>();
  for (const [h, own] of reached) {
    let outside = price;
    for (const g of around(hostGroups, h)) if (g !== h) outside = Math.max(outside, reached.get(g) ?? 0);
    if (own > outside) added.set(h, own - outside);
  }
  return added;
}

interface Priced {
  readonly price: number;
  readonly pagePrice: Float64Array;
  readonly pricedBy: Int32Array;
  readonly fetchInterval: Float64Array;
}

/** Writes what each page pays where hosts overlap, and keeps their limits to rounding. By host what it adds. */
function pricedTogether(
  { host, hostDelay, hostGroups, longest }: SteadyProblem,
  pricing: Pricing,
  groups: GroupPrices,
  { price, pagePrice, pricedBy, fetchInterval }: Priced,
): Map<number, number> {
  const taken = new Float64Array(hostDelay.length);
  for (const [i, h] of host.entries()) for (const g of around(hostGroups, h)) taken[g] += 1 / fetchInterval[i];
  for (const [i, h] of host.entries()) {
    pagePrice[i] = pricing.priceAbove(i, groups.added(i), price);
    let over = 1;
    for (const g of around(hostGroups, h)) {
      over = Math.max(over, taken[g] * hostDelay[g]);
      if (groups.price[g] > (groups.price[pricedBy[i]] ?? 0)) pricedBy[i] = g;
    }
    if (over > 1) fetchInterval[i] = Math.min(longest[i], fetchInterval[i] * over);
  }
  return new Map([...groups.price.entries()].filter(([, added]) => added > 0));
}

/** What is spent at a price, in fetches a second: of all pages, of a sample, of a list. */
class Pricing {
  readonly #problem: SteadyProblem;
  readonly #budget: Budget;
  /** Hosts with a delay, each before the one it lies within; by host the next of them, itself or around it, −1: none. */
  readonly #limits: readonly number[];
  readonly #limitOf: Int32Array;
  /** The prices of hosts of which some overlap, one not within the other; null where none do. */
  readonly overlapping: GroupPrices | null;
  /** What the pages of each host with a delay wanted at the last price for all. */
  readonly #byHost: Float64Array;
  /** And what that would cost. */
  readonly #costByHost: Float64Array;
  /** The last price for all, and what was spent at it. */
  #lastPrice = Number.NaN;
  #lastSpent = 0;
  #sincePoll = 0;

  constructor(problem: SteadyProblem, budget: Budget) {
    this.#problem = problem;
    this.#budget = budget;
    const { host, hostDelay, hostGroups } = problem;
    const limit = (h: number): number => around(hostGroups, h).find((g) => hostDelay[g] > 0) ?? -1;
    this.#limitOf = Int32Array.from(hostDelay, (_, h) => limit(h));
    this.#limits = insideOut(hostDelay.length, hostGroups).filter((h) => hostDelay[h] > 0);
    const rate = { of: host, limit: hostDelay.map((delay) => (delay > 0 ? 1 / delay : Number.POSITIVE_INFINITY)) };
    this.overlapping =
      hostGroups === undefined || areNested(hostGroups)
        ? null
        : new GroupPrices({ ...rate, around: hostGroups }, typicalWorth(problem));
    this.#byHost = new Float64Array(problem.hostDelay.length);
    this.#costByHost = new Float64Array(problem.fetchCost === undefined ? 0 : problem.hostDelay.length);
  }

  intervalOf(i: number, price: number): number {
    const { model, least, longest } = this.#problem;
    if (++this.#sincePoll === pagesPerPoll) this.#poll();
    return Math.min(longest[i], Math.max(least[i], model.intervalAt(i, price, longest[i])));
  }

  /**
   * The price of a unit of cost that a page meets where each fetch of its host has a price as well. Otherwise 1 fetch
   * is 1 unit.
   */
  priceOf(i: number, own: number, price: number): number {
    const { fetchCost } = this.#problem;
    return fetchCost === undefined ? own : price + own / fetchCost(i, 0);
  }

  /** The price of a unit of cost that a page meets where its hosts add so much to that for all. */
  priceAbove(i: number, added: number, price: number): number {
    return this.priceOf(i, this.#problem.fetchCost === undefined ? price + added : added, price);
  }

  /**
   * Writes every page's fetch interval, into the same list each time; hosts count with no more than their delay allows.
   */
  spendAll(price: number, fetchInterval: Float64Array): number {
    // a search ends at the price that it looked at last
    if (price === this.#lastPrice) return this.#lastSpent;
    const { host, hostDelay, hostGroups, fetchCost } = this.#problem;
    const groups = this.overlapping;
    groups?.find((i, added) => 1 / this.intervalOf(i, this.priceAbove(i, added, price)));
    const byHost = this.#byHost.fill(0);
    this.#poll();
    const byHostCost = fetchCost === undefined ? byHost : this.#costByHost.fill(0);
    let total = 0;
    for (let i = 0; i < fetchInterval.length; i++) {
      fetchInterval[i] = this.intervalOf(i, groups === null ? price : this.priceAbove(i, groups.added(i), price));
      const frequency = 1 / fetchInterval[i];
      const cost = fetchCost === undefined ? frequency : frequency * fetchCost(i, fetchInterval[i]);
      const h = host[i] < 0 || groups !== null ? -1 : this.#limitOf[host[i]];
      if (h >= 0) {
        byHost[h] += frequency;
        if (fetchCost !== undefined) byHostCost[h] += cost;
      } else total += cost;
    }
    for (const h of groups === null ? this.#limits : []) {
      const taken = Math.min(1 / hostDelay[h], byHost[h]);
      const paid = fetchCost === undefined ? taken : byHostCost[h] * Math.min(1, 1 / (hostDelay[h] * byHost[h]));
      const next = outsideOf(hostGroups, h);
      const outer = next < 0 ? -1 : this.#limitOf[next];
      if (outer >= 0) {
        byHost[outer] += taken;
        if (fetchCost !== undefined) byHostCost[outer] += paid;
      } else total += paid;
    }
    this.#lastPrice = price;
    this.#lastSpent = total;
    return total;
  }

  /** Estimated from every `stride`th page, whatever its host. */
  spendSample(price: number, stride: number): number {
    let total = 0;
    const { model, fetchCost } = this.#problem;
    for (let i = 0; i < model.pages; i += stride) {
      const interval = this.intervalOf(i, price);
      total += fetchCost === undefined ? stride / interval : (stride * fetchCost(i, interval)) / interval;
    }
    return total;
  }

  /**
   * Fetches a second of some pages at a price of their own, no less than inside, beyond the one for all where fetches
   * cost.
   */
  spend(pages: readonly number[], inside: Float64Array, own: number, price: number): number {
    return pages.reduce((sum, i) => sum + 1 / this.intervalOf(i, this.priceOf(i, Math.max(own, inside[i]), price)), 0);
  }

  /** The pages of each host that wanted more fetches, at the last price for all, than its delay allows; inside out. */
  crowdedHosts(): Map<number, number[]> {
    const { host, hostDelay, hostGroups } = this.#problem;
    const members = new Map<number, number[]>();
    for (const h of this.#limits) if (this.#byHost[h] * hostDelay[h] > 1 + 1e-9) members.set(h, []);
    if (members.size === 0) return members;
    for (const [i, h] of host.entries()) for (const g of around(hostGroups, h)) members.get(g)?.push(i);
    return members;
  }

  #poll(): void {
    this.#sincePoll = 0;
    if (this.#budget.stopRequested()) throw new NothingToReturn('the price of a fetch was being looked for');
  }
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

/** What fetches would be worth if all pages took turns, in the mean: above 0. */
function typicalWorth({ model, crawlRate }: SteadyProblem): number {
  const turn = model.pages / crawlRate;
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, turn);
  return sum > 0 ? sum / model.pages : 1;
}

/** The ceiling of what a fetch may cost, from that of a unit of cost. */
function ceilingOf({ model, fetchCost }: SteadyProblem, ceiling: number): number {
  if (fetchCost === undefined) return ceiling;
  let dearest = 0;
  for (let i = 0; i < model.pages; i++) dearest = Math.max(dearest, fetchCost(i, 0));
  return ceiling * dearest;
}

/**
 * What the dearest fetch is worth: at a higher price no page is fetched more seldom. Where a page's worth grows without
 * end, no page is fetched often enough to count.
 */
function highestPrice({ model, longest, crawlRate }: SteadyProblem): number {
  const seldom = (seldomBy * model.pages) / crawlRate;
  let highest = 0;
  for (let i = 0; i < model.pages; i++) {
    const ceiling = model.ceiling(i, longest[i]);
    const finite = ceiling < Number.POSITIVE_INFINITY ? ceiling : model.ceiling(i, seldom);
    highest = Math.max(highest, finite);
  }
  return highest > 0 ? highest : 1;
}
