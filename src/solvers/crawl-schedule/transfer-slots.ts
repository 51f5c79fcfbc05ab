/**
 * Transfers slots to pages that save more in them, while the true cost falls.
 *
 * The counts are optimal for free times, and exchanges do not change them; on few slots other counts may be better. Every
 * slot is offered to every page. With fewer slots still, any two exchange their pages, even past other crawls of these. O(slots·(pages + slots)·crawls of a page) a pass. Stopping rule: a pass that gains next to nothing,
 * passes, or the budget.
 */
import type { Budget } from '../budget.ts';
import { minRelativeGain, type SlotPart } from './exchange-slots.ts';
import type { CrawlLimits } from './fill-slots.ts';
import type { Timetable } from './timetable.ts';

/** Passes over the slots at most. */
const maxPasses = 10;
/** Slots × pages up to which every slot is offered to every page; beyond, `transferCrawls`. */
const maxOffers = 1e6;
/** Pairs of slots up to which all pairs are tried. */
const maxPairs = 1e5;
/** Slots × pages up to which passes go on until nothing is gained. */
const maxExhaustiveOffers = 2500;
/** Relative gain below which an exchange is rounding error. */
const roundoff = 1e-12;

/** @param cost approximate cost of the timetable */
export function transferSlots(
  table: Timetable,
  part: SlotPart,
  limits: CrawlLimits,
  cost: number,
  budget: Budget,
): TransferResult {
  const { slots, pages } = part;
  const offers = pages.length * slots.length;
  let transfers = 0;
  let gained = 0;
  if (offers > maxOffers) return transferCrawls(table, part, limits, cost, budget);
  for (let pass = 0; pass < maxPasses; pass++) {
    const before = gained;
    for (const s of slots) {
      const i = table.page[s];
      if (i < 0 || table.crawlsOf(i) <= limits.least[i]) continue;
      if (budget.stopRequested()) return { transfers, gained };
      const lost = table.savingOf(s);
      table.clear(s);
      limits.record(i, -1);
      let best = i;
      let most = lost * (1 + roundoff);
      for (const j of pages) {
        if (j === i || !limits.allow(j)) continue;
        const saved = table.insertionSaving(j, s);
        if (saved > most && table.canAssign(j, s)) {
          most = saved;
          best = j;
        }
      }
      table.assign(s, best);
      limits.record(best, 1);
      if (best === i) continue;
      transfers++;
      gained += most - lost;
    }
    const exchanged = exchangeAllPairs(table, part, budget);
    transfers += exchanged.transfers;
    gained += exchanged.gained;
    if (gained - before <= (offers > maxExhaustiveOffers ? minRelativeGain * cost : 0)) break;
  }
  return { transfers, gained };
}

/** Tries all pairs of slots, wherever the other crawls of their pages lie. */
function exchangeAllPairs(table: Timetable, { slots }: SlotPart, budget: Budget): TransferResult {
  const count = slots.length;
  let transfers = 0;
  let gained = 0;
  if ((count * (count - 1)) / 2 > maxPairs) return { transfers, gained };
  for (let s = 0; s < count; s++) {
    if (budget.stopRequested()) break;
    for (let other = s + 1; other < count; other++) {
      const gain = exchangePair(table, slots[s], slots[other]);
      if (gain === 0) continue;
      transfers++;
      gained += gain;
    }
  }
  return { transfers, gained };
}

/** Exchanges the pages of two slots if that lowers the cost; returns the gain, or 0. */
function exchangePair(table: Timetable, s: number, other: number): number {
  const [i, j] = [table.page[s], table.page[other]];
  if (i === j || i < 0 || j < 0 || table.slotTime[s] === table.slotTime[other]) return 0;
  const lost = table.savingOf(s) + table.savingOf(other);
  table.clear(s);
  table.clear(other);
  const saved = table.insertionSaving(i, other) + table.insertionSaving(j, s);
  const better = saved > lost * (1 + roundoff) && table.canAssign(i, other) && table.canAssign(j, s);
  table.assign(s, better ? j : i);
  // two pages of one host may violate its delay only once both are moved: undo
  if (better && !table.canAssign(i, other)) {
    table.clear(s);
    table.assign(s, i);
    table.assign(other, j);
    return 0;
  }
  table.assign(other, better ? i : j);
  return better ? saved - lost : 0;
}

/** Transfers made, and their gain in cost. */
interface TransferResult {
  readonly transfers: number;
  readonly gained: number;
}

/** Sections of a gap searched for a slot, as fractions of its slots: the middle first. */
const gapSections = [
  [0.35, 0.65],
  [0.1, 0.35],
  [0.65, 0.9],
  [0, 0.1],
  [0.9, 1],
] as const;
/** Pages between two polls of the budget. */
const pagesPerPoll = 64;
/** Gain of a transfer below which it is rounding error, relative to the saving given up. */
const minTransferGain = 1e-9;
/** Loss in the middle of a gap beyond which its other sections are skipped, relative to the saving given up. */
const maxMiddleLoss = 0.3;

/**
 * Transfers among many slots: a page with a long gap takes over a slot in it while the true cost falls, the one whose crawl
 * saves its own page least.
 *
 * A segment tree finds the slot of least saving in any range. For each gap of each page the cheapest slots of its middle
 * and of four other sections are tried; testing the middle first rules out nearly all gaps. O(log slots) an offer. Stopping rule: a pass that gains next to nothing, or the budget.
 */
function transferCrawls(
  table: Timetable,
  part: SlotPart,
  limits: CrawlLimits,
  cost: number,
  budget: Budget,
): TransferResult {
  const { pages } = part;
  const tree = new SavingTree(table, part, limits);
  let transfers = 0;
  let gained = 0;
  for (;;) {
    const before = gained;
    for (const [k, j] of pages.entries()) {
      if (k % pagesPerPoll === 0 && budget.stopRequested()) return { transfers, gained };
      if (!limits.allow(j)) continue;
      for (let gain = bestTransfer(table, limits, tree, j); gain > 0; gain = bestTransfer(table, limits, tree, j)) {
        transfers++;
        gained += gain;
        if (!limits.allow(j)) break;
      }
    }
    if (gained - before <= minRelativeGain * cost) return { transfers, gained };
  }
}

/** Transfers the best slot found to page j; returns the gain, or 0. */
function bestTransfer(table: Timetable, limits: CrawlLimits, tree: SavingTree, j: number): number {
  let best = -1;
  let most = 0;
  let before = -1;
  let from = -1;
  for (let after = table.firstOf(j); ; after = table.nextOf(after)) {
    const to = after < 0 ? tree.slots.length : tree.rank[after];
    for (const [k, [low, high]] of gapSections.entries()) {
      const width = to - from - 1;
      const first = from + 1 + Math.floor(low * width);
      const last = Math.min(to - 1, from + 1 + Math.ceil(high * width));
      if (first > last) continue;
      const slot = tree.cheapest(first, last);
      if (slot < 0) continue;
      const gain = table.savingBetween(j, before, slot, after) - tree.saving(slot);
      // where the middle of a gap is far from paying, the rest of it does not pay either
      if (k === 0 && gain < -maxMiddleLoss * tree.saving(slot)) break;
      if (gain > most && gain > minTransferGain * tree.saving(slot)) [best, most] = [slot, gain];
    }
    if (after < 0) break;
    before = after;
    from = to;
  }
  return best >= 0 && transferSlot(table, limits, tree, { slot: best, to: j }) ? most : 0;
}

function transferSlot(
  table: Timetable,
  limits: CrawlLimits,
  tree: SavingTree,
  { slot, to }: { readonly slot: number; readonly to: number },
): boolean {
  const i = table.page[slot];
  const [before, after] = [table.previousOf(slot), table.nextOf(slot)];
  table.clear(slot);
  limits.record(i, -1);
  const isAllowed = limits.allow(to) && table.canAssign(to, slot);
  table.assign(slot, isAllowed ? to : i);
  limits.record(isAllowed ? to : i, 1);
  if (!isAllowed) {
    tree.exclude(slot);
    return false;
  }
  for (const other of [slot, before, after, table.previousOf(slot), table.nextOf(slot)])
    if (other >= 0) tree.refresh(other);
  return true;
}

/** Segment tree over the slots of a part: the slot of least saving in any range. */
class SavingTree {
  readonly slots: Int32Array;
  /** Position of each slot within the part. */
  readonly rank: Int32Array;
  readonly #table: Timetable;
  readonly #limits: CrawlLimits;
  /** By rank. */
  readonly #saving: Float64Array;
  /** By node: the rank of least saving below it; leaves start at `#leaves`. */
  readonly #least: Int32Array;
  readonly #leaves: number;

  constructor(table: Timetable, { slots }: SlotPart, limits: CrawlLimits) {
    this.#table = table;
    this.#limits = limits;
    this.slots = slots;
    this.rank = new Int32Array(table.page.length);
    const count = slots.length;
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
    this.#saving = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
    this.#least = new Int32Array(2 * this.#leaves).fill(count);
    for (const [k, s] of slots.entries()) {
      this.rank[s] = k;
      this.#saving[k] = this.#savingOf(s);
      this.#least[this.#leaves + k] = k;
    }
    for (let node = this.#leaves - 1; node > 0; node--) this.#combine(node);
  }

  /** Saving of the crawl in a slot; Infinity where it cannot be given up. */
  saving(slot: number): number {
    return this.#saving[this.rank[slot]];
  }

  #savingOf(slot: number): number {
    const table = this.#table;
    const i = table.page[slot];
    if (i < 0 || table.crawlsOf(i) <= this.#limits.least[i]) return Number.POSITIVE_INFINITY;
    return table.savingOf(slot);
  }

  #combine(node: number): void {
    const least = this.#least;
    const [a, b] = [least[2 * node], least[2 * node + 1]];
    least[node] = this.#saving[b] < this.#saving[a] ? b : a;
  }

  refresh(slot: number): void {
    this.#set(slot, this.#savingOf(slot));
  }

  /** Excludes a slot that the limits or delays did not let a page take. */
  exclude(slot: number): void {
    this.#set(slot, Number.POSITIVE_INFINITY);
  }

  #set(slot: number, saving: number): void {
    const k = this.rank[slot];
    this.#saving[k] = saving;
    for (let node = (this.#leaves + k) >> 1; node > 0; node >>= 1) this.#combine(node);
  }

  /** The slot of least saving in ranks `first` to `last`; −1 where none can be given up. */
  cheapest(first: number, last: number): number {
    const saving = this.#saving;
    let best = saving.length - 1;
    for (let low = this.#leaves + first, high = this.#leaves + last + 1; low < high; low >>= 1, high >>= 1) {
      if (low & 1) {
        const k = this.#least[low++];
        if (saving[k] < saving[best]) best = k;
      }
      if (high & 1) {
        const k = this.#least[--high];
        if (saving[k] < saving[best]) best = k;
      }
    }
    return saving[best] < Number.POSITIVE_INFINITY ? this.slots[best] : -1;
  }
}
