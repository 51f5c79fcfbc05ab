/**
 * Prices that answer what pages want: the method of multipliers, a class at a time.
 *
 * Every class keeps a mixture of schedules, and every host a mixture of sets of moments that it may have. A moment's
 * price is max(0, q + ρ·(demand − supply)) of all mixtures, and likewise the host's price there, and the price of any
 * crawl. One class or host after the other moves its mixture towards what is best for it at these prices. It goes as
 * far as lowers cost + Σ (price² − q²)/2ρ most, so that prices answer every move at once. Now and then q becomes the
 * prices reached.
 * Complexity: a pass is a shortest path for every class. Stopping rule: passes, gaps looked at, or the budget.
 * Source: R. T. Rockafellar, Mathematics of Operations Research 1, 1976 (multipliers); S. Lacoste-Julien, M. Jaggi, M.
 * Schmidt and P. Pletscher, ICML 2013 (blocks one after the other).
 */
import type { Budget } from '../../budget.ts';
import type { HostSupply } from './host-chains.ts';
import { HostMixture } from './host-mixture.ts';
import { PricedPaths } from './priced-paths.ts';
import type { PricedClass, SlotMarket } from './slot-prices.ts';

const [passesPerMultiplier, passesPerBound] = [2, 6];
/** Gaps looked at in all. */
const mostLooks = 3e7;
/** By what share of their level prices rise where demand is above supply by the mean supply. */
const firmness = 0.2;
const pollEvery = 8;
/** A share of a crawl. */
const negligible = 1e-12;

/** Prices of slots, and about how high they are; those of hosts' crawls beside them. */
export interface Prices {
  readonly slots: Float64Array;
  readonly level: number;
  readonly hosts?: readonly Float64Array[];
}

/** A class of pages, and the position of their host. */
interface HostedClass extends PricedClass {
  readonly host?: number;
}

export class Mixtures {
  readonly #classes: readonly HostedClass[];
  readonly #paths: PricedPaths;
  /** By class: crawls at each moment, and their weighted stale time. */
  readonly #crawls: readonly Float64Array[];
  readonly #cost: Float64Array;
  /** By moment, and of all crawls together: what they are wanted more than had, and the price for that. */
  readonly #excess: Float64Array;
  #total: number;
  #scarcity: Float64Array;
  #worth: number;
  readonly #price: Float64Array;
  readonly #best: Float64Array;
  readonly #firmness: number;
  readonly #firmnessOfAll: number;
  readonly #hosts: readonly HostMixture[];

  constructor(
    market: SlotMarket,
    classes: readonly HostedClass[],
    { slots, level, hosts = [] }: Prices,
    supplies: readonly HostSupply[] = [],
  ) {
    const size = slots.length;
    this.#classes = classes;
    this.#paths = new PricedPaths(size);
    this.#crawls = classes.map(() => new Float64Array(size));
    this.#cost = new Float64Array(classes.length);
    this.#excess = market.supply.map((s) => -s);
    this.#total = -market.crawls;
    this.#firmness = (firmness * level * size) / market.slots;
    this.#firmnessOfAll = (firmness * level) / market.crawls;
    this.#worth = Math.max(
      0,
      slots.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY),
    );
    this.#scarcity = slots.map((q) => Math.max(0, q - this.#worth));
    this.#hosts = supplies.map((supply, h) => new HostMixture(supply, hosts[h], { firmness, level }));
    this.#price = new Float64Array(size);
    this.#best = new Float64Array(size);
    const paid = slots.map((q) => Math.max(0, q));
    for (const [k, { host = -1 }] of classes.entries())
      this.#add(k, 1, this.#respond(k, host < 0 ? paid : paid.map((q, b) => q + hosts[host][b])));
  }

  /** Prices to compute the bound at, after so many passes at most. */
  *search(passes: number, budget: Budget): Generator<{ readonly slots: Float64Array; readonly hosts: Float64Array[] }> {
    for (let pass = 1, ends = false; pass <= passes && !ends; pass++) {
      if (!this.#pass(budget)) return;
      ends = this.#paths.looks >= mostLooks;
      if (pass % passesPerMultiplier > 0 && !ends) continue;
      const reached = this.#multiply();
      if (pass % passesPerBound === 0 || ends) yield reached;
    }
  }

  /** False where the budget ended it. */
  #pass(budget: Budget): boolean {
    for (const k of this.#classes.keys()) {
      if (k % pollEvery === 0 && budget.stopRequested()) return false;
      this.#move(k);
    }
    for (const host of this.#hosts) host.settle();
    return true;
  }

  /** The prices reached, from which the next passes go on. */
  #multiply(): { readonly slots: Float64Array; readonly hosts: Float64Array[] } {
    const slots = this.#prices(null).slice();
    const all = this.#worthNow();
    this.#scarcity = slots.map((q) => q - all);
    this.#worth = all;
    return { slots, hosts: this.#hosts.map((host) => host.multiply()) };
  }

  #worthNow(): number {
    return Math.max(0, this.#worth + this.#firmnessOfAll * this.#total);
  }

  #prices(host: HostMixture | null): Float64Array {
    const all = this.#worthNow();
    const [price, scarcity, excess, own] = [this.#price, this.#scarcity, this.#excess, this.#firmness];
    for (let b = 0; b < price.length; b++) price[b] = all + Math.max(0, scarcity[b] + own * excess[b]);
    host?.addPrices(price);
    return price;
  }

  /** The best schedule of a class at these prices, in `#best`; its weighted stale time. */
  #respond(k: number, price: Float64Array): number {
    const best = this.#best.fill(0);
    let cost = this.#paths.solve(this.#classes[k].page, price);
    this.#paths.addCrawls(1, best);
    for (let b = 0; b < price.length; b++) cost -= price[b] * best[b];
    return cost;
  }

  #move(k: number): void {
    const { mass, host = -1 } = this.#classes[k];
    const own = host < 0 ? null : this.#hosts[host];
    const price = this.#prices(own);
    const cost = this.#respond(k, price);
    const [crawls, best] = [this.#crawls[k], this.#best];
    let gain = this.#cost[k] - cost;
    let squares = 0;
    let all = 0;
    for (let b = 0; b < price.length; b++) {
      const change = best[b] - crawls[b];
      gain -= price[b] * change;
      squares += change * change;
      all += change;
    }
    const bend = (this.#firmness + (own?.firmness ?? 0)) * squares + this.#firmnessOfAll * all * all;
    if (gain > 0 && bend > 0) this.#add(k, Math.min(1, gain / (mass * bend)), cost);
  }

  /** Moves the mixture of a class by a share towards its best schedule. */
  #add(k: number, share: number, cost: number): void {
    const { mass, host = -1 } = this.#classes[k];
    const [crawls, best, excess] = [this.#crawls[k], this.#best, this.#excess];
    const wanted = host < 0 ? null : this.#hosts[host].demand;
    let all = 0;
    for (let b = 0; b < crawls.length; b++) {
      const change = share * (best[b] - crawls[b]);
      // what is next to nothing is nothing
      crawls[b] = crawls[b] + change > negligible ? crawls[b] + change : 0;
      excess[b] += mass * change;
      if (wanted !== null) wanted[b] += mass * change;
      all += change;
    }
    this.#cost[k] += share * (cost - this.#cost[k]);
    this.#total += mass * all;
  }
}
