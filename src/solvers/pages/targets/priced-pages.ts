/** What pages fetch and leave at a price, each page's own price at least that of its host. */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { clearingPrice } from '../market/index.ts';
import { type HostLimits, isPrice, type Wanting } from './problem.ts';

/** Beyond every worth, and below every price that doubles tell from none. */
export const beyondWorth = 1e300;
/** How many pages are priced between two looks at the budget. */
const pagesPerPoll = 4096;

/** What pages take at a price, and leave all together. */
export interface Taken {
  readonly price: number;
  readonly crawls: Float64Array;
  readonly left: number;
}

/** Where the search for the hosts' prices begins and ends. */
interface HostSearch {
  readonly start: number;
  /** By host, where its price is nearly known. */
  readonly near?: ArrayLike<number> | undefined;
  /** A price below all that matter: hosts without a near price that keep their limit at it have none. */
  readonly lowest?: number;
  readonly tolerance?: number;
}

export class PricedPages {
  readonly wanting: Wanting;
  /** The price below which a page's host would exceed its limit; 0 for none. */
  readonly floor: Float64Array;
  readonly #budget: Budget;
  #sincePoll = 0;

  constructor(wanting: Wanting, budget: Budget) {
    this.wanting = wanting;
    this.floor = new Float64Array(wanting.pages);
    this.#budget = budget;
  }

  /** What a page pays where all pay a price. */
  priceOf(page: number, price: number): number {
    return Math.min(beyondWorth, Math.max(this.floor[page], price));
  }

  /** Told of a price before all pages are asked for it. */
  allAt(price: number): void {
    this.wanting.allAt?.(price);
  }

  crawlsOf(page: number, price: number): number {
    this.#count();
    return this.wanting.crawlsAt(page, this.priceOf(page, price));
  }

  /** Σ of what all pages leave at a price. @param crawls filled with what each takes */
  left(price: number, crawls: Float64Array | null = null): number {
    let sum = 0;
    this.allAt(price);
    for (let i = 0; i < this.wanting.pages; i++) {
      const taken = this.crawlsOf(i, price);
      if (crawls !== null) crawls[i] = taken;
      sum += this.wanting.leftAt(i, taken);
    }
    return sum;
  }

  /** What all pages take and leave at a price. */
  take(price: number): Taken {
    const crawls = new Float64Array(this.wanting.pages);
    return { price, crawls, left: this.left(price, crawls) };
  }

  /** Σ of crawls. @param pages left out: all */
  spent(price: number, pages?: Uint32Array): number {
    let sum = 0;
    const count = pages?.length ?? this.wanting.pages;
    if (pages === undefined) this.allAt(price);
    for (let k = 0; k < count; k++) sum += this.crawlsOf(pages === undefined ? k : pages[k], price);
    return sum;
  }

  /**
   * Gives every page the price at which its host keeps its limit, as its floor: one clearing price a host.
   *
   * @returns that price by host; 0 where the limit never binds
   */
  keepHosts(hosts: HostLimits, from: HostSearch): Float64Array {
    const { of, limit } = hosts;
    const { near, lowest = 0, tolerance } = from;
    const prices = new Float64Array(limit.length);
    for (const [h, members] of membersOf(of, limit.length).entries()) {
      if (members.length === 0 || limit[h] === Number.POSITIVE_INFINITY) continue;
      const wanted = (price: number): number => this.spent(price, members);
      if (lowest > 0 && !isPrice(near?.[h]) && wanted(lowest) <= limit[h]) continue;
      const known = near?.[h];
      const start = isPrice(known) ? { start: known, near: true } : { start: from.start };
      prices[h] = clearingPrice(wanted, { ...start, supply: limit[h], ceiling: beyondWorth, tolerance }).high;
      for (const i of members) this.floor[i] = prices[h];
    }
    return prices;
  }

  #count(): void {
    if (++this.#sincePoll >= pagesPerPoll) this.#poll();
  }

  #poll(): void {
    this.#sincePoll = 0;
    if (this.#budget.stopRequested()) throw new NothingToReturn('how few crawls will do was being looked for');
  }
}

/** The pages of each host. */
function membersOf(of: Int32Array, groups: number): Uint32Array[] {
  const counts = new Uint32Array(groups);
  for (const g of of) if (g >= 0) counts[g]++;
  const members = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) members[of[i]][counts[of[i]]++] = i;
  return members;
}
