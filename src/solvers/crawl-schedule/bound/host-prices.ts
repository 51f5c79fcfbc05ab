/**
 * Prices of slots and of hosts' crawls on a grid: what all pages cost at least at them, and prices for which that is
 * large.
 *
 * The search is a projected subgradient ascent: first each host's curve by itself, along demand less supply averaged
 * over neighbours, then all prices together by Polyak's step towards a value that comes nearer while it is not reached.
 * A host's prices are made falling again by pooling neighbours. O(pages × moments²/crawls of a page) a step.
 * Source: B. T. Polyak, USSR Computational Mathematics and Mathematical Physics 9, 1969.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { earliestTimes } from '../host-delays.ts';
import type { HostDelays } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';
import { ClassGrid, type Grid, type MarketSize } from './market.ts';
import type { PoissonPages } from './page-classes.ts';
import { PricedPaths } from './priced-paths.ts';
import type { PricedClass } from './slot-prices.ts';

export interface HostMarket {
  readonly size: MarketSize;
  readonly slotTime: Float64Array;
  readonly pages: PoissonPages;
  readonly hosts: HostDelays;
  /** Most crawls of each host. */
  readonly most: Float64Array;
  /** A schedule, for a first guess of the curves and for what the bound cannot exceed. */
  readonly table: Timetable;
}

/** Prices by moment, at least 0: of slots, and beside them of each host's crawls, which never rise. */
export interface HostPrices {
  readonly slots: Float64Array;
  readonly hosts: readonly Float64Array[];
}

const pagesPerPoll = 16;
const firstStep = 0.05;
/** How far beyond the first bound the ascent aims, as a share of the way to the schedule's cost. */
const firstAhead = 0.4;
/** Steps without a larger bound after which it aims nearer. */
const patience = 6;

/** The pages by host, those of none last, with the moments at which hosts' crawls can be made at the earliest. */
export class PricedHosts {
  readonly grid: Grid;
  readonly #groups: readonly { readonly classes: readonly PricedClass[]; readonly supply: Float64Array }[];
  readonly #paths: PricedPaths;
  readonly #budget: Budget;

  constructor(market: HostMarket, grid: Grid, budget: Budget) {
    const { pages, hosts, size } = market;
    this.grid = grid;
    this.#paths = new PricedPaths(grid.moments.length);
    this.#budget = budget;
    const none = hosts.delay.length;
    const members = Array.from({ length: none + 1 }, (): number[] => []);
    for (const [i, h] of hosts.of.entries()) if (pages.weight[i] > 0) members[h < 0 ? none : h].push(i);
    const { weight, rate, fresh } = pages;
    this.#groups = members.map((list, h) => {
      const priced = new ClassGrid(grid, size.interval);
      const sorted = list.sort((a, b) => rate[a] - rate[b]);
      const classes = sorted.map((i) => priced.priced({ weight: weight[i], rate: rate[i], fresh: fresh[i], mass: 1 }));
      return { classes, supply: earliest(market, h, grid) };
    });
  }

  /** What all pages cost at least: a bound of Σ weight·(stale time). @throws NothingToReturn when the budget ends */
  bound(prices: HostPrices): number {
    let sum = this.#slotsCost(prices.slots);
    for (const h of this.#groups.keys()) sum += this.#hostCost(h, prices, null);
    return sum;
  }

  /** The same of one host's pages, less what its crawls pay at most. */
  boundOfHost(h: number, prices: HostPrices): number {
    return this.#hostCost(h, prices, null);
  }

  /**
   * Prices for which the bound is large, each host's curve by itself: steps along the share that demand is above supply.
   *
   * @param units what hosts' steps are measured in @throws NothingToReturn when the budget ends before the first step
   */
  ascendApart({ slots, hosts }: HostPrices, units: readonly number[], steps: number): HostPrices {
    const best = [...hosts];
    const demand = new Float64Array(slots.length);
    for (const [h, unit] of units.entries()) {
      const { supply } = this.#groups[h];
      const mean = Math.max(1e-9, supply.reduce((sum, s) => sum + s, 0) / supply.length);
      const current = [...hosts];
      let most = Number.NEGATIVE_INFINITY;
      for (let step = 0; step < steps && !this.#budget.stopRequested(); step++) {
        demand.fill(0);
        const value = this.#hostCost(h, { slots, hosts: current }, demand);
        if (value > most) [best[h], most] = [current[h], value];
        const excess = averaged(demand.map((d, b) => d - supply[b]));
        const length = (firstStep * unit) / (1 + step / 3);
        current[h] = falling(current[h].map((r, b) => r + length * Math.max(-1, Math.min(1, excess[b] / mean))));
      }
    }
    return { slots, hosts: best };
  }

  /**
   * The same for all prices together, towards a value above the best so far, which comes nearer where it is not reached.
   *
   * @param target what no bound exceeds
   */
  ascend(from: HostPrices, target: number, steps: number): HostPrices {
    let current = from;
    let best = from;
    let direction = this.#excess(from);
    let kept = direction;
    let ahead = firstAhead * (target - direction.value);
    let since = 0;
    for (let step = 0; step < steps && !this.#budget.stopRequested(); step++) {
      if (!(direction.norm > 0)) break;
      current = moved(current, direction, (kept.value + ahead - direction.value) / direction.norm);
      direction = this.#excess(current);
      if (direction.value > kept.value) [best, kept, since] = [current, direction, 0];
      else if (++since >= patience) [current, direction, ahead, since] = [best, kept, 0.5 * ahead, 0];
    }
    return best;
  }

  /** The value at prices, and demand less supply there. */
  #excess(prices: HostPrices): Excess {
    const { supply, slots, crawls } = this.grid;
    let value = this.#slotsCost(prices.slots);
    const total = supply.map((s) => (-s * crawls) / slots);
    const demand = new Float64Array(supply.length);
    const hosts: Float64Array[] = [];
    let norm = 0;
    for (const [h, { supply: own }] of this.#groups.entries()) {
      demand.fill(0);
      value += this.#hostCost(h, prices, demand);
      for (let b = 0; b < total.length; b++) total[b] += demand[b];
      if (h === prices.hosts.length) continue;
      const excess = demand.map((d, b) => d - own[b]);
      hosts.push(excess);
      norm += product(excess, excess);
    }
    return { value, slots: total, hosts, norm: norm + product(total, total) };
  }

  #slotsCost(price: Float64Array): number {
    const { supply, slots, crawls } = this.grid;
    const least = price.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
    return Math.max(0, least) * (slots - crawls) - product(supply, price);
  }

  /** `demand`, where it is asked for, gets the crawls; the bound is then that of the grid alone. */
  #hostCost(h: number, prices: HostPrices, demand: Float64Array | null): number {
    const { classes, supply } = this.#groups[h];
    const own = prices.hosts[h];
    const price = own === undefined ? prices.slots : prices.slots.map((q, b) => q + own[b]);
    const least = price.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY);
    let sum = own === undefined ? 0 : -product(supply, own);
    for (const [k, { page, atOnePrice }] of classes.entries()) {
      if (k % pagesPerPoll === 0 && this.#budget.stopRequested())
        throw new NothingToReturn('the hosts had no prices yet');
      const onGrid = this.#paths.solve(page, price);
      sum += demand === null ? Math.max(0, onGrid, atOnePrice(least)) : onGrid;
      if (demand !== null) this.#paths.addCrawls(1, demand);
    }
    return sum;
  }
}

interface Excess extends HostPrices {
  readonly value: number;
  /** Sum of squares. */
  readonly norm: number;
}

function moved(from: HostPrices, { slots, hosts }: HostPrices, length: number): HostPrices {
  return {
    slots: from.slots.map((q, b) => Math.max(0, q + length * slots[b])),
    hosts: from.hosts.map((curve, h) => falling(curve.map((r, b) => r + length * hosts[h][b]))),
  };
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Over neighbouring moments. */
function averaged(excess: Float64Array): Float64Array {
  const size = excess.length;
  const width = size >> 4;
  const sums = new Float64Array(size + 1);
  for (let b = 0; b < size; b++) sums[b + 1] = sums[b] + excess[b];
  return excess.map((_, b) => {
    const [from, to] = [Math.max(0, b - width), Math.min(size, b + width + 1)];
    return (sums[to] - sums[from]) / (to - from);
  });
}

/** How many crawls of a host are at each moment when each is made as early as its delay allows. */
function earliest({ hosts, most, slotTime }: HostMarket, h: number, { moments, spacing }: Grid): Float64Array {
  const supply = new Float64Array(moments.length);
  if (h >= hosts.delay.length) return supply;
  let crawls = 0;
  for (const time of earliestTimes(slotTime, hosts.delay[h], hosts.from[h])) {
    if (++crawls > most[h]) break;
    const at = Math.min(moments.length - 1, time / spacing);
    const cell = Math.floor(at);
    const share = cell + 1 < moments.length ? at - cell : 0;
    supply[cell] += 1 - share;
    if (share > 0) supply[cell + 1] += share;
  }
  return supply;
}

/** The nearest prices that never rise, at least 0: neighbours that would rise are pooled. */
export function falling(price: Float64Array): Float64Array {
  const sums: number[] = [];
  const sizes: number[] = [];
  for (const each of price) {
    sums.push(each);
    sizes.push(1);
    while (
      sums.length > 1 &&
      sums[sums.length - 1] * sizes[sizes.length - 2] > sums[sums.length - 2] * sizes[sizes.length - 1]
    ) {
      const [sum, size] = [sums.pop() ?? 0, sizes.pop() ?? 0];
      sums[sums.length - 1] += sum;
      sizes[sizes.length - 1] += size;
    }
  }
  const result = new Float64Array(price.length);
  let at = 0;
  for (const [k, size] of sizes.entries()) for (let n = 0; n < size; n++) result[at++] = Math.max(0, sums[k] / size);
  return result;
}
