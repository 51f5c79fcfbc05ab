/**
 * Improves a timetable by changes that lower its true cost.
 *
 * - Exchanges: two slots exchange their pages (one of them may be empty). Pairs are tried by their distance in time order,
 *   from far to near: a crawl that must move far does so in few steps. Pairs whose costs have nearly equal slopes gain
 *   nothing and are skipped. A crawl may not pass another one of its page, nor of its host where that has a delay. The
 *   slots of each such host come first: exchanges among them violate no delay.
 * - Transfers: every slot is offered to every page, or to a part of the pages where slots × pages are many. The counts are
 *   optimal for free times; with pages crawled nearly as often as there are slots other counts are better (some .5% of
 *   value).
 * - Pairs, where slots are few: any two exchange, even past other crawls of their pages.
 * - Shakes, where both are very few: some slots go to pages at random, and what follows is kept where it costs less.
 *
 * Complexity of a pass: exchanges O(slots·log slots), transfers O(offers·crawls of a page), pairs O(slots²·crawls of a
 * page). Stopping rule: a pass that gains next to nothing, or the budget.
 */
import type { Budget } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import type { CrawlLimits } from './crawl-limits.ts';
import type { Timetable } from './timetable.ts';

/** Relative gain in cost below which no further pass is made. */
const minRelativeGain = 2e-4;
/** Farthest exchange as a fraction of the slots, and in slots at least. */
const reach = { fraction: 1 / 50, least: 100 };
/** Difference of slopes below which a pair is skipped, relative to the mean weight: per slot, and at most. */
const equalSlopes = { perSlot: 4e-8, atMost: 0.02 };
/** Slots × pages offered in a pass of transfers, and up to which the timetable is shaken (up to 1.8% of value). */
const maxOffers = { transfers: 1e6, shakes: 1e4 };
/** Pairs of slots up to which all pairs are tried (up to .5% of value). */
const maxPairs = 1e5;
/** Rounds of exchanges, transfers and pairs at most; and of shakes. */
const maxRounds = 10;
const shakes = 30;
/** Relative gain below which a change is rounding error. */
const roundoff = 1e-12;
/** Slots between two polls of the budget. */
const slotsPerPoll = 1024;

interface ImproveOptions {
  readonly limits: CrawlLimits;
  /** By page. */
  readonly weight: Float64Array;
  /** Approximate cost of the timetable, against which gains are measured. */
  readonly cost: number;
}

/** Improves a timetable in place. */
export function improveSlots(table: Timetable, options: ImproveOptions, budget: Budget) {
  const search = new LocalSearch(table, options, budget);
  search.descend();
  if (table.page.length * options.weight.length <= maxOffers.shakes) search.shake();
  return { exchanges: search.changes, stopped: budget.stopRequested() };
}

class LocalSearch {
  /** Changes made. */
  changes = 0;
  readonly #table: Timetable;
  readonly #options: ImproveOptions;
  readonly #budget: Budget;
  /** All slots. */
  readonly #whole: Int32Array;
  /** Gain of the present round. */
  #gained = 0;

  constructor(table: Timetable, options: ImproveOptions, budget: Budget) {
    this.#table = table;
    this.#options = options;
    this.#budget = budget;
    this.#whole = Int32Array.from(table.page.keys());
  }

  /** @returns the total cost saved */
  descend(): number {
    const slots = this.#table.page.length;
    const offers = slots * this.#options.weight.length;
    const least = offers <= maxOffers.shakes ? 0 : minRelativeGain * this.#options.cost;
    let total = 0;
    for (let round = 0; round < maxRounds && !this.#budget.stopRequested(); round++) {
      this.#gained = 0;
      for (const own of this.#table.slotsByHost()) this.#exchange(own);
      this.#exchange(this.#whole);
      this.#transfer(Math.ceil(offers / maxOffers.transfers), round);
      if ((slots * (slots - 1)) / 2 <= maxPairs) this.#exchangeAnyPair();
      total += this.#gained;
      if (this.#gained <= least) break;
    }
    return total;
  }

  /** Gives slots to pages at random and descends from there; undone where that costs more. */
  shake(): void {
    const random = seededRandom(this.#budget.seed);
    const pages = this.#options.weight.length;
    const slots = this.#table.page.length;
    const pick = (count: number): number => Math.floor(count * random());
    for (let k = 0; k < shakes && !this.#budget.stopRequested(); k++) {
      const before = this.#table.page.slice();
      let gained = 0;
      for (let change = 0; change < 1 + (k % 3); change++) gained += this.#give(pick(slots), pick(pages));
      gained += this.descend();
      if (gained < roundoff * this.#options.cost) this.#restore(before);
    }
  }

  /** Gives a slot to a page if limits and delays allow it. @returns the gain, which may be negative */
  #give(s: number, j: number): number {
    const table = this.#table;
    const { limits } = this.#options;
    const i = table.page[s];
    if (i < 0 || i === j || table.crawlsOf(i) <= limits.minimum[i]) return 0;
    const lost = table.savingOf(s);
    this.#clear(s);
    const isAllowed = limits.allow(j) && table.canAssign(j, s);
    const saved = isAllowed ? table.insertionSaving(j, s) : lost;
    this.#assign(s, isAllowed ? j : i);
    return saved - lost;
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
    this.#gained += gain;
  }

  /** Exchanges among these slots, which are in time order. */
  #exchange(slots: ArrayLike<number>): void {
    const { weight, cost } = this.#options;
    const table = this.#table;
    const count = slots.length;
    const mean = weight.reduce((sum, w) => sum + w, 0) / weight.length;
    const equal = mean * Math.min(equalSlopes.atMost, equalSlopes.perSlot * count);
    const farthest = Math.min(count - 1, Math.max(Math.ceil(reach.fraction * count), reach.least));
    for (;;) {
      const before = this.#gained;
      for (let distance = farthest; distance > 0; distance = distance > 3 ? Math.ceil(distance / 2) : distance - 1) {
        for (let s = 0; s + distance < count; s++) {
          if (s % slotsPerPoll === 0 && this.#budget.stopRequested()) return;
          this.#count(table.exchange(slots[s], slots[s + distance], equal));
        }
      }
      if (this.#gained - before <= minRelativeGain * cost) return;
    }
  }

  /** Offers every slot to every `stride`-th page, to others in each round. */
  #transfer(stride: number, round: number): void {
    const table = this.#table;
    const { limits, weight } = this.#options;
    for (let s = 0; s < table.page.length; s++) {
      const i = table.page[s];
      if (i < 0 || table.crawlsOf(i) <= limits.minimum[i]) continue;
      if (this.#budget.stopRequested()) return;
      const lost = table.savingOf(s);
      this.#clear(s);
      let best = i;
      let most = lost * (1 + roundoff);
      for (let j = (s + round) % stride; j < weight.length; j += stride) {
        if (j === i || !limits.allow(j)) continue;
        const saved = table.insertionSaving(j, s);
        if (saved > most && table.canAssign(j, s)) [best, most] = [j, saved];
      }
      this.#assign(s, best);
      if (best !== i) this.#count(most - lost);
    }
  }

  #exchangeAnyPair(): void {
    const { page } = this.#table;
    for (let s = 0; s < page.length && !this.#budget.stopRequested(); s++) {
      for (let other = s + 1; other < page.length; other++) this.#count(exchangePair(this.#table, s, other));
    }
  }
}

/** Exchanges the pages of two slots, wherever their other crawls lie, if that lowers the cost; returns the gain, or 0. */
function exchangePair(table: Timetable, s: number, other: number): number {
  const [i, j] = [table.page[s], table.page[other]];
  if (i === j || table.slotTime[s] === table.slotTime[other]) return 0;
  const saving = (page: number, slot: number): number => (page < 0 ? 0 : table.insertionSaving(page, slot));
  const lost = (i < 0 ? 0 : table.savingOf(s)) + (j < 0 ? 0 : table.savingOf(other));
  if (i >= 0) table.clear(s);
  if (j >= 0) table.clear(other);
  const saved = saving(i, other) + saving(j, s);
  if (saved > lost * (1 + roundoff) && (j < 0 || table.canAssign(j, s))) {
    if (j >= 0) table.assign(s, j);
    // two pages of one host may violate its delay only once both are moved
    if (i < 0 || table.canAssign(i, other)) {
      if (i >= 0) table.assign(other, i);
      return saved - lost;
    }
    if (j >= 0) table.clear(s);
  }
  if (i >= 0) table.assign(s, i);
  if (j >= 0) table.assign(other, j);
  return 0;
}
