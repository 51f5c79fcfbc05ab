/**
 * What few slots allow besides exchanges, while the true cost falls. Slots that another page can make better use of go
 * to it, and crawls go to empty slots.
 *
 * Counts were made for free times, and exchanges leave them; on few slots other counts may do better. Every slot is
 * offered to every page. Where there are fewer still, any two of them exchange their pages, those of one page passing
 * each other. O(slots·(pages + slots)·crawls of a page) a pass. Stopping rule: a pass that gains next to nothing,
 * passes, or the budget.
 */
import type { Budget } from '../budget.ts';
import { minRelativeGain, type SlotPart } from './exchange-slots.ts';
import type { CrawlLimits } from './fill-slots.ts';
import type { Timetable } from './timetable.ts';

const mostPasses = 10;
/** Slots times pages for which every slot is offered to every page; beyond, transferCrawls. */
const mostOffers = 1e6;
/** Pairs of slots for which any two may exchange. */
const mostPairs = 1e5;
const fewOffers = 2500;
/** A gain that is but a rounding is none. */
const rounding = 1e-12;

/** @param cost about what the timetable costs */
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
  if (offers > mostOffers) return transferCrawls(table, part, limits, cost, budget);
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = gained;
    for (const s of slots) {
      const i = table.page[s];
      if (i < 0 || table.crawlsOf(i) <= limits.least[i]) continue;
      if (budget.stopRequested()) return { transfers, gained };
      const lost = table.savingOf(s);
      table.clear(s);
      limits.record(i, -1);
      let best = i;
      let most = lost * (1 + rounding);
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
    if (gained - before <= (offers > fewOffers ? minRelativeGain * cost : 0)) break;
  }
  return { transfers, gained };
}

/** Exchanges of any two slots, wherever their pages' other crawls lie. */
function exchangeAllPairs(table: Timetable, { slots }: SlotPart, budget: Budget): TransferResult {
  const count = slots.length;
  let transfers = 0;
  let gained = 0;
  if ((count * (count - 1)) / 2 > mostPairs) return { transfers, gained };
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

/** Exchanges the pages of two slots if that lowers the cost; what it lowers it by, or 0. */
function exchangePair(table: Timetable, s: number, other: number): number {
  const [i, j] = [table.page[s], table.page[other]];
  if (i === j || i < 0 || j < 0 || table.slotTime[s] === table.slotTime[other]) return 0;
  const lost = table.savingOf(s) + table.savingOf(other);
  table.clear(s);
  table.clear(other);
  const saved = table.insertionSaving(i, other) + table.insertionSaving(j, s);
  const better = saved > lost * (1 + rounding) && table.canAssign(i, other) && table.canAssign(j, s);
  table.assign(s, better ? j : i);
  // two pages of one host may be too near each other only now
  if (better && !table.canAssign(i, other)) {
    table.clear(s);
    table.assign(s, i);
    table.assign(other, j);
    return 0;
  }
  table.assign(other, better ? i : j);
  return better ? saved - lost : 0;
}

/** Transfers made, and what they lowered the cost by. */
export interface TransferResult {
  readonly transfers: number;
  readonly gained: number;
}

/** Stretches of a gap, as shares of its slots: the middle first. */
const stretches = [
  [0.35, 0.65],
  [0.1, 0.35],
  [0.65, 0.9],
  [0, 0.1],
  [0.9, 1],
] as const;
const pagesPerPoll = 64;
/** A gain that is but a rounding is none. */
const transferRounding = 1e-9;

/**
 * Among many slots: a page with a long gap gets a slot in it while the true cost falls. The slot is the one whose crawl
 * saves its own page least.
 *
 * A tree over the slots knows the least saving of any stretch of them. Each gap of each page offers the cheapest slots
 * of its middle and of four stretches beside it. The first question, whether the middle pays, leaves out nearly all
 * gaps. O(log slots) an offer. Stopping rule: a pass that gains next to nothing, or the budget.
 */
function transferCrawls(
  table: Timetable,
  part: SlotPart,
  limits: CrawlLimits,
  cost: number,
  budget: Budget,
): TransferResult {
  const { pages } = part;
  const tree = new LeastSavings(table, part, limits);
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

/** Gives page j the slot that pays most of those looked at; what that gains, or 0. */
function bestTransfer(table: Timetable, limits: CrawlLimits, tree: LeastSavings, j: number): number {
  let best = -1;
  let most = 0;
  let before = -1;
  let from = -1;
  for (let after = table.firstOf(j); ; after = table.nextOf(after)) {
    const to = after < 0 ? tree.slots.length : tree.rank[after];
    for (const [k, [low, high]] of stretches.entries()) {
      const width = to - from - 1;
      const first = from + 1 + Math.floor(low * width);
      const last = Math.min(to - 1, from + 1 + Math.ceil(high * width));
      if (first > last) continue;
      const slot = tree.cheapest(first, last);
      if (slot < 0) continue;
      const gain = table.savingBetween(j, before, slot, after) - tree.saving(slot);
      // a gap whose middle does not nearly pay does not pay elsewhere
      if (k === 0 && gain < -0.3 * tree.saving(slot)) break;
      if (gain > most && gain > transferRounding * tree.saving(slot)) [best, most] = [slot, gain];
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
  tree: LeastSavings,
  { slot, to }: { readonly slot: number; readonly to: number },
): boolean {
  const i = table.page[slot];
  const [before, after] = [table.previousOf(slot), table.nextOf(slot)];
  table.clear(slot);
  limits.record(i, -1);
  const goes = limits.allow(to) && table.canAssign(to, slot);
  table.assign(slot, goes ? to : i);
  limits.record(goes ? to : i, 1);
  if (!goes) {
    tree.exclude(slot);
    return false;
  }
  for (const other of [slot, before, after, table.previousOf(slot), table.nextOf(slot)])
    if (other >= 0) tree.refresh(other);
  return true;
}

/** A segment tree: the slot of least saving in any stretch of a part's slots. */
class LeastSavings {
  readonly slots: Int32Array;
  /** Of the part's slots, by position among all. */
  readonly rank: Int32Array;
  readonly #table: Timetable;
  readonly #limits: CrawlLimits;
  /** By rank. */
  readonly #saving: Float64Array;
  /** By node, the rank of least saving below it; leaves from `#leaves` on. */
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

  /** What the crawl in a slot saves its page; Infinity where it must stay. */
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

  /** A slot that no page nearby may have. */
  exclude(slot: number): void {
    this.#set(slot, Number.POSITIVE_INFINITY);
  }

  #set(slot: number, saving: number): void {
    const k = this.rank[slot];
    this.#saving[k] = saving;
    for (let node = (this.#leaves + k) >> 1; node > 0; node >>= 1) this.#combine(node);
  }

  /** The slot of least saving of ranks `first` to `last`; −1 where none of them may go. */
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
