/**
 * Improves a timetable by changes that lower its true cost.
 *
 * - Exchanges: two slots exchange their pages (one of them may be empty). Pairs are tried by their distance in time order,
 *   from far to near: a crawl that must move far does so in few steps. Pairs whose costs have nearly equal slopes gain
 *   nothing and are skipped. A crawl may not pass another one of its page, nor of its host where that has a delay. The
 *   slots of each such host come first: exchanges among them violate no delay.
 * - Transfers: every slot is offered to every page, or to a part of the pages where slots × pages are many. The
 *   allocation's counts are optimal for free times only: where pages are crawled nearly as often as there are slots,
 *   other counts are better (by some .5% of value).
 * - Shakes, where slots and pages are few: some slots go to pages at random, and the timetable to which the search then
 *   descends is kept if it costs less.
 *
 * Complexity of a pass: exchanges O(slots·log slots), transfers O(offers·crawls of a page). Stopping rule: a pass that
 * gains next to nothing, or the budget.
 */
import type { Budget } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import type { CrawlLimits } from './crawl-limits.ts';
import type { Timetable } from './timetable.ts';

/** Relative gain in cost below which no further pass is made: passes that gain less take most of the time. */
const minRelativeGain = 2e-4;
/**
 * Difference of slopes a slot, relative to the mean weight, below which a pair is skipped. Without it 100,000 pages
 * take 2.8 times as long for .06% of value.
 */
const equalSlopes = 4e-8;
/**
 * Slots × pages offered in a pass of transfers at most, to bound its time: above this a slot is offered to a part of
 * the pages.
 */
const maxOffers = 1e6;
/**
 * Slots × pages up to which the timetable is shaken. Without shakes the value is .025% worse in the mean, 1.8% at
 * worst.
 */
const maxShaken = 3e4;
/** Number of shakes. */
const shakeCount = 30;
/** Relative gain below which a change is rounding error. */
const roundoff = 1e-12;

interface ImproveOptions {
  readonly limits: CrawlLimits;
  /** Crawls without a slot. */
  readonly openCrawls: number;
  /** Weight w_i, by page. */
  readonly weight: Float64Array;
  /** Approximate cost of the timetable, against which gains are measured. */
  readonly cost: number;
}

/** Improves a timetable in place, and gives its free slots to crawls that have none. */
export function improveSlots(table: Timetable, options: ImproveOptions, budget: Budget) {
  const search = new LocalSearch(table, options, budget);
  search.descend();
  if (table.page.length * options.weight.length <= maxShaken) search.shake();
  return { exchanges: search.changes, unplacedCrawls: search.openCrawls, isStopped: budget.stopRequested() };
}

class LocalSearch {
  /** Number of changes that lowered the cost. */
  changes = 0;
  /** Crawls without a slot. */
  openCrawls: number;
  readonly #table: Timetable;
  readonly #options: ImproveOptions;
  readonly #budget: Budget;
  /** Positions of all slots, in time order. */
  readonly #allSlots: Int32Array;
  /** Cost saved in the present round. */
  #roundGain = 0;

  constructor(table: Timetable, options: ImproveOptions, budget: Budget) {
    this.#table = table;
    this.#options = options;
    this.#budget = budget;
    this.openCrawls = options.openCrawls;
    this.#allSlots = Int32Array.from(table.page.keys());
  }

  /** Rounds of exchanges and transfers until a round gains next to nothing. @returns the total cost saved */
  descend(): number {
    const offers = this.#table.page.length * this.#options.weight.length;
    let total = 0;
    for (let round = 0; !this.#budget.stopRequested(); round++) {
      this.#roundGain = 0;
      for (const own of this.#table.slotsByHost()) this.#exchange(own);
      this.#exchange(this.#allSlots);
      this.#transfer(Math.ceil(offers / maxOffers), round);
      total += this.#roundGain;
      if (this.#roundGain <= (offers <= maxShaken ? 0 : minRelativeGain * this.#options.cost)) break;
    }
    return total;
  }

  /** Gives slots to pages at random and descends from there. A shake that ends at a higher cost is undone. */
  shake(): void {
    const random = seededRandom(this.#budget.seed);
    const pages = this.#options.weight.length;
    const slots = this.#table.page.length;
    const pick = (count: number): number => Math.floor(count * random());
    for (let k = 0; k < shakeCount && !this.#budget.stopRequested(); k++) {
      const previousPages = this.#table.page.slice();
      let gain = 0;
      for (let change = 0; change < 1 + (k % 3); change++) gain += this.#give(pick(slots), pick(pages));
      gain += this.descend();
      if (gain < roundoff * this.#options.cost) this.#restore(previousPages);
    }
  }

  /** Gives a slot to a page if limits and delays allow it. @returns the cost saved, which may be negative */
  #give(s: number, j: number): number {
    const table = this.#table;
    const { limits } = this.#options;
    const i = table.page[s];
    if (i < 0 || i === j || table.crawlsOf(i) <= limits.minimum[i]) return 0;
    const loss = table.savingOf(s);
    this.#clear(s);
    const isAllowed = limits.allow(j) && table.canAssign(j, s);
    const saving = isAllowed ? table.insertionSaving(j, s) : loss;
    this.#assign(s, isAllowed ? j : i);
    return saving - loss;
  }

  #restore(page: Int32Array): void {
    for (let s = 0; s < page.length; s++) {
      if (this.#table.page[s] >= 0 && this.#table.page[s] !== page[s]) this.#clear(s);
    }
    for (let s = 0; s < page.length; s++) if (page[s] >= 0 && this.#table.page[s] < 0) this.#assign(s, page[s]);
  }

  #clear(s: number): void {
    this.#options.limits.record(this.#table.page[s], -1);
    this.#table.clear(s);
  }

  #assign(s: number, i: number): void {
    this.#table.assign(s, i);
    this.#options.limits.record(i, 1);
  }

  #count(gain: number): void {
    if (gain === 0) return;
    this.changes++;
    this.#roundGain += gain;
  }

  /** Exchanges among these slots, which are in time order. */
  #exchange(slots: ArrayLike<number>): void {
    const { weight, cost } = this.#options;
    const count = slots.length;
    const equal = (equalSlopes * count * weight.reduce((sum, w) => sum + w, 0)) / weight.length;
    for (;;) {
      const previousGain = this.#roundGain;
      for (let distance = count - 1; distance > 0; distance = distance > 3 ? Math.ceil(distance / 2) : distance - 1) {
        if (this.#budget.stopRequested()) return;
        for (let s = 0; s + distance < count; s++) {
          this.#count(this.#table.exchange(slots[s], slots[s + distance], equal));
        }
      }
      if (this.#roundGain - previousGain <= minRelativeGain * cost) return;
    }
  }

  /**
   * Offers every slot to every `stride`-th page, to another part of the pages in each round. Free slots are offered
   * only while crawls have none.
   */
  #transfer(stride: number, round: number): void {
    const table = this.#table;
    const { limits, weight } = this.#options;
    for (let s = 0; s < table.page.length; s++) {
      const i = table.page[s];
      if (i < 0 ? this.openCrawls === 0 : table.crawlsOf(i) <= limits.minimum[i]) continue;
      if (this.#budget.stopRequested()) return;
      const loss = i < 0 ? 0 : table.savingOf(s);
      if (i >= 0) limits.record(i, -1);
      let best = i;
      let bestSaving = i < 0 ? -1 : loss * (1 + roundoff);
      for (let j = (s + round) % stride; j < weight.length; j += stride) {
        if (j === i || !limits.allow(j)) continue;
        const saving = table.insertionSaving(j, s);
        if (!(saving > bestSaving)) continue;
        if (table.page[s] >= 0) table.clear(s);
        if (table.canAssign(j, s)) [best, bestSaving] = [j, saving];
      }
      if (best < 0) continue;
      if (table.page[s] < 0) table.assign(s, best);
      limits.record(best, 1);
      if (i < 0) this.openCrawls--;
      if (best !== i) this.#count(bestSaving - loss);
    }
  }
}
