/**
 * Prices of slots and of hosts' crawls on a grid: what all pages cost at least at them, and prices for which that is
 * large.
 *
 * What hosts' crawls can pay is in host-chains.ts, the search in mixtures.ts. A shortest path a page for every bound.
 */
import { type Budget, NothingToReturn, unlessStopped } from '../../budget.ts';
import type { HostDelays } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';
import { type HostSupply, hostSupplies } from './host-chains.ts';
import type { Grid, MarketSize } from './market.ts';
import { Mixtures } from './mixtures.ts';
import { PricedPaths } from './priced-paths.ts';
import type { PricedClass } from './slot-prices.ts';

/** Pages on any grid, by position. */
export interface PricedPages {
  readonly weight: Float64Array;
  onGrid(grid: Grid): (page: number) => PricedClass;
}

export interface HostMarket {
  readonly size: MarketSize;
  readonly slotTime: Float64Array;
  readonly pages: PricedPages;
  readonly hosts: HostDelays;
  /** Most crawls of each host. */
  readonly most: Float64Array;
  /** A schedule, for a first guess of the curves. */
  readonly table: Timetable;
}

/** Prices by moment, at least 0: of slots, and beside them of each host's crawls. */
export interface HostPrices {
  readonly slots: Float64Array;
  readonly hosts: readonly Float64Array[];
}

const pagesPerPoll = 16;
/** Pages times moments for which mixtures are kept. */
const mostKept = 4e6;

/** The pages by host, those of none last. */
export class PricedHosts {
  readonly grid: Grid;
  /** The hosts' pages, then those of none: made anew for every bound where they are many. */
  readonly #groups: readonly (() => readonly PricedClass[])[];
  readonly #supplies: readonly HostSupply[];
  readonly #made: Float64Array;
  readonly #paths: PricedPaths;
  readonly #budget: Budget;

  constructor(market: HostMarket, grid: Grid, budget: Budget) {
    const { pages, hosts } = market;
    this.grid = grid;
    this.#paths = new PricedPaths(grid.moments.length);
    this.#budget = budget;
    const none = hosts.delay.length;
    const members = Array.from({ length: none + 1 }, (): number[] => []);
    for (const [i, h] of hosts.of.entries()) if (pages.weight[i] > 0) members[h < 0 ? none : h].push(i);
    this.#supplies = hostSupplies(hosts, market.most, market.slotTime, grid);
    this.#made = new Float64Array(grid.moments.length);
    const kept = pages.weight.length * grid.moments.length <= mostKept;
    const priced = pages.onGrid(grid);
    this.#groups = members.map((list) => {
      if (!kept) return () => list.map(priced);
      const classes = list.map(priced);
      return () => classes;
    });
  }

  /** The prices nearest to these that a host may have. */
  nearest(h: number, price: Float64Array): Float64Array {
    return this.#supplies[h].nearest(price);
  }

  /** What all pages cost at least: a bound of Σ weight·(stale time). @throws NothingToReturn when the budget ends */
  bound(prices: HostPrices): number {
    let sum = this.#slotsCost(prices.slots);
    for (const h of this.#groups.keys()) sum += this.boundOfHost(h, prices);
    return sum;
  }

  /** Prices for which the bound is large. @throws NothingToReturn when the budget ends before the first bound */
  ascend(from: HostPrices, level: number, passes: number): HostPrices {
    let best = from;
    let most = this.bound(from);
    const hosts = this.#supplies.length;
    const classes = this.#groups.flatMap((group, h) => group().map((each) => ({ ...each, host: h < hosts ? h : -1 })));
    if (classes.length * this.#made.length > mostKept) return from;
    const mixtures = new Mixtures(this.grid, classes, { ...from, level }, this.#supplies);
    for (const reached of mixtures.search(passes, this.#budget)) {
      const bound = unlessStopped(null, () => this.bound(reached));
      if (bound === null) break;
      if (bound > most) [best, most] = [reached, bound];
    }
    return best;
  }

  #slotsCost(price: Float64Array): number {
    const { supply, slots, crawls } = this.grid;
    const least = price.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
    return Math.max(0, least) * (slots - crawls) - product(supply, price);
  }

  /** The same of one host's pages, less what its crawls pay at most. */
  boundOfHost(h: number, prices: HostPrices): number {
    const own = prices.hosts[h];
    const price = own === undefined ? prices.slots : prices.slots.map((q, b) => q + own[b]);
    const least = price.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY);
    let sum = own === undefined ? 0 : -this.#supplies[h].pay(own, this.#made);
    for (const [k, { page, atOnePrice }] of this.#groups[h]().entries()) {
      if (k % pagesPerPoll === 0 && this.#budget.stopRequested())
        throw new NothingToReturn('the hosts had no prices yet');
      sum += Math.max(0, this.#paths.solve(page, price), atOnePrice(least));
    }
    return sum;
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
