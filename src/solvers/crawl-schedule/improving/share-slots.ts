/**
 * Two pages share the slots that they have together anew, at the least cost of all ways to do so.
 *
 * Exchanges and transfers change one or two slots; where slots are few and one page has many of them, many have to
 * change at once. Of the slots u_1 < … < u_m of both, each goes to one page or the other. The state after u_k is who
 * has it, and the last slot of the other page. A page that keeps on adds the same gap to all states, so that only the m
 * changes from one to the other are searched. That is min over o of value(o) + gap(o, k), where with convex gaps an o
 * that is behind a later one stays behind. O(m²) a pair, mostly O(m·gap). Stopping rule: no pair of which a page has
 * changed gains, the work, or the budget.
 */
import type { Budget } from '../../budget.ts';
import type { CrawlLimits } from '../placing/crawl-limits.ts';
import type { Timetable } from '../table/timetable.ts';
import type { Part } from './part.ts';

/** Gaps looked at, at most, by a part's share of all pages. */
const mostLooks = 3e7;
/** Pairs of pages, at most. */
const mostPairs = 5e4;
/** Of two pages: what fewer slots allow, exchanges and transfers find. */
const fewestSlots = 3;
/** A gain that is but a rounding is none. */
const rounding = 1e-12;

/** What sharing lowered the cost by, and how many pairs did. */
export interface Shared {
  readonly pairs: number;
  readonly gained: number;
}

export function shareSlots(table: Timetable, part: Part, limits: CrawlLimits, budget: Budget): Shared {
  const pages = part.pages.length;
  let [pairs, gained] = [0, 0];
  if ((pages * (pages - 1)) / 2 > mostPairs) return { pairs, gained };
  const sharing = new Sharing(table);
  // when a page's slots, and a pair, were last changed or looked at
  const changed = new Int32Array(pages);
  const looked = new Int32Array(pages * pages).fill(-1);
  let clock = 0;
  for (let before = -1; before < gained; ) {
    before = gained;
    for (let ahead = 1; ahead < pages; ahead++) {
      for (let a = 0; a + ahead < pages; a++) {
        const b = a + ahead;
        if (looked[a * pages + b] >= Math.max(changed[a], changed[b])) continue;
        const [i, j] = [part.pages[a], part.pages[b]];
        if (table.crawlsOf(i) + table.crawlsOf(j) < fewestSlots || !table.mayShare(i, j)) continue;
        if (sharing.looks > part.share * mostLooks || budget.stopRequested()) return { pairs, gained };
        const gain = sharing.best(i, j);
        looked[a * pages + b] = clock;
        if (gain === 0 || !sharing.take(i, j, limits)) continue;
        pairs++;
        gained += gain;
        clock++;
        changed[a] = clock;
        changed[b] = clock;
        looked[a * pages + b] = clock;
      }
    }
  }
  return { pairs, gained };
}

/** The slots of two pages, by position from 1; 0 is the start, the next after the last is the end. */
class Sharing {
  readonly #table: Timetable;
  #slots: number[] = [];
  /** Which of the two has each slot now, and in the best way. */
  #held: number[] = [];
  #wanted: number[] = [];
  looks = 0;

  constructor(table: Timetable) {
    this.#table = table;
  }

  /** What the best way to share gains, or 0. */
  best(i: number, j: number): number {
    const now = this.#gather(i, j);
    const last = this.#slots.length;
    if (last === 0) return 0;
    const first = new Changes(this.#gapsOf(i));
    const second = new Changes(this.#gapsOf(j));
    first.begin(second.gap(0, 1));
    second.begin(first.gap(0, 1));
    // `first` holds the ways in which j has slot k, by the last slot of i, and `second` those in which i has it
    for (let k = 1; k <= last; k++) {
      if (k === last) break;
      const toFirst = first.change(k + 1);
      const toSecond = second.change(k + 1);
      first.keep(second.gap(k, k + 1));
      second.keep(first.gap(k, k + 1));
      second.add(k, toFirst);
      first.add(k, toSecond);
    }
    const endFirst = first.change(last + 1) + second.gap(last, last + 1);
    const endSecond = second.change(last + 1) + first.gap(last, last + 1);
    this.looks += first.looks + second.looks;
    const gain = now - Math.min(endFirst, endSecond);
    if (!(gain > rounding * now)) return 0;
    this.#trace(first, second, endFirst <= endSecond);
    return gain;
  }

  /** Gives the slots as found; false, and nothing changed, where a page may not have as many or as few. */
  take(i: number, j: number, limits: CrawlLimits): boolean {
    const pages = [i, j];
    const least = pages.every((page, who) => this.#wanted.filter((each) => each === who).length >= limits.least[page]);
    if (!least) return false;
    const moved = [...this.#slots.keys()].filter((k) => this.#held[k] !== this.#wanted[k]);
    const set = (k: number, who: number): void => {
      this.#table.give(this.#slots[k], pages[who]);
      limits.changed(pages[who], 1);
    };
    const unset = (k: number): void => {
      limits.changed(this.#table.page[this.#slots[k]], -1);
      this.#table.take(this.#slots[k]);
    };
    for (const k of moved) unset(k);
    for (const [n, k] of moved.entries()) {
      if (limits.allow(pages[this.#wanted[k]])) {
        set(k, this.#wanted[k]);
        continue;
      }
      for (const done of moved.slice(0, n)) unset(done);
      for (const each of moved) set(each, this.#held[each]);
      return false;
    }
    return true;
  }

  /** What both cost now. */
  #gather(i: number, j: number): number {
    const table = this.#table;
    this.#slots = [];
    this.#held = [];
    let now = 0;
    let [a, b] = [table.firstOf(i), table.firstOf(j)];
    let [lastA, lastB] = [-1, -1];
    while (a >= 0 || b >= 0) {
      const isFirst = b < 0 || (a >= 0 && a < b);
      this.#slots.push(isFirst ? a : b);
      this.#held.push(isFirst ? 0 : 1);
      if (isFirst) {
        now += table.gapCost(i, lastA, a);
        [lastA, a] = [a, table.nextOf(a)];
      } else {
        now += table.gapCost(j, lastB, b);
        [lastB, b] = [b, table.nextOf(b)];
      }
    }
    return now + table.gapCost(i, lastA, -1) + table.gapCost(j, lastB, -1);
  }

  #gapsOf(page: number): PageGaps {
    const table = this.#table;
    const slots = this.#slots;
    return {
      convex: table.isConvex(page),
      gap: (from, to) => table.gapCost(page, from === 0 ? -1 : slots[from - 1], to > slots.length ? -1 : slots[to - 1]),
    };
  }

  /** Who has which slot, from the end. */
  #trace(first: Changes, second: Changes, secondHasLast: boolean): void {
    const last = this.#slots.length;
    this.#wanted = new Array<number>(last);
    // the page whose turn it is has all slots down to the last one of the other
    let who = secondHasLast ? 1 : 0;
    for (let k = last; k > 0; ) {
      const other = (who === 1 ? first : second).lastBefore(k + 1);
      for (let at = k; at > other; at--) this.#wanted[at - 1] = who;
      k = other;
      who = 1 - who;
    }
  }
}

interface PageGaps {
  readonly gap: (from: number, to: number) => number;
  readonly convex: boolean;
}

/** Ways in which a page waits while the other has the slots, by its own last slot. */
class Changes {
  readonly gap: PageGaps['gap'];
  readonly #convex: boolean;
  readonly #slot: number[] = [];
  readonly #value: number[] = [];
  /** By the slot with which the page comes back: its last before. */
  readonly #last: number[] = [];
  /** Added to all values since. */
  #kept = 0;
  #from = 0;
  looks = 0;

  constructor({ gap, convex }: PageGaps) {
    this.gap = gap;
    this.#convex = convex;
  }

  begin(value: number): void {
    this.add(0, value);
  }

  add(slot: number, value: number): void {
    this.#slot.push(slot);
    this.#value.push(value - this.#kept);
  }

  /** The other page goes on. */
  keep(gap: number): void {
    this.#kept += gap;
  }

  /** The least cost when the page takes a slot again. */
  change(to: number): number {
    let best = this.#from;
    let least = Number.POSITIVE_INFINITY;
    for (let k = this.#from; k < this.#slot.length; k++) {
      const cost = this.#value[k] + this.gap(this.#slot[k], to);
      if (cost < least) [best, least] = [k, cost];
    }
    this.looks += this.#slot.length - this.#from;
    if (this.#convex) this.#from = best;
    this.#last[to] = this.#slot[best];
    return least + this.#kept;
  }

  lastBefore(to: number): number {
    return this.#last[to];
  }
}
