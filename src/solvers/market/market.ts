/**
 * One price for all pages, and one of its own for every host that is full.
 *
 * Model: minimise Σ c_i(f_i) over fetch rates with Σ f_i ≤ R (or the other way: the least Σ f_i with Σ c_i(f_i) ≤ s*), and
 * Σ_{i on h} f_i ≤ C_h for disjoint hosts; c_i falls and is convex. At a price p page i takes the f that is best for
 * c_i(f) + p·f: its demand. A page pays max(μ, p_h), where p_h is the price at which the demand of its host equals the
 * limit. It does not depend on μ: it is found once, of hosts that want more than their limit at some μ.
 * Method: μ is the clearing price of Σ f, or of what is left, to rounding; of many pages a sample tells where to begin,
 * and 1e−12 is enough. Two prices that enclose the one sought are kept. Demand is steep where a page gets its first fetch: the answer
 * lies between what the pages take at the two, where it spends the supply, or leaves the target, to rounding.
 * Whole fetches need no such price: what is missing near it is dealt by marginal gains (whole-fetches.ts).
 * Bound (weak duality): for every price, Σ min[c_i + max(μ, p_h)·f] − μR − Σ_h (p_h − μ)⁺·C_h; for a target the same
 * inequality read the other way.
 * Complexity: pages × some 15 prices, above 20,000 pages × 5 or 6.
 */
import { NothingToReturn } from '../budget.ts';
import { RunningSum } from '../numerics/linear/running-sum.ts';
import { findRoot } from '../numerics/search/root.ts';
import { clearingPrice } from './clearing-price.ts';
import { type Demand, isPrice, type MarketProblem, type WholeMarketProblem } from './demand.ts';
import { addLargest, dealAmount, HostRoom, shareEqualGains, takeSmallest } from './whole-fetches.ts';

export interface Cleared {
  /** By page. */
  readonly fetches: Float64Array;
  readonly total: number;
  /** What one more fetch saves: 0 where limits leave fetches unused, Infinity where none is needed but those that must be. */
  readonly price: number;
  /** Two prices: at the first pages want no less than what is sought, at the second no more. */
  readonly bracket: readonly [number, number];
  /** By host: the price at which it keeps its limit; 0 where it is not above the price for all. */
  readonly hostPrice: Float64Array;
  /** What pages take at a price next to that, for a bound. */
  readonly atPrice: Look;
}

/** The fewest fetches that leave no more than a target. */
export interface FeasibleTarget extends Cleared {
  readonly feasible: true;
  /** Σ of what is left. */
  readonly left: number;
  /** No fewer fetches do. */
  readonly bound: number;
}

export interface InfeasibleTarget {
  readonly feasible: false;
  /** The least that any fetches leave. */
  readonly minLeft: number;
  /** By host: what one more fetch would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
}

/** What all pages take at a price, hosts within their limits. */
export interface Look {
  readonly price: number;
  readonly fetches: Float64Array;
  readonly spent: number;
  /** NaN where it is not asked for. */
  readonly left: number;
}

/** Prices so low that pages take all their limits allow, and so high that they take only what they must. */
const lowestPrice = 1e-300;
export const highestPrice = 1e300;
/** Number of pages above which a sample leads the search. */
export const manyPages = 20_000;
/** Largest number of pages in a sample, and largest share of all pages. */
const [largestSample, sampleShare] = [16_384, 1 / 16];
const pagesPerPoll = 4096;
/** Relative rounding error of a sum over pages. */
const rounding = 1e-12;
/** Relative excess up to which a target, or a host's limit, counts as kept. */
const targetTolerance = 1e-9;
/** Tolerance of ln D of a price on a sample. */
const sampleTolerance = 1e-3;
/** Whole fetches: most that are dealt one by one, as a share of the pages; a sweep costs about as much. */
const maxDealtShare = 1 / 16;
/** Relative tolerance on the target of a mixture of two choices. */
const mixtureTolerance = 3e-12;

/** Positions of a sample of many pages, rising: of every so many one, with no period that pages might have too. */
export function sampleOf(pages: number): Uint32Array {
  const stride = Math.ceil(pages / Math.min(largestSample, Math.max(256, sampleShare * pages)));
  const within = (k: number): number => (Math.imul(k, 0x9e3779b1) >>> 0) % stride;
  return Uint32Array.from({ length: Math.floor(pages / stride) }, (_, k) => k * stride + within(k));
}

/** Looks at all pages, at one price after another. */
export class Market {
  readonly #problem: MarketProblem;
  /** The limited host of each page, −1 for none; null where no page has one. */
  readonly #host: Int32Array | null;
  /** What full hosts give, once they were found to be. */
  readonly #full = new Map<number, FullHost>();
  #members: readonly Uint32Array[] | null = null;
  #sincePoll = 0;

  constructor(problem: MarketProblem) {
    const { hosts } = problem;
    this.#problem = problem;
    const isLimited = (h: number): boolean => h >= 0 && hosts !== null && hosts.limit[h] < Number.POSITIVE_INFINITY;
    this.#host = hosts?.of.some(isLimited) ? hosts.of.map((h) => (isLimited(h) ? h : -1)) : null;
  }

  get isMany(): boolean {
    return this.#problem.demand.pages > manyPages;
  }

  /** @param withLeft whether to sum what is left */
  look(price: number, withLeft: boolean): Look {
    const { demand, hosts } = this.#problem;
    const host = this.#host;
    const fetches = new Float64Array(demand.pages);
    let [spent, left] = [0, 0];
    const [spentBy, leftBy] = host === null ? [] : [0, 0].map(() => new Float64Array(hosts?.limit.length ?? 0));
    for (let i = 0; i < demand.pages; i++) {
      const own = demand.fetchesAt(i, price);
      const rest = withLeft ? demand.costOf(i, own) : 0;
      fetches[i] = own;
      const h = host === null ? -1 : host[i];
      if (h < 0) {
        spent += own;
        left += rest;
      } else {
        spentBy[h] += own;
        leftBy[h] += rest;
      }
      this.#count();
    }
    for (let h = 0; host !== null && h < spentBy.length; h++) {
      if (spentBy[h] > (hosts?.limit[h] ?? 0) * (1 + rounding)) {
        const full = this.#fullHost(h, price);
        spent += full.spent;
        left += full.left;
        for (const [k, i] of full.pages.entries()) fetches[i] = full.fetches[k];
      } else {
        spent += spentBy[h];
        left += leftBy[h];
      }
    }
    return { price, fetches, spent, left: withLeft ? left : Number.NaN };
  }

  /** Σ of what some pages take, or leave, at a price, full hosts at their own as far as these are known. */
  sumOf(pages: Uint32Array, price: number, kind: 'spent' | 'left'): number {
    const { demand } = this.#problem;
    const host = this.#host;
    let sum = 0;
    for (const i of pages) {
      const paid = host === null ? price : Math.max(price, this.#full.get(host[i])?.price ?? 0);
      const own = demand.fetchesAt(i, Math.min(paid, highestPrice));
      sum += kind === 'spent' ? own : demand.costOf(i, own);
      this.#count();
    }
    return sum;
  }

  /** By host the price at which it keeps its limit; 0 where that is not above a price. */
  hostPrices(above: number): Float64Array {
    const prices = new Float64Array(this.#problem.hosts?.limit.length ?? 0);
    for (const [h, { price }] of this.#full) if (price > above) prices[h] = price;
    return prices;
  }

  #fullHost(h: number, price: number): FullHost {
    const known = this.#full.get(h);
    if (known !== undefined) return known;
    const { demand, hosts, near, ceiling = highestPrice } = this.#problem;
    this.#members ??= membersOf(this.#host ?? new Int32Array(0), hosts?.limit.length ?? 0);
    const pages = this.#members[h];
    const limit = hosts?.limit[h] ?? 0;
    const taken = (at: number): Float64Array => {
      const own = new Float64Array(pages.length);
      for (const [k, i] of pages.entries()) own[k] = demand.fetchesAt(i, at);
      this.#count(pages.length);
      return own;
    };
    const start = near !== undefined && isPrice(near.host[h]) ? { start: near.host[h], near: true } : { start: price };
    const whole = Math.log1p(maxDealt(pages.length) / limit);
    const tolerance = demand.gain !== undefined ? whole : this.isMany ? rounding : 0;
    const bracket = clearingPrice((at) => sumOf(taken(at)), { ...start, supply: limit, ceiling, tolerance });
    const [more, less] = [taken(Math.max(lowestPrice, bracket.low)), taken(bracket.high)];
    const [most, least] = [sumOf(more), sumOf(less)];
    const share = most > least ? Math.min(1, Math.max(0, (limit - least) / (most - least))) : 0;
    const fetches = demand.gain === undefined ? mixtureOf(more, less, share) : shareEqualGains(more, less, share);
    const { gain } = demand;
    if (gain !== undefined) dealAmount(fetches, limit, (k, x) => gain(pages[k], x));
    let left = 0;
    for (const [k, i] of pages.entries()) left += demand.costOf(i, fetches[k]);
    const spent = sumOf(fetches);
    // where its pages must be fetched more than the limit allows no price keeps it
    const full = {
      price: spent <= limit * (1 + targetTolerance) ? bracket.high : highestPrice,
      pages,
      fetches,
      spent,
      left,
    };
    this.#full.set(h, full);
    return full;
  }

  #count(pages = 1): void {
    this.#sincePoll += pages;
    if (this.#sincePoll < pagesPerPoll) return;
    this.#sincePoll = 0;
    if (this.#problem.budget.stopRequested()) throw new NothingToReturn('the price of a fetch was being looked for');
  }
}

interface FullHost {
  readonly price: number;
  readonly pages: Uint32Array;
  /** In the order of the pages. */
  readonly fetches: Float64Array;
  readonly spent: number;
  readonly left: number;
}

/**
 * The fetches that spend a supply at the least cost.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearSupply(problem: MarketProblem, supply: number): Cleared {
  const market = new Market(problem);
  const found = enclosed(market, problem, { kind: 'spent', amount: supply });
  const { low, high } = found;
  const share = low.spent > high.spent ? Math.min(1, Math.max(0, (supply - high.spent) / (low.spent - high.spent))) : 0;
  const fetches = mixtureOf(low.fetches, high.fetches, share);
  const price = high.price <= lowestPrice ? 0 : between(low, high, share);
  return {
    fetches,
    total: sumOf(fetches),
    price,
    bracket: [low.price, high.price],
    hostPrice: market.hostPrices(price),
    atPrice: nearest(found, 'spent', supply),
  };
}

/** What no fetches of a supply can leave less than, by the prices that cleared it: a full host takes its limit. */
export function leastLeft({ demand }: MarketProblem, { atPrice }: Cleared, supply: number): number {
  const { fetches, spent } = atPrice;
  const price = atPrice.price <= lowestPrice ? 0 : atPrice.price;
  let bound = price * (spent - supply);
  for (let i = 0; i < fetches.length; i++) bound += demand.costOf(i, fetches[i]);
  return bound;
}

/**
 * The fewest fetches that leave no more than a target.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearTarget(problem: MarketProblem, target: number): FeasibleTarget | InfeasibleTarget {
  const market = new Market(problem);
  const idle = market.look(highestPrice, true);
  const needsNone = idle.left <= target;
  const goal = { kind: 'left', amount: target } as const;
  let found = needsNone ? { low: idle, high: idle } : enclosed(market, problem, goal);
  const least = found.low.left;
  if (least > target * (1 + targetTolerance))
    return { feasible: false, minLeft: least, hostPrice: market.hostPrices(0) };
  // just what limits leave is reached at every low price: the highest of them proves most
  if (found.low.price <= lowestPrice) found = enclosed(market, problem, { ...goal, amount: least * (1 + rounding) });
  const { low } = found;
  const { fetches, left, share } = leavingTarget(problem.demand, found, target);
  const price = needsNone ? Number.POSITIVE_INFINITY : between(low, found.high, 1 - share);
  const total = sumOf(fetches);
  const proved = (look: Look): number => look.spent + (look.left - target) / look.price;
  const bound = needsNone ? total : Math.max(proved(low), proved(found.high));
  return {
    feasible: true,
    fetches,
    total,
    left,
    price,
    bracket: [low.price, found.high.price],
    hostPrice: market.hostPrices(price),
    atPrice: nearest(found, 'left', target),
    bound: Math.min(total, Math.max(0, bound)),
  };
}

/**
 * The whole fetches that spend a supply at the least cost; fewer where the rest would save nothing.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearWholeSupply(problem: WholeMarketProblem, supply: number): Float64Array {
  const { demand, hosts } = problem;
  const { low, high } = enclosed(new Market(problem), problem, { kind: 'spent', amount: supply });
  const share = low.spent > high.spent ? (supply - high.spent) / (low.spent - high.spent) : 0;
  const fetches = shareEqualGains(low.fetches, high.fetches, share);
  dealAmount(fetches, supply, demand.gain, new HostRoom(hosts, fetches));
  return fetches;
}

/**
 * The fewest whole fetches that leave no more than a target.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearWholeTarget(problem: WholeMarketProblem, target: number): Float64Array | InfeasibleTarget {
  const { demand, hosts } = problem;
  const market = new Market(problem);
  const idle = market.look(highestPrice, true);
  if (idle.left <= target) return idle.fetches;
  const found = enclosed(market, problem, { kind: 'left', amount: target });
  const { share } = leavingTarget(demand, found, target);
  const fetches = shareEqualGains(found.low.fetches, found.high.fetches, 1 - share);
  const room = new HostRoom(hosts, fetches);
  const left = new RunningSum();
  for (let page = 0; page < fetches.length; page++) left.add(demand.costOf(page, fetches[page]));
  const enough = target * (1 + rounding);
  addLargest(fetches, demand.gain, room, (gain) => {
    if (left.total() <= enough) return false;
    left.add(-gain);
    return true;
  });
  if (left.total() > target * (1 + targetTolerance)) {
    return { feasible: false, minLeft: left.total(), hostPrice: market.hostPrices(0) };
  }
  takeSmallest(fetches, demand.gain, room, (gain) => {
    if (left.total() + gain > enough) return false;
    left.add(gain);
    return true;
  });
  return fetches;
}

/** What is sought: the price at which the pages spend, or leave, an amount. */
interface Goal {
  readonly kind: 'spent' | 'left';
  readonly amount: number;
}

/** Largest number of whole fetches that are dealt one by one. */
const maxDealt = (pages: number): number => Math.floor(maxDealtShare * pages);

/** Whether whole fetches are so near to what is sought that the rest is dealt. */
function isNearby({ demand }: MarketProblem, { kind, amount }: Goal, look: Look): boolean {
  if (demand.gain === undefined) return false;
  const off = kind === 'spent' ? look.spent - amount : (look.left - amount) / look.price;
  return Math.abs(off) <= maxDealt(demand.pages);
}

/** Two looks: at the lower price pages take no less than what is sought, at the higher one no more. */
interface Enclosed {
  readonly low: Look;
  readonly high: Look;
}

/** The price between two, evenly in its logarithm. @param share of the lower one */
const between = (low: Look, high: Look, share: number): number =>
  low.price < high.price ? high.price * (low.price / high.price) ** share : high.price;

/** The look that comes nearer to what is sought. */
const nearest = ({ low, high }: Enclosed, kind: Goal['kind'], amount: number): Look =>
  Math.abs(low[kind] - amount) < Math.abs(high[kind] - amount) ? low : high;

/** ln D of what pages take, where D = 1 is sought: falls in the price, for both goals. */
const excessOf = ({ kind, amount }: Goal, sum: number): number =>
  Math.log(kind === 'spent' ? sum / amount : amount / sum);

function enclosed(market: Market, problem: MarketProblem, goal: Goal): Enclosed {
  const { near, ceiling = highestPrice } = problem;
  const withLeft = goal.kind === 'left';
  const isKnown = isPrice(near?.price);
  const known = isKnown && near !== undefined ? near.price : problem.start;
  const start = market.isMany && !isKnown ? priceOfSample(market, problem, goal) : known;
  let [below, above, nearby]: (Look | null)[] = [null, null, null];
  const demand = (price: number): number => {
    const look = market.look(price, withLeft);
    const off = excessOf(goal, look[goal.kind]);
    if (off >= 0 && !(below !== null && below.price > price)) below = look;
    if (off <= 0 && !(above !== null && above.price < price)) above = look;
    if (isNearby(problem, goal, look)) nearby = look;
    return nearby === look ? 1 : Math.exp(off);
  };
  const tolerance = market.isMany && problem.demand.gain === undefined ? rounding : 0;
  const { low, high } = clearingPrice(demand, { supply: 1, start, near: isKnown || market.isMany, ceiling, tolerance });
  if (nearby !== null) return { low: nearby, high: nearby };
  const [first, last] = [below, above].map((look) => look ?? market.look(Math.max(lowestPrice, low), withLeft));
  if (low < high) return { low: first, high: last };
  const only = first.price === high ? first : last;
  return { low: only, high: only };
}

/** The price at which a sample of the pages takes, or leaves, its share of what is sought. */
function priceOfSample(market: Market, { demand, start, ceiling }: MarketProblem, goal: Goal): number {
  const sample = sampleOf(demand.pages);
  const share = sample.length / demand.pages;
  const ofAll = (price: number): number => Math.exp(excessOf(goal, market.sumOf(sample, price, goal.kind) / share));
  const { high } = clearingPrice(ofAll, { supply: 1, start, ceiling, tolerance: sampleTolerance });
  return high > 0 ? high : start;
}

/** Between what pages take at two prices: that which leaves just the target. */
function leavingTarget(demand: Demand, { low, high }: Enclosed, target: number) {
  const [first, last] = [low.left - target, high.left - target];
  if (low === high || !(first < 0)) return { ...low, share: 0 };
  if (last <= 0) return { ...high, share: 1 };
  const fetches = new Float64Array(demand.pages);
  const excess = (share: number): number => {
    let sum = -target;
    for (let i = 0; i < fetches.length; i++) {
      fetches[i] = (1 - share) * low.fetches[i] + share * high.fetches[i];
      sum += demand.costOf(i, fetches[i]);
    }
    return sum;
  };
  // nearly a line
  let share = first / (first - last);
  let off = excess(share);
  if (Math.abs(off) > mixtureTolerance * target) {
    const next = share - (off * share) / (off - first);
    if (next > 0 && next < 1) [share, off] = [next, excess(next)];
  }
  if (Math.abs(off) > mixtureTolerance * target) {
    share = findRoot(excess, 0, 1);
    off = excess(share);
  }
  return { fetches, left: target + off, share };
}

/** Between what pages take at two prices. @param share of the first */
const mixtureOf = (low: Float64Array, high: Float64Array, share: number): Float64Array =>
  high.map((each, i) => each + share * (low[i] - each));

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

/** The pages of each host. */
function membersOf(of: Int32Array, hosts: number): Uint32Array[] {
  const counts = new Uint32Array(hosts);
  for (const h of of) if (h >= 0) counts[h]++;
  const members = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) members[of[i]][counts[of[i]]++] = i;
  return members;
}
