/**
 * What pages take at a price, for the search of the price in steady-state.ts: of all pages, of a sample, of a host. Hosts
 * count with no more than their delay allows, from the inside out.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { areNested, around, GroupPrices, type HostGroups, insideOut, outsideOf } from '../../pages/groups/index.ts';
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
  readonly hostGroups?: HostGroups | undefined;
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
  /** Hosts with a delay, each before the one it lies within; by host the next of them, itself or around it, −1: none. */
  readonly #limits: readonly number[];
  readonly #limitOf: Int32Array;
  /** The prices of hosts of which some overlap, one not within the other; null where none do. */
  readonly overlapping: GroupPrices | null;
  /** What the pages of each host with a delay wanted at the last price for all. */
  readonly #byHost: Float64Array;
  /** The last price for all, and what was spent at it. */
  #lastPrice = Number.NaN;
  #lastSpent = 0;
  #sincePoll = 0;

  constructor(problem: SteadyProblem, budget: Budget) {
    this.#problem = problem;
    this.#budget = budget;
    const { host, hostDelay, hostGroups } = problem;
    const limit = (h: number): number => around(hostGroups, h).find((g) => hostDelay[g] > 0) ?? -1;
    this.#limitOf = Int32Array.from(hostDelay, (_, h) => limit(h));
    this.#limits = insideOut(hostDelay.length, hostGroups).filter((h) => hostDelay[h] > 0);
    const rate = { of: host, limit: hostDelay.map((delay) => (delay > 0 ? 1 / delay : Number.POSITIVE_INFINITY)) };
    this.overlapping =
      hostGroups === undefined || areNested(hostGroups)
        ? null
        : new GroupPrices({ ...rate, around: hostGroups }, typicalWorth(problem));
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
    const { host, hostDelay, hostGroups } = this.#problem;
    const groups = this.overlapping;
    groups?.find((i, added) => 1 / this.intervalOf(i, price + added));
    const byHost = this.#byHost.fill(0);
    this.#poll();
    let total = 0;
    for (let i = 0; i < fetchInterval.length; i++) {
      fetchInterval[i] = this.intervalOf(i, groups === null ? price : price + groups.added(i));
      const frequency = 1 / fetchInterval[i];
      const h = host[i] < 0 || groups !== null ? -1 : this.#limitOf[host[i]];
      if (h >= 0) byHost[h] += frequency;
      else total += frequency;
    }
    for (const h of groups === null ? this.#limits : []) {
      const taken = Math.min(1 / hostDelay[h], byHost[h]);
      const next = outsideOf(hostGroups, h);
      const outer = next < 0 ? -1 : this.#limitOf[next];
      if (outer >= 0) byHost[outer] += taken;
      else total += taken;
    }
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

  /** Fetches a second of some pages at a price of their own, no less than inside. */
  spend(pages: readonly number[], inside: Float64Array, own: number): number {
    return pages.reduce((sum, i) => sum + 1 / this.intervalOf(i, Math.max(own, inside[i])), 0);
  }

  /** The pages of each host that wanted more fetches, at the last price for all, than its delay allows; inside out. */
  crowdedHosts(): Map<number, number[]> {
    const { host, hostDelay, hostGroups } = this.#problem;
    const members = new Map<number, number[]>();
    for (const h of this.#limits) if (this.#byHost[h] * hostDelay[h] > 1 + 1e-9) members.set(h, []);
    if (members.size === 0) return members;
    for (const [i, h] of host.entries()) for (const g of around(hostGroups, h)) members.get(g)?.push(i);
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
