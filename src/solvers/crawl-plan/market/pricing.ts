/**
 * What pages take at a price, for the search of the price in steady-state.ts: of all pages, of a sample, of a host. Hosts
 * count with no more than their delay allows.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import type { PageModel } from '../rates/page-model.ts';

/** How many pages are priced between two looks at the budget. */
const pagesPerPoll = 4096;

export interface SteadyProblem {
  readonly model: PageModel;
  /** Least and longest time between two fetches of a page; Infinity for no limit. */
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Fetches a second. */
  readonly crawlRate: number;
  /** Host of each page, −1 for none; seconds between two fetches of a host. */
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
  /** Prices that are nearly those sought, where another search has found them. */
  readonly near?: NearPrices | undefined;
}

/** Of all pages, above 0, and by host: 0 for none of its own. */
export interface NearPrices {
  readonly price: number;
  readonly host: ArrayLike<number>;
}

/** What is spent at a price, in fetches a second: of all pages, of a sample, of a list. */
export class Pricing {
  readonly #problem: SteadyProblem;
  readonly #budget: Budget;
  /** What the pages of each host with a delay wanted at the last price for all. */
  readonly #byHost: Float64Array;
  /** The last price for all, and what was spent at it. */
  #lastPrice = Number.NaN;
  #lastSpent = 0;
  #sincePoll = 0;

  constructor(problem: SteadyProblem, budget: Budget) {
    this.#problem = problem;
    this.#budget = budget;
    this.#byHost = new Float64Array(problem.hostDelay.length);
  }

  intervalOf(i: number, price: number): number {
    const { model, least, longest } = this.#problem;
    if (++this.#sincePoll === pagesPerPoll) this.#poll();
    return Math.min(longest[i], Math.max(least[i], model.intervalAt(i, price, longest[i])));
  }

  /**
   * Writes every page's fetch interval, into the same list each time; hosts count with no more than their delay allows.
   */
  spendAll(price: number, fetchInterval: Float64Array): number {
    // a search ends at the price that it looked at last
    if (price === this.#lastPrice) return this.#lastSpent;
    const { host, hostDelay } = this.#problem;
    const byHost = this.#byHost.fill(0);
    this.#poll();
    let total = 0;
    for (let i = 0; i < fetchInterval.length; i++) {
      fetchInterval[i] = this.intervalOf(i, price);
      if (host[i] >= 0) byHost[host[i]] += 1 / fetchInterval[i];
      else total += 1 / fetchInterval[i];
    }
    for (const [h, wanted] of byHost.entries()) total += Math.min(wanted, 1 / hostDelay[h]);
    this.#lastPrice = price;
    this.#lastSpent = total;
    return total;
  }

  /** Estimated from every `stride`th page, whatever its host. */
  spendSample(price: number, stride: number): number {
    let total = 0;
    const { pages } = this.#problem.model;
    for (let i = 0; i < pages; i += stride) total += stride / this.intervalOf(i, price);
    return total;
  }

  /** Fetches a second of some pages at a price of their own. */
  spend(pages: readonly number[], price: number): number {
    return pages.reduce((sum, i) => sum + 1 / this.intervalOf(i, price), 0);
  }

  /** The pages of each host that wanted more fetches, at the last price for all, than its delay allows. */
  crowdedHosts(): Map<number, number[]> {
    const { host, hostDelay } = this.#problem;
    const members = new Map<number, number[]>();
    for (const [h, wanted] of this.#byHost.entries()) if (wanted * hostDelay[h] > 1 + 1e-9) members.set(h, []);
    if (members.size > 0) for (const [i, h] of host.entries()) members.get(h)?.push(i);
    return members;
  }

  #poll(): void {
    this.#sincePoll = 0;
    if (this.#budget.stopRequested()) throw new NothingToReturn('the price of a fetch was being looked for');
  }
}

/** What fetches would be worth if all pages took turns, in the mean of every `stride`th: above 0. */
export function typicalWorth({ model, crawlRate }: SteadyProblem, stride = 1): number {
  const turn = model.pages / crawlRate;
  let sum = 0;
  for (let i = 0; i < model.pages; i += stride) sum += model.worth(i, turn);
  return sum > 0 ? sum / Math.ceil(model.pages / stride) : 1;
}
