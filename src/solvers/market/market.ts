/**
 * One price for all pages, and one of its own for every host that is full.
 *
 * Model: minimise Σ c_i(f_i) over fetch rates with Σ f_i ≤ R (or the other way: the least Σ f_i with Σ c_i(f_i) ≤ s*), and
 * Σ_{i on h} f_i ≤ C_h for disjoint hosts; c_i falls and is convex. At a price p page i takes the f that is best for
 * c_i(f) + p·f: its demand. A page pays max(μ, p_h), where p_h is the price at which the demand of its host equals the
 * limit. It does not depend on μ: it is found once, of hosts that want more than their limit at some μ.
 * Method: μ is the clearing price of Σ f, or of what is left, to rounding; the search starts at the price of a sample of
 * pages^⅔ pages. Two prices that enclose the one sought are kept. Demand is steep where a page gets its first fetch: the answer
 * lies between what the pages take at the two, where it spends the supply, or leaves the target, to rounding.
 * Whole fetches need no such price: what is missing near it is dealt by marginal gains (whole-fetches.ts).
 * Bound (weak duality): for every price, Σ min[c_i + max(μ, p_h)·f] − μR − Σ_h (p_h − μ)⁺·C_h; for a target the same
 * inequality read the other way.
 * Complexity: pages × some 7 prices.
 */
import { NothingToReturn, stopCheck } from '../budget.ts';
import { RunningSum } from '../numerics/linear/running-sum.ts';
import { findRoot } from '../numerics/search/root.ts';
import { clearingPrice } from './clearing-price.ts';
import { type Demand, isPrice, type MarketProblem, type WholeMarketProblem } from './demand.ts';
import { addLargest, dealAmount, HostRoom, shareEqualGains, takeSmallest } from './whole-fetches.ts';

export interface ClearedMarket {
  /** By page. */
  readonly fetches: Float64Array;
  readonly total: number;
  /** What one more fetch saves: 0 where limits leave fetches unused, Infinity where the minimum fetches suffice. */
  readonly price: number;
  /** Two prices: demand is at least the goal at the first, at most the goal at the second. */
  readonly bracket: readonly [number, number];
  /** By host: the price at which it keeps its limit; 0 where that is not above the common price. */
  readonly hostPrice: Float64Array;
  /** The demand at one end of the bracket, for a bound. */
  readonly atPrice: Look;
}

/** The fewest fetches that keep the cost at or below a target. */
export interface FeasibleTarget extends ClearedMarket {
  readonly feasible: true;
  /** Σ c_i. */
  readonly cost: number;
  /** No fewer fetches keep the target. */
  readonly bound: number;
}

export interface InfeasibleTarget {
  readonly feasible: false;
  /** The lowest cost that the limits allow. */
  readonly minCost: number;
  /** By host: what one more fetch would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
}

/** The demand of all pages at a price, hosts within their limits. */
export interface Look {
  readonly price: number;
  readonly fetches: Float64Array;
  readonly total: number;
  /** Σ c_i; NaN where it was not requested. */
  readonly cost: number;
}

/** Prices so low that pages take all their limits allow, and so high that they take only what they must. */
export const lowestPrice = 1e-300;
export const highestPrice = 1e300;
/** Relative rounding error of a sum over pages: searches end within it. */
const rounding = 1e-12;
/** Relative excess up to which a target, or a host's limit, counts as kept. */
const targetTolerance = 1e-9;
/** Whole fetches: the maximum dealt one by one, as a share of the pages; a sweep over all pages costs about as much. */
const maxDealtShare = 1 / 16;

/** Positions of a sample of pages^⅔ pages, rising: one at a scrambled offset in each stride, so that no period of the pages aliases. */
function sampleOf(pages: number): Uint32Array {
  const stride = Math.ceil(Math.cbrt(pages));
  const offsetIn = (k: number): number => (Math.imul(k, 0x9e3779b1) >>> 0) % stride;
  return Uint32Array.from({ length: Math.floor(pages / stride) }, (_, k) => k * stride + offsetIn(k));
}

/** Looks at all pages, at one price after another. */
export class Market {
  readonly #problem: MarketProblem;
  /** The limited host of each page, −1 for none; null where no page has one. */
  readonly #host: Int32Array | null;
  /** Demand of the hosts at their limits, by host, computed when a host is first found to be full. */
  readonly #full = new Map<number, FullHost>();
  #members: readonly Uint32Array[] | null = null;
  readonly #isStopped: (steps?: number) => boolean;

  constructor(problem: MarketProblem) {
    const { hosts } = problem;
    this.#problem = problem;
    this.#isStopped = stopCheck(problem.budget);
    const isLimited = (h: number): boolean => h >= 0 && hosts !== null && hosts.limit[h] < Number.POSITIVE_INFINITY;
    this.#host = hosts?.of.some(isLimited) ? hosts.of.map((h) => (isLimited(h) ? h : -1)) : null;
  }

  /** @param withCost whether to sum the cost too */
  look(price: number, withCost: boolean): Look {
    const { demand, hosts } = this.#problem;
    const host = this.#host;
    const fetches = new Float64Array(demand.pages);
    let [total, cost] = [0, 0];
    const [totalByHost, costByHost] = host === null ? [] : [0, 0].map(() => new Float64Array(hosts?.limit.length ?? 0));
    for (let i = 0; i < demand.pages; i++) {
      const own = demand.fetchesAt(i, price);
      const pageCost = withCost ? demand.costOf(i, own) : 0;
      fetches[i] = own;
      const h = host === null ? -1 : host[i];
      if (h < 0) {
        total += own;
        cost += pageCost;
      } else {
        totalByHost[h] += own;
        costByHost[h] += pageCost;
      }
      this.#count();
    }
    for (let h = 0; host !== null && h < totalByHost.length; h++) {
      if (totalByHost[h] > (hosts?.limit[h] ?? 0) * (1 + rounding)) {
        const full = this.#fullHost(h, price);
        total += full.total;
        cost += full.cost;
        for (const [k, i] of full.pages.entries()) fetches[i] = full.fetches[k];
      } else {
        total += totalByHost[h];
        cost += costByHost[h];
      }
    }
    return { price, fetches, total, cost: withCost ? cost : Number.NaN };
  }

  /** Fetches or cost of some pages at a price, summed; full hosts at their own prices as far as these are known. */
  sumOf(pages: Uint32Array, price: number, kind: 'total' | 'cost'): number {
    const { demand } = this.#problem;
    const host = this.#host;
    let sum = 0;
    for (const i of pages) {
      const pagePrice = host === null ? price : Math.max(price, this.#full.get(host[i])?.price ?? 0);
      const own = demand.fetchesAt(i, Math.min(pagePrice, highestPrice));
      sum += kind === 'total' ? own : demand.costOf(i, own);
      this.#count();
    }
    return sum;
  }

  /** By host the price at which it keeps its limit; 0 where that is not above the common price. */
  hostPrices(commonPrice: number): Float64Array {
    const prices = new Float64Array(this.#problem.hosts?.limit.length ?? 0);
    for (const [h, { price }] of this.#full) if (price > commonPrice) prices[h] = price;
    return prices;
  }

  #fullHost(h: number, price: number): FullHost {
    const knownHost = this.#full.get(h);
    if (knownHost !== undefined) return knownHost;
    const { demand, hosts, warmStart, ceiling = highestPrice } = this.#problem;
    this.#members ??= membersOf(this.#host ?? new Int32Array(0), hosts?.limit.length ?? 0);
    const pages = this.#members[h];
    const limit = hosts?.limit[h] ?? 0;
    const demandAt = (at: number): Float64Array => {
      const own = new Float64Array(pages.length);
      for (const [k, i] of pages.entries()) own[k] = demand.fetchesAt(i, at);
      this.#count(pages.length);
      return own;
    };
    const start = isPrice(warmStart?.host[h]) ? warmStart.host[h] : price;
    const wholeTolerance = Math.log1p(maxDealt(pages.length) / limit);
    const tolerance = demand.gain !== undefined ? wholeTolerance : rounding;
    const bracket = clearingPrice((at) => sumOf(demandAt(at)), { start, supply: limit, ceiling, tolerance });
    const [lowFetches, highFetches] = [demandAt(Math.max(lowestPrice, bracket.low)), demandAt(bracket.high)];
    const share = shareOfLow(limit, sumOf(lowFetches), sumOf(highFetches));
    const fetches =
      demand.gain === undefined
        ? mixtureOf(lowFetches, highFetches, share)
        : shareEqualGains(lowFetches, highFetches, share);
    const { gain } = demand;
    if (gain !== undefined) dealAmount(fetches, limit, (k, x) => gain(pages[k], x));
    let cost = 0;
    for (const [k, i] of pages.entries()) cost += demand.costOf(i, fetches[k]);
    const total = sumOf(fetches);
    // where its pages must be fetched more than the limit allows no price keeps it
    const full = {
      price: total <= limit * (1 + targetTolerance) ? bracket.high : highestPrice,
      pages,
      fetches,
      total,
      cost,
    };
    this.#full.set(h, full);
    return full;
  }

  #count(pages = 1): void {
    if (this.#isStopped(pages)) throw new NothingToReturn('the price of a fetch was being looked for');
  }
}

interface FullHost {
  readonly price: number;
  readonly pages: Uint32Array;
  /** In the order of the pages. */
  readonly fetches: Float64Array;
  readonly total: number;
  readonly cost: number;
}

/**
 * The fetches that spend a supply at the least cost.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearSupply(problem: MarketProblem, supply: number): ClearedMarket {
  const market = new Market(problem);
  const enclosure = enclose(market, problem, { kind: 'total', amount: supply });
  const { low, high } = enclosure;
  const share = shareOfLow(supply, low.total, high.total);
  const fetches = mixtureOf(low.fetches, high.fetches, share);
  const price = high.price <= lowestPrice ? 0 : interpolatePrice(low, high, share);
  return {
    fetches,
    total: sumOf(fetches),
    price,
    bracket: [low.price, high.price],
    hostPrice: market.hostPrices(price),
    atPrice: nearestLook(enclosure, 'total', supply),
  };
}

/** Lower bound on the cost at a supply, by weak duality at the clearing prices: a full host takes its limit. */
export function costBound({ demand }: MarketProblem, { atPrice }: ClearedMarket, supply: number): number {
  const { fetches, total } = atPrice;
  const price = atPrice.price <= lowestPrice ? 0 : atPrice.price;
  let bound = price * (total - supply);
  for (let i = 0; i < fetches.length; i++) bound += demand.costOf(i, fetches[i]);
  return bound;
}

/**
 * The fewest fetches that keep the cost at or below a target.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearTarget(problem: MarketProblem, target: number): FeasibleTarget | InfeasibleTarget {
  const market = new Market(problem);
  const idle = market.look(highestPrice, true);
  const needsNone = idle.cost <= target;
  const goal = { kind: 'cost', amount: target } as const;
  let enclosure = needsNone ? { low: idle, high: idle } : enclose(market, problem, goal);
  const minCost = enclosure.low.cost;
  if (minCost > target * (1 + targetTolerance)) return { feasible: false, minCost, hostPrice: market.hostPrices(0) };
  // the lowest cost is reached at every low price: the highest of these gives the best bound
  if (enclosure.low.price <= lowestPrice)
    enclosure = enclose(market, problem, { ...goal, amount: minCost * (1 + rounding) });
  const { low } = enclosure;
  const { fetches, cost, share } = mixForTarget(problem.demand, enclosure, target);
  const price = needsNone ? Number.POSITIVE_INFINITY : interpolatePrice(low, enclosure.high, 1 - share);
  const total = sumOf(fetches);
  const boundAt = (look: Look): number => look.total + (look.cost - target) / look.price;
  const bound = needsNone ? total : Math.max(boundAt(low), boundAt(enclosure.high));
  return {
    feasible: true,
    fetches,
    total,
    cost,
    price,
    bracket: [low.price, enclosure.high.price],
    hostPrice: market.hostPrices(price),
    atPrice: nearestLook(enclosure, 'cost', target),
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
  const { low, high } = enclose(new Market(problem), problem, { kind: 'total', amount: supply });
  const share = shareOfLow(supply, low.total, high.total);
  const fetches = shareEqualGains(low.fetches, high.fetches, share);
  dealAmount(fetches, supply, demand.gain, new HostRoom(hosts, fetches));
  return fetches;
}

/**
 * The fewest whole fetches that keep the cost at or below a target.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function clearWholeTarget(problem: WholeMarketProblem, target: number): Float64Array | InfeasibleTarget {
  const { demand, hosts } = problem;
  const market = new Market(problem);
  const idle = market.look(highestPrice, true);
  if (idle.cost <= target) return idle.fetches;
  const enclosure = enclose(market, problem, { kind: 'cost', amount: target });
  const { share } = mixForTarget(demand, enclosure, target);
  const fetches = shareEqualGains(enclosure.low.fetches, enclosure.high.fetches, 1 - share);
  const room = new HostRoom(hosts, fetches);
  const cost = new RunningSum();
  for (let page = 0; page < fetches.length; page++) cost.add(demand.costOf(page, fetches[page]));
  const enough = target * (1 + rounding);
  addLargest(fetches, demand.gain, room, (gain) => {
    if (cost.total() <= enough) return false;
    cost.add(-gain);
    return true;
  });
  if (cost.total() > target * (1 + targetTolerance)) {
    return { feasible: false, minCost: cost.total(), hostPrice: market.hostPrices(0) };
  }
  takeSmallest(fetches, demand.gain, room, (gain) => {
    if (cost.total() + gain > enough) return false;
    cost.add(gain);
    return true;
  });
  return fetches;
}

/** The price sought: where total fetches, or the cost, equal an amount. */
interface Goal {
  readonly kind: 'total' | 'cost';
  readonly amount: number;
}

/** Largest number of whole fetches that are dealt one by one. */
const maxDealt = (pages: number): number => Math.floor(maxDealtShare * pages);

/** Whether whole fetches are close enough to the goal that the rest can be dealt one by one. */
function isNearby({ demand }: MarketProblem, { kind, amount }: Goal, look: Look): boolean {
  if (demand.gain === undefined) return false;
  const excess = kind === 'total' ? look.total - amount : (look.cost - amount) / look.price;
  return Math.abs(excess) <= maxDealt(demand.pages);
}

/** Two looks: demand is at least the goal at the lower price, at most the goal at the higher one. */
interface Enclosure {
  readonly low: Look;
  readonly high: Look;
}

/** The price between two, evenly in its logarithm. @param share of the lower one */
const interpolatePrice = (low: Look, high: Look, share: number): number =>
  low.price < high.price ? high.price * (low.price / high.price) ** share : high.price;

/** The look that is closer to the goal. */
const nearestLook = ({ low, high }: Enclosure, kind: Goal['kind'], amount: number): Look =>
  Math.abs(low[kind] - amount) < Math.abs(high[kind] - amount) ? low : high;

/** ln D for a sum of fetches or costs, scaled so that the goal is D = 1: falls in the price, for both goals. */
const excessOf = ({ kind, amount }: Goal, sum: number): number =>
  Math.log(kind === 'total' ? sum / amount : amount / sum);

function enclose(market: Market, problem: MarketProblem, goal: Goal): Enclosure {
  const { warmStart, ceiling = highestPrice } = problem;
  const withCost = goal.kind === 'cost';
  const start = isPrice(warmStart?.price) ? warmStart.price : priceOfSample(market, problem, goal);
  let [lowLook, highLook, dealableLook]: (Look | null)[] = [null, null, null];
  const demand = (price: number): number => {
    const look = market.look(price, withCost);
    const excess = excessOf(goal, look[goal.kind]);
    if (excess >= 0 && !(lowLook !== null && lowLook.price > price)) lowLook = look;
    if (excess <= 0 && !(highLook !== null && highLook.price < price)) highLook = look;
    if (isNearby(problem, goal, look)) dealableLook = look;
    return dealableLook === look ? 1 : Math.exp(excess);
  };
  const { low, high } = clearingPrice(demand, { supply: 1, start, ceiling, tolerance: rounding });
  if (dealableLook !== null) return { low: dealableLook, high: dealableLook };
  const [first, last] = [lowLook, highLook].map((look) => look ?? market.look(Math.max(lowestPrice, low), withCost));
  if (low < high) return { low: first, high: last };
  const exactLook = first.price === high ? first : last;
  return { low: exactLook, high: exactLook };
}

/** The price at which a sample of the pages reaches its share of the goal. */
function priceOfSample(market: Market, { demand, start, ceiling }: MarketProblem, goal: Goal): number {
  const sample = sampleOf(demand.pages);
  const share = sample.length / demand.pages;
  const estimateAt = (price: number): number =>
    Math.exp(excessOf(goal, market.sumOf(sample, price, goal.kind) / share));
  const { high } = clearingPrice(estimateAt, { supply: 1, start, ceiling, tolerance: rounding });
  return high > 0 ? high : start;
}

/** The mixture of the demands at two prices whose cost is the target. */
function mixForTarget(demand: Demand, { low, high }: Enclosure, target: number) {
  const [first, last] = [low.cost - target, high.cost - target];
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
  const share = findRoot(excess, 0, 1, rounding);
  return { fetches, cost: target + excess(share), share };
}

/** Share of the demand at the lower of two prices in a mixture that comes to an amount; within 0 and 1. */
const shareOfLow = (amount: number, low: number, high: number): number =>
  low > high ? Math.min(1, Math.max(0, (amount - high) / (low - high))) : 0;

/** The mixture of the demands at two prices. @param share of the first */
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
