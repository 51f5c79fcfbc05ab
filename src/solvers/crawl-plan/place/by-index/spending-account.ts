/**
 * What a schedule has spent, and what it may: the sum is given out evenly over the slots.
 *
 * A page whose fetch is worth its price may be fetched on credit, up to what the dearest fetch costs. So a dear page
 * does not make all others wait until it is paid for. It is itself waited for only while the credit is used up. For
 * less than its price a page is fetched only from what has been saved. No fetch is made for more than is left of the
 * whole sum.
 */
import { expectedCost } from '../../limits/fetch-costs.ts';
import type { FetchCosts } from '../../problem.ts';

export class SpendingAccount {
  readonly #costs: FetchCosts;
  readonly #rate: Float64Array;
  readonly #slots: number;
  /** The credit. */
  readonly #dearest: number;
  /** What the fetches are expected to cost. */
  spent = 0;

  /** @param rate by page: changes per second; @param slots over which the sum is given out */
  constructor(costs: FetchCosts, rate: Float64Array, slots: number) {
    this.#costs = costs;
    this.#rate = rate;
    this.#slots = slots;
    this.#dearest = costs.cost.reduce((most, each, i) => Math.max(most, each + costs.ifChanged[i]), 0);
  }

  /** Whether anything may be fetched in a slot. */
  open(slot: number): boolean {
    return this.spent <= this.#saved(slot) + this.#dearest;
  }

  /** Whether a page may be fetched in a slot. */
  allows(slot: number, page: number, age: number, worthIt: boolean): boolean {
    const limit = this.#saved(slot) + (worthIt ? this.#dearest : 0);
    return this.spent + this.#costOf(page, age) <= limit * (1 + 1e-9);
  }

  /** Whether the rest of the sum is enough for a page. */
  fits(page: number, age: number): boolean {
    return this.spent + this.#costOf(page, age) <= this.#costs.spending * (1 + 1e-9);
  }

  pay(page: number, age: number): void {
    this.spent += this.#costOf(page, age);
  }

  #saved(slot: number): number {
    return (this.#costs.spending * (slot + 1)) / this.#slots;
  }

  #costOf(page: number, age: number): number {
    return expectedCost(this.#costs, page, this.#rate[page], age);
  }
}
