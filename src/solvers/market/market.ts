/**
 * One price for all pages, and a price of its own for every host whose limit binds.
 *
 * Model: minimise Σ c_i(f_i) over fetch rates with Σ f_i ≤ R (or the least Σ f_i with Σ c_i(f_i) ≤ s*), and Σ_{i on h}
 * f_i ≤ C_h for disjoint hosts; c_i falls and is convex. The demand of page i at a price p is the f that minimises
 * c_i(f) + p·f. A page pays max(μ, p_h), μ the common price and p_h the price at which the demand of its host equals
 * the limit. p_h does not depend on μ, and is computed once, for hosts whose demand exceeds their limit at some μ.
 * Method: μ is the clearing price of Σ f, or of Σ c_i, to rounding; the search starts at the price of a sample of
 * pages^⅔ pages. Demand is steep in the price where a page gets its first fetch, so the answer is a mixture of the
 * demands at two prices that enclose μ: the mixture spends the supply, or costs the target, to rounding. Whole fetches
 * need no exact price: a demand close to the goal is completed by marginal gains (whole-fetches.ts).
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
  /** By page: fetches per unit of time. */
  readonly fetches: Float64Array;
  readonly total: number;
  /** μ: saving by one more fetch; 0 if limits leave fetches unused, Infinity if the minimum fetches suffice. */
  readonly price: number;
  /** Two prices that enclose μ: demand is at least the goal at the first and at most the goal at the second. */
  readonly bracket: readonly [number, number];
  /** By host: the price at which the host keeps its limit; 0 if this price is not above the common price. */
  readonly hostPrice: Float64Array;
  /** The demand at the end of the bracket closer to the goal, for the bound. */
  readonly demandAtBracket: PricedDemand;
}

/** The fewest fetches that keep the cost at or below a target. */
export interface FeasibleTarget extends ClearedMarket {
  readonly feasible: true;
  /** Σ c_i. */
  readonly cost: number;
  /** Lower bound on the fetches that keep the target. */
  readonly bound: number;
}

export interface InfeasibleTarget {
  readonly feasible: false;
  /** The lowest cost that the limits allow. */
  readonly minCost: number;
  /** By host: saving by one more fetch above its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
}

/** The demand of all pages at a price, hosts within their limits. */
export interface PricedDemand {
  readonly price: number;
  readonly fetches: Float64Array;
  readonly total: number;
  /** Σ c_i; NaN where it was not requested. */
  readonly cost: number;
}

/** Prices at which demand is as large as limits allow, and as small as the minima of the pages. */
export const lowestPrice = 1e-300;
export const highestPrice = 1e300;
/** Relative rounding error of a sum over pages: searches end within it. */
const rounding = 1e-12;
/** Tolerance of the price of a sample, in ln fetches or ln cost: an error that is small beside that of sampling. */
const sampleTolerance = 1e-3;
/** Relative excess up to which a target, or a host's limit, counts as kept. */
const targetTolerance = 1e-9;
/**
 * Maximum number of whole fetches assigned one by one, as a share of the pages: costs about one sweep over all pages.
 */
const maxDealtShare = 1 / 16;

/**
 * Positions of a sample of pages^⅔ pages, rising: a pseudorandom one in each stride, so that periodic lists do not
 * alias.
 */
function sampleOf(pages: number): Uint32Array {
  const stride = Math.ceil(Math.cbrt(pages));
  const offsetIn = (k: number): number => (Math.imul(k, 0x9e3779b1) >>> 0) % stride;
  return Uint32Array.from({ length: Math.floor(pages / stride) }, (_, k) => k * stride + offsetIn(k));
}

/** The demand of all pages as a function of the price; remembers the prices of full hosts. */
export class Market {
  readonly #problem: MarketProblem;
  /** The limited host of each page, −1 for none; null where no page has one. */
  readonly #host: Int32Array | null;
  /** Full hosts with their prices, by host; computed when the demand of a host first exceeds its limit. */
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

  /** The demand at a price. @param withCost whether to sum the cost as well. O(pages) */
  demandAt(price: number, withCost: boolean): PricedDemand {
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
      // by the block: counting every page takes a tenth of the time
      if (i % 64 === 0) this.#count(64);
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

  /** Sum of the fetches or costs of a sample of pages at a price; full hosts that are known have their own prices. */
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

  /** By host: the price at which the host keeps its limit; 0 if this price is not above the common price. */
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
    const fetchesAt = (at: number): Float64Array => {
      const own = new Float64Array(pages.length);
      for (const [k, i] of pages.entries()) own[k] = demand.fetchesAt(i, at);
      this.#count(pages.length);
      return own;
    };
    const start = isPrice(warmStart?.host[h]) ? warmStart.host[h] : price;
    const wholeTolerance = Math.log1p(maxDealt(pages.length) / limit);
    const tolerance = demand.gain !== undefined ? wholeTolerance : rounding;
    const bracket = clearingPrice((at) => sumOf(fetchesAt(at)), { start, supply: limit, ceiling, tolerance });
    const [lowFetches, highFetches] = [fetchesAt(Math.max(lowestPrice, bracket.low)), fetchesAt(bracket.high)];
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
    // no price keeps the limit if the minima of the pages exceed it
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

/** A host at its limit: the price p_h, and the fetches of its pages at this price. */
interface FullHost {
  readonly price: number;
  readonly pages: Uint32Array;
  /** Fetches of each page in `pages`. */
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
    demandAtBracket: nearestDemand(enclosure, 'total', supply),
  };
}

/** Lower bound on the cost at a supply, by weak duality at the prices of a cleared market. O(pages) */
export function costBound({ demand }: MarketProblem, { demandAtBracket }: ClearedMarket, supply: number): number {
  const { fetches, total } = demandAtBracket;
  const price = demandAtBracket.price <= lowestPrice ? 0 : demandAtBracket.price;
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
  const idle = market.demandAt(highestPrice, true);
  const needsNone = idle.cost <= target;
  const goal = { kind: 'cost', amount: target } as const;
  let enclosure = needsNone ? { low: idle, high: idle } : enclose(market, problem, goal);
  const minCost = enclosure.low.cost;
  if (minCost > target * (1 + targetTolerance)) return { feasible: false, minCost, hostPrice: market.hostPrices(0) };
  // where the target equals the lowest cost, every low price reaches it: the highest such price gives the best bound
  if (enclosure.low.price <= lowestPrice)
    enclosure = enclose(market, problem, { ...goal, amount: minCost * (1 + rounding) });
  const { low } = enclosure;
  const { fetches, cost, share } = mixForTarget(problem.demand, enclosure, target);
  const price = needsNone ? Number.POSITIVE_INFINITY : interpolatePrice(low, enclosure.high, 1 - share);
  const total = sumOf(fetches);
  const boundAt = (point: PricedDemand): number => point.total + (point.cost - target) / point.price;
  const bound = needsNone ? total : Math.max(boundAt(low), boundAt(enclosure.high));
  return {
    feasible: true,
    fetches,
    total,
    cost,
    price,
    bracket: [low.price, enclosure.high.price],
    hostPrice: market.hostPrices(price),
    demandAtBracket: nearestDemand(enclosure, 'cost', target),
    bound: Math.min(total, Math.max(0, bound)),
  };
}

/**
 * The whole fetches that spend a supply at the least cost; fetches that save nothing are left out.
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
  const idle = market.demandAt(highestPrice, true);
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

/** The goal of a price search: total fetches, or cost, equal to an amount. */
interface Goal {
  readonly kind: 'total' | 'cost';
  readonly amount: number;
}

/** Maximum number of whole fetches assigned one by one. */
const maxDealt = (pages: number): number => Math.floor(maxDealtShare * pages);

/** Whether whole fetches are so close to the goal that the difference can be assigned one by one. */
function isNearby({ demand }: MarketProblem, { kind, amount }: Goal, point: PricedDemand): boolean {
  if (demand.gain === undefined) return false;
  const excess = kind === 'total' ? point.total - amount : (point.cost - amount) / point.price;
  return Math.abs(excess) <= maxDealt(demand.pages);
}

/** The demands at two prices: at least the goal at the lower price, at most the goal at the higher one. */
interface Enclosure {
  readonly low: PricedDemand;
  readonly high: PricedDemand;
}

/** A price between two, linear in its logarithm. @param share of the lower price */
const interpolatePrice = (low: PricedDemand, high: PricedDemand, share: number): number =>
  low.price < high.price ? high.price * (low.price / high.price) ** share : high.price;

/** The demand of an enclosure that is closer to the goal. */
const nearestDemand = ({ low, high }: Enclosure, kind: Goal['kind'], amount: number): PricedDemand =>
  Math.abs(low[kind] - amount) < Math.abs(high[kind] - amount) ? low : high;

/** ln of fetches over their goal, or of the goal over the cost: falls in the price, and is 0 at the goal. */
const excessOf = ({ kind, amount }: Goal, sum: number): number =>
  Math.log(kind === 'total' ? sum / amount : amount / sum);

/** The demands at two prices that enclose the goal as closely as rounding allows. */
function enclose(market: Market, problem: MarketProblem, goal: Goal): Enclosure {
  const { warmStart, ceiling = highestPrice, tolerance = 0 } = problem;
  const withCost = goal.kind === 'cost';
  const start = isPrice(warmStart?.price) ? warmStart.price : priceOfSample(market, problem, goal);
  let [lowDemand, highDemand, dealableDemand]: (PricedDemand | null)[] = [null, null, null];
  const demand = (price: number): number => {
    const point = market.demandAt(price, withCost);
    const excess = excessOf(goal, point[goal.kind]);
    if (excess >= 0 && !(lowDemand !== null && lowDemand.price > price)) lowDemand = point;
    if (excess <= 0 && !(highDemand !== null && highDemand.price < price)) highDemand = point;
    if (isNearby(problem, goal, point)) dealableDemand = point;
    return dealableDemand === point ? 1 : Math.exp(excess);
  };
  const { low, high } = clearingPrice(demand, { supply: 1, start, ceiling, tolerance: Math.max(rounding, tolerance) });
  if (dealableDemand !== null) return { low: dealableDemand, high: dealableDemand };
  const [first, last] = [lowDemand, highDemand].map(
    (point) => point ?? market.demandAt(Math.max(lowestPrice, low), withCost),
  );
  if (low < high) return { low: first, high: last };
  const exactDemand = first.price === high ? first : last;
  return { low: exactDemand, high: exactDemand };
}

/** The price at which a sample of the pages reaches its share of the goal. */
function priceOfSample(market: Market, { demand, start, ceiling }: MarketProblem, goal: Goal): number {
  const sample = sampleOf(demand.pages);
  const share = sample.length / demand.pages;
  const estimateAt = (price: number): number =>
    Math.exp(excessOf(goal, market.sumOf(sample, price, goal.kind) / share));
  const { high } = clearingPrice(estimateAt, { supply: 1, start, ceiling, tolerance: sampleTolerance });
  return high > 0 ? high : start;
}

/** The mixture of the demands at two prices that costs the target. */
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

/** Share of the demand at the lower price in a mixture whose total is an amount; within 0 and 1. */
const shareOfLow = (amount: number, low: number, high: number): number =>
  low > high ? Math.min(1, Math.max(0, (amount - high) / (low - high))) : 0;

/** The mixture of the demands at two prices. @param share of `low` */
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
