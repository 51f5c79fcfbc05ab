/**
 * Prices of slots for which the bound is large: the method of multipliers, a class at a time.
 *
 * The prices' slopes are read off a schedule (where crawls of a page cannot gain by moving, w·(H'(gap before) − H'(gap
 * after)) is −q'), their level is found by golden section. Then every class keeps a mixture of schedules. A moment's
 * price is max(0, q + ρ·(demand − supply)) of all mixtures. One class after the other moves its mixture towards its
 * best schedule at these prices as far as lowers cost + (price² − q²)/2ρ most, so that prices answer every move at
 * once. Now and then q becomes the prices reached, and the bound there is computed.
 * Complexity: some 15 evaluations, then passes of about one each. Stopping rule: passes, gaps looked at, or the budget.
 * Source: R. T. Rockafellar, Mathematics of Operations Research 1, 1976 (multipliers); S. Lacoste-Julien, M. Jaggi, M.
 * Schmidt and P. Pletscher, ICML 2013 (blocks one after the other).
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { PricedPaths } from './priced-paths.ts';
import { marketBound, type PricedClass, type SlotMarket } from './slot-prices.ts';

/** A first guess: prices up to a constant, and about how high they are. */
export interface PriceGuess {
  readonly start: Float64Array;
  readonly level: number;
  readonly passes: number;
}

/** Passes over all classes: for a bound, and for prices that need not be good; those between two bounds. */
export const [boundPasses, guessPasses] = [100, 12];
const [passesPerMultiplier, passesPerBound] = [2, 6];
/** Gaps looked at in all. */
const mostLooks = 3e7;
/** By what share of their level prices rise where demand is above supply by the mean supply. */
const firmness = 0.2;
const pollEvery = 8;
/** A share of a crawl. */
const negligible = 1e-12;

/** Prices for which the bound is large. @throws NothingToReturn when the budget ends before their level is known */
export function findPrices(
  market: SlotMarket,
  classes: readonly PricedClass[],
  { start, level, passes }: PriceGuess,
  budget: Budget,
): Float64Array {
  const at = (shift: number): Float64Array => start.map((q) => q + shift);
  const value = (price: Float64Array): number => marketBound(market, classes, price, null, budget);
  const lowest = start.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
  const found = goldenSection((shift) => -value(at(shift)), -lowest - level, 2 * level - lowest, 0.1 * level);
  let best = at(found.at);
  let most = -found.value;
  const mixtures = new Mixtures(market, classes, best, level);
  for (let pass = 1; pass <= passes && mixtures.looks < mostLooks; pass++) {
    if (!mixtures.pass(budget)) break;
    if (pass % passesPerMultiplier > 0) continue;
    const price = mixtures.multiply();
    if (pass % passesPerBound > 0) continue;
    const bound = unlessStopped(null, () => value(price));
    if (bound === null) break;
    if (bound > most) [best, most] = [price, bound];
  }
  return best;
}

/** What classes want in the mean of their schedules, and the prices that answer it. */
class Mixtures {
  readonly #classes: readonly PricedClass[];
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

  constructor(market: SlotMarket, classes: readonly PricedClass[], price: Float64Array, level: number) {
    const size = price.length;
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
      price.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY),
    );
    this.#scarcity = price.map((q) => Math.max(0, q - this.#worth));
    this.#price = new Float64Array(size);
    this.#best = new Float64Array(size);
    const paid = price.map((q) => Math.max(0, q));
    for (const k of classes.keys()) this.#add(k, 1, this.#respond(k, paid));
  }

  get looks(): number {
    return this.#paths.looks;
  }

  /** False where the budget ended it. */
  pass(budget: Budget): boolean {
    for (const k of this.#classes.keys()) {
      if (k % pollEvery === 0 && budget.stopRequested()) return false;
      this.#move(k, this.#prices());
    }
    return true;
  }

  /** The prices reached, from which the next passes go on. */
  multiply(): Float64Array {
    const price = this.#prices().slice();
    const all = this.#worthNow();
    this.#scarcity = price.map((q) => q - all);
    this.#worth = all;
    return price;
  }

  #worthNow(): number {
    return Math.max(0, this.#worth + this.#firmnessOfAll * this.#total);
  }

  #prices(): Float64Array {
    const all = this.#worthNow();
    const [price, scarcity, excess, firmness] = [this.#price, this.#scarcity, this.#excess, this.#firmness];
    for (let b = 0; b < price.length; b++) price[b] = all + Math.max(0, scarcity[b] + firmness * excess[b]);
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

  #move(k: number, price: Float64Array): void {
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
    const curvature = this.#classes[k].mass * (this.#firmness * squares + this.#firmnessOfAll * all * all);
    if (gain > 0 && curvature > 0) this.#add(k, Math.min(1, gain / curvature), cost);
  }

  /** Moves the mixture of a class by a share towards its best schedule. */
  #add(k: number, share: number, cost: number): void {
    const { mass } = this.#classes[k];
    const [crawls, best, excess] = [this.#crawls[k], this.#best, this.#excess];
    let all = 0;
    for (let b = 0; b < crawls.length; b++) {
      const change = share * (best[b] - crawls[b]);
      // what is next to nothing is nothing
      crawls[b] = crawls[b] + change > negligible ? crawls[b] + change : 0;
      excess[b] += mass * change;
      all += change;
    }
    this.#cost[k] += share * (cost - this.#cost[k]);
    this.#total += mass * all;
  }
}
