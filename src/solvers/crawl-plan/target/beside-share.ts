/**
 * The least fetches a second beside the even share, of many pages. At every price the longest wait is that of the
 * fetches at this price. What a fetch is worth to a page does not depend on it. So a price costs one pass over the
 * pages, and the longest wait some sums.
 *
 * Bound: weak duality without the even share (pages/targets), at a price that a sample relates to the one with it. The
 * dual function is flat there: what the sample leaves open costs the bound less than 1e−3.
 * Known limits: no limits of hosts, and no pages that wait for signals.
 */
import type { Budget } from '../../budget.ts';
import { meetTarget, type NearPrices, sampleOf, type TargetMet, type Wanting } from '../../pages/targets/index.ts';

/** The question as pages of no host have it. */
interface SharedTarget {
  /** At the longest intervals that the caller gives. */
  readonly free: Wanting;
  /** Fetches a second of a page at most so far apart. */
  readonly least: (page: number, wait: number) => number;
  /** The longest wait at so many fetches a second. */
  readonly waitAt: (fetches: number) => number;
  /** What a page may leave: its part of the target. */
  readonly limit: (page: number) => number;
  readonly whole: number;
  /** A price near the one sought, above 0. */
  readonly start: number;
}

export interface Shared {
  readonly met: TargetMet;
  readonly bound: number;
}

/** How near the longest wait is brought to that of the fetches, and the sample to its target. */
const close = 1e-12;
const ofSample = 1e-6;
const mostSums = 40;

/**
 * @returns null where there is no price to search for, or the longest wait does not follow from the fetches
 * @throws NothingToReturn when the budget ends first
 */
export function neededBesideShare(target: SharedTarget, budget: Budget): Shared | null {
  const { free, whole, start, limit } = target;
  const sample = sampleOf(free.pages);
  const some = {
    tolerance: ofSample,
    budget,
    hosts: null,
    whole: sample.reduce((sum, i) => sum + limit(i), 0),
  };
  const sampled = meetTarget({ ...some, wanting: among(free, sample), start });
  if (!priced(sampled)) return null;
  const sharing = new SharingPages(target, sample, (sampled.total * free.pages) / sample.length);
  const shared = meetTarget({ ...some, wanting: sharing, start: sampled.price, near: of(sampled.price) });
  if (!priced(shared)) return null;
  const all = new SharingPages(target, null, (shared.total * free.pages) / sample.length);
  const met = meetTarget({
    budget,
    hosts: null,
    whole,
    wanting: all,
    start: shared.price,
    near: of(shared.price),
  });
  if (!priced(met) || !all.consistent) return null;
  const price = met.price * (sampled.price / shared.price);
  let bound = -whole / price;
  for (let i = 0; i < free.pages; i++) {
    const fetches = free.crawlsAt(i, price);
    bound += fetches + free.leftAt(i, fetches) / price;
  }
  return { met, bound: Math.max(0, Math.min(bound, met.total)) };
}

const of = (price: number): NearPrices => ({ price, host: [] });

const priced = (found: ReturnType<typeof meetTarget>): found is TargetMet =>
  found.met && found.price > 0 && Number.isFinite(found.price);

const among = ({ crawlsAt, leftAt }: Wanting, list: Uint32Array): Wanting => ({
  pages: list.length,
  crawlsAt: (k, price) => crawlsAt(list[k], price),
  leftAt: (k, crawls) => leftAt(list[k], crawls),
});

/** Pages, all or a sample of them, none of which waits longer than the fetches of all allow. */
class SharingPages implements Wanting {
  readonly pages: number;
  /** Whether at every price the longest wait came to be that of the fetches. */
  consistent = true;
  /** That of the price that all were asked for last. */
  #wait = Number.POSITIVE_INFINITY;
  readonly #target: SharedTarget;
  readonly #list: Uint32Array | null;
  /** By page, at that price and without the even share. */
  readonly #fetches: Float64Array;
  #price = Number.NaN;
  /** Fetches a second of all pages: not of the sample alone. */
  #rate: number;

  constructor(target: SharedTarget, list: Uint32Array | null, rate: number) {
    this.#target = target;
    this.#list = list;
    this.pages = list?.length ?? target.free.pages;
    this.#fetches = new Float64Array(this.pages);
    this.#rate = rate;
  }

  allAt(price: number): void {
    const { free, least } = this.#target;
    for (let k = 0; k < this.pages; k++) this.#fetches[k] = free.crawlsAt(this.#page(k), price);
    this.#price = price;
    // Newton: pages that wait the longest are fetched in proportion to all fetches, the others not at all so
    let isThere = false;
    for (let round = 0; !isThere && round < mostSums; round++) {
      const wait = this.#target.waitAt(this.#rate);
      let rate = 0;
      let waiting = 0;
      for (let k = 0; k < this.pages; k++) {
        const own = least(this.#page(k), wait);
        if (own > this.#fetches[k]) waiting += own;
        else rate += this.#fetches[k];
      }
      const scale = free.pages / this.pages;
      const off = (rate + waiting) * scale - this.#rate;
      this.#wait = wait;
      isThere = !(Math.abs(off) > close * this.#rate);
      const steepness = this.#rate > 0 ? Math.min(0.5, (waiting * scale) / this.#rate) : 0;
      this.#rate += off / (1 - steepness);
    }
    this.consistent &&= isThere;
  }

  crawlsAt(k: number, price: number): number {
    const page = this.#page(k);
    const free = price === this.#price ? this.#fetches[k] : this.#target.free.crawlsAt(page, price);
    return Math.max(free, this.#target.least(page, this.#wait));
  }

  leftAt(k: number, crawls: number): number {
    return this.#target.free.leftAt(this.#page(k), crawls);
  }

  #page(k: number): number {
    return this.#list === null ? k : this.#list[k];
  }
}
