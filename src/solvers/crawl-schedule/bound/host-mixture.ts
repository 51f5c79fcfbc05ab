/** A host in the method of multipliers (mixtures.ts): what its pages want, what it may have, and its prices. */
import type { HostSupply } from './host-chains.ts';

/** A level of prices below this share of the highest, or of what slots go for, counts as this. */
const leastLevel = 0.1;

export class HostMixture {
  /** Crawls that its pages want at each moment. */
  readonly demand: Float64Array;
  readonly firmness: number;
  readonly #supply: HostSupply;
  #scarcity: Float64Array;
  readonly #made: Float64Array;
  readonly #best: Float64Array;

  /** @param firmness of all prices, relative to their level and the mean supply; @param level of the slots' prices */
  constructor(
    supply: HostSupply,
    price: Float64Array,
    { firmness, level }: { readonly firmness: number; readonly level: number },
  ) {
    const size = price.length;
    this.demand = new Float64Array(size);
    this.#supply = supply;
    this.#scarcity = price;
    this.#made = new Float64Array(size);
    this.#best = new Float64Array(size);
    supply.pay(price, this.#made);
    const crawls = this.#made.reduce((sum, s) => sum + s, 0);
    const mean = price.reduce((sum, r) => sum + r, 0) / size;
    const highest = price.reduce((most, r) => Math.max(most, r), level);
    this.firmness = (firmness * Math.max(mean, leastLevel * highest) * size) / Math.max(1, crawls);
  }

  addPrices(price: Float64Array): void {
    const own = this.#prices();
    for (let b = 0; b < price.length; b++) price[b] += own[b];
  }

  /** Moves what it has towards what pays most. */
  settle(): void {
    const [price, made, best] = [this.#prices(), this.#made, this.#best];
    this.#supply.pay(price, best);
    let gain = 0;
    let squares = 0;
    for (let b = 0; b < price.length; b++) {
      const change = best[b] - made[b];
      gain += price[b] * change;
      squares += change * change;
    }
    if (!(gain > 0)) return;
    const share = Math.min(1, gain / (this.firmness * squares));
    for (let b = 0; b < price.length; b++) made[b] += share * (best[b] - made[b]);
  }

  multiply(): Float64Array {
    this.#scarcity = this.#prices();
    return this.#scarcity;
  }

  #prices(): Float64Array {
    const [scarcity, demand, made] = [this.#scarcity, this.demand, this.#made];
    const price = new Float64Array(scarcity.length);
    for (let b = 0; b < price.length; b++) price[b] = scarcity[b] + this.firmness * (demand[b] - made[b]);
    return this.#supply.nearest(price);
  }
}
