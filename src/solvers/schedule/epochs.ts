/**
 * The index rule by epochs, for many pages and slots: worth is compared at the middle of an epoch of slots.
 *
 * Epochs are short compared with every page's interval, so that a page takes at most one slot in each. An epoch looks only at
 * the pool: the pages whose worth has come near the price. A page enters the pool when its worth reaches the entry price,
 * its minimum interval is over, or its cap is reached. When that will be is known the moment it is fetched (one
 * inversion), so that an epoch costs its pool and not all pages. The entry price follows what slots go for; where the
 * pool is too small for an epoch's slots it falls. Before all others come pages held to a deadline when their slot is up
 * (reserved-slots.ts), then pages past their cap. Pages of the pool that may not be fetched yet wait (waiting-pages.ts),
 * and slots before the first of these may be fetched are passed over.
 * A fixed price in place of the order lets the price swing after a synchronised start, and does worse.
 * Complexity: crawls × one inversion + epochs × pool; the pool is some 20% of the pages at most. Stopped early, the
 * remaining slots stay empty.
 */
import { type Budget, stopCheck } from '../budget.ts';
import { KeyedHeap } from '../numerics/collections/keyed-heap.ts';
import {
  deadlineAfter,
  excludedKey,
  type IndexSchedule,
  keyOf,
  keyOfWorth,
  type ScheduleProblem,
  urgentKey,
} from './problem.ts';
import { ReservedSlots } from './reserved-slots.ts';
import { WaitingPages } from './waiting-pages.ts';

/**
 * Range of the number of epochs. Without the lower end: +.13% on 100,000 pages with half as many crawls. More than
 * `maxEpochs` while pages × epochs stay within `evaluationsPerSlot` per slot: a page takes one slot of an epoch at most.
 */
const [minEpochs, maxEpochs, evaluationsPerSlot] = [64, 4000, 4];
/** A pool of this many pages, and this many for each slot of an epoch, keeps all: hosts' delays may hold many back. */
const [smallPool, pagesPerSlot] = [256, 4];
/** The entry price as a fraction of the lowest worth that got a slot; where it must fall, of itself. */
const entryShare = 0.7;
/** Lower limit of the entry price, as a fraction of the long-run price. */
const minEntryShare = 1e-200;

export interface EpochProblem extends ScheduleProblem {
  /** A revisit interval that few pages fall below: an epoch is a quarter of it. */
  readonly shortInterval: number;
}

export function scheduleByEpochs(problem: EpochProblem, budget: Budget): IndexSchedule {
  return new EpochSchedule(problem, budget).run();
}

class EpochSchedule {
  readonly #p: EpochProblem;
  readonly #budget: Budget;
  readonly #page: Int32Array;
  /** By page: its last fetch, −Infinity for none. */
  readonly #last: Float64Array;
  readonly #reservedSlots: ReservedSlots;
  readonly #isUrgent: Uint8Array;
  readonly #waitingPages: WaitingPages;
  readonly #calendar: EpochCalendar;
  #pool: number[] = [];
  readonly #inPool: Uint8Array;
  /** Pages that would enter sooner at a lower entry price, and how many. */
  readonly #pricedOut: Uint8Array;
  #pricedOutPages = 0;
  #entryPrice: number;
  readonly #lowestPrice: number;
  /** Pages of the pool that compete for the next slot, by key. */
  readonly #active = new KeyedHeap();
  /** Key of each page of the pool at the middle of the epoch. */
  readonly #keyNow: Float64Array;
  /** Pages that got a slot in this epoch, and the number of slots. */
  readonly #hasSlot: Uint8Array;
  #slotCount = 0;
  #lowestKey = 1;
  /** The lowest worth that got a slot in the last epoch with any; 0 before. */
  #lowestWorthServed = 0;
  /** Until this time no page may be fetched, except in a slot reserved for it. */
  #idleUntil = Number.NEGATIVE_INFINITY;
  #epoch = 0;
  #hasStopped = false;
  readonly #isStopped: (steps?: number) => boolean;

  constructor(problem: EpochProblem, budget: Budget) {
    const { slotTime, model, age, price } = problem;
    this.#p = problem;
    this.#budget = budget;
    this.#isStopped = stopCheck(budget);
    this.#page = new Int32Array(slotTime.length).fill(-1);
    this.#last = age.map((old) => -old);
    this.#reservedSlots = new ReservedSlots(slotTime, model.pages);
    this.#isUrgent = new Uint8Array(model.pages);
    this.#waitingPages = new WaitingPages(problem, this.#last);
    this.#calendar = new EpochCalendar(slotTime, slotsPerEpoch(problem), model.pages);
    this.#inPool = new Uint8Array(model.pages);
    this.#pricedOut = new Uint8Array(model.pages);
    this.#entryPrice = entryShare * price;
    this.#lowestPrice = minEntryShare * price;
    this.#keyNow = new Float64Array(model.pages);
    this.#hasSlot = new Uint8Array(model.pages);
  }

  run(): IndexSchedule {
    const { slotTime } = this.#p;
    for (let i = 0; i < this.#last.length && this.#mayContinue(); i++) this.#scheduleEntry(i);
    for (let i = 0; i < this.#last.length; i++) this.#reserve(i, 0);
    for (this.#epoch = 0; this.#epoch < this.#calendar.epochs && this.#mayContinue(); this.#epoch++) {
      const [from, to] = this.#calendar.slotsOf(this.#epoch);
      this.#fill(to - from);
      this.#rank(0.5 * (slotTime[from] + slotTime[to - 1]), to - from);
      this.#budget.report({ fraction: this.#epoch / this.#calendar.epochs });
      for (let s = from; s < to && this.#mayContinue(); s++) this.#assign(s);
      this.#endEpoch();
    }
    return { page: this.#page, isStopped: this.#hasStopped };
  }

  /** Counts a step, and returns whether time is left. */
  #mayContinue(): boolean {
    this.#hasStopped = this.#isStopped();
    return !this.#hasStopped;
  }

  /** Reserves the latest slot that keeps the page's deadline, where that lies in the interval. */
  #reserve(i: number, fromSlot: number): void {
    const due = deadlineAfter(this.#last[i], this.#p.maxInterval[i]);
    if (due < this.#p.interval) this.#reservedSlots.reserve(i, fromSlot, due);
  }

  #keyAt(i: number, time: number): number {
    return keyOf(this.#p, i, time - this.#last[i], this.#isUrgent[i] === 1);
  }

  // the pool

  /** Schedules a page for the epoch in which it enters the pool, this one or a later. */
  #scheduleEntry(i: number): void {
    const { model, cap, minInterval, notBefore } = this.#p;
    const last = this.#last[i];
    this.#inPool[i] = 0;
    let time = last;
    let pricedOut = false;
    if (last > Number.NEGATIVE_INFINITY) {
      const atPrice = model.ageAt(i, this.#entryPrice);
      const soonest = Math.min(cap[i], atPrice);
      time = last + Math.max(minInterval[i], soonest);
      // a page whose worth stays 0 enters at no price
      const enters = atPrice < Number.POSITIVE_INFINITY || model.ageAt(i, this.#lowestPrice) < atPrice;
      pricedOut = soonest > minInterval[i] && enters;
    } else if (cap[i] === Number.POSITIVE_INFINITY) {
      // the worth of a page never fetched is constant: it enters once the entry price is that low
      const worth = model.worth(i, Number.POSITIVE_INFINITY);
      if (worth < this.#entryPrice) {
        this.#priceOut(i, worth > this.#lowestPrice);
        this.#calendar.remove(i);
        return;
      }
    }
    const from = notBefore?.[i] ?? 0;
    if (from > Math.max(0, time)) [time, pricedOut] = [from, false];
    this.#priceOut(i, pricedOut);
    this.#calendar.put(i, time, this.#epoch);
  }

  #priceOut(i: number, pricedOut: boolean): void {
    this.#pricedOutPages += Number(pricedOut) - this.#pricedOut[i];
    this.#pricedOut[i] = Number(pricedOut);
  }

  #enter(i: number): void {
    this.#priceOut(i, false);
    if (this.#inPool[i] === 1) return;
    this.#inPool[i] = 1;
    this.#pool.push(i);
  }

  /** Lowers the entry price from this epoch on, and reschedules the pages it had kept out. */
  #lowerEntry(price: number): void {
    this.#entryPrice = price;
    for (let i = 0; i < this.#pricedOut.length && this.#mayContinue(); i++)
      if (this.#pricedOut[i] === 1) this.#scheduleEntry(i);
  }

  /** Adds the pages due in this epoch; where the pool is smaller than its slots, lowers the entry price. */
  #fill(count: number): void {
    for (const i of this.#calendar.take(this.#epoch)) this.#enter(i);
    for (let share = entryShare; !this.#hasStopped; share *= share) {
      if (this.#pool.length >= count || this.#pricedOutPages === 0 || this.#entryPrice < this.#lowestPrice) return;
      this.#lowerEntry(this.#entryPrice * share);
      for (const i of this.#calendar.take(this.#epoch)) this.#enter(i);
    }
  }

  /** Drops pages from the pool; they are scheduled again, from the next epoch on. */
  #filterPool(stays: (i: number) => boolean): void {
    const previousPool = this.#pool;
    this.#pool = previousPool.filter(stays);
    if (this.#pool.length === previousPool.length) return;
    this.#epoch++;
    for (const i of previousPool) if (!stays(i) && this.#mayContinue()) this.#scheduleEntry(i);
    this.#epoch--;
  }

  // one epoch

  /** Puts the pool into the active heap; where it is large, without the pages that are worth less than the entry price. */
  #rank(time: number, count: number): void {
    const pool = this.#pool;
    for (let k = 0; k < pool.length && this.#mayContinue(); k++) this.#keyNow[pool[k]] = this.#keyAt(pool[k], time);
    this.#active.clear();
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    const isLarge = pool.length > smallPool + pagesPerSlot * count;
    if (isLarge && entryShare * this.#lowestWorthServed > this.#entryPrice) {
      this.#entryPrice = entryShare * this.#lowestWorthServed;
      const lowest = keyOfWorth(this.#entryPrice, this.#p.price);
      this.#filterPool((i) => this.#keyNow[i] >= lowest);
    }
    for (const i of this.#pool) if (this.#keyNow[i] !== excludedKey) this.#active.push(this.#keyNow[i], i);
  }

  #assign(slot: number): void {
    const time = this.#p.slotTime[slot];
    const heldPage = this.#reservedSlots.holder(slot);
    if (heldPage >= 0 && this.#hasSlot[heldPage] === 0) {
      this.#isUrgent[heldPage] = 1;
      this.#keyNow[heldPage] = urgentKey + 1;
      this.#active.push(urgentKey + 1, heldPage);
      this.#calendar.remove(heldPage);
      this.#enter(heldPage);
    } else if (time < this.#idleUntil) return;
    this.#waitingPages.wake(time, (i) => this.#active.push(this.#keyNow[i], i));
    const page = this.#popBest(time);
    if (page < 0) this.#idleUntil = this.#waitingPages.nextWake();
    else this.#fetch(slot, page, time);
  }

  /** Removes the best page that may be fetched now from the active heap; −1 for none. */
  #popBest(time: number): number {
    const { minInterval, notBefore } = this.#p;
    while (this.#active.size > 0) {
      const i = this.#active.pop();
      if (this.#hasSlot[i] === 1) continue;
      if (notBefore !== undefined && time < notBefore[i]) this.#waitingPages.waitUntil(i, notBefore[i]);
      else if (time - this.#last[i] < minInterval[i]) this.#waitingPages.waitUntil(i, this.#last[i] + minInterval[i]);
      else if (!this.#waitingPages.hostReady(i, time)) this.#waitingPages.waitForHost(i, (page) => this.#keyNow[page]);
      else return i;
    }
    return -1;
  }

  #fetch(slot: number, i: number, time: number): void {
    this.#slotCount++;
    this.#lowestKey = Math.min(this.#lowestKey, this.#keyNow[i]);
    this.#page[slot] = i;
    this.#hasSlot[i] = 1;
    this.#isUrgent[i] = 0;
    this.#last[i] = time;
    this.#p.model.recordFetch(i, time);
    this.#reservedSlots.release(i);
    this.#reserve(i, slot + 1);
    this.#waitingPages.recordFetch(i, time);
  }

  #endEpoch(): void {
    this.#waitingPages.clear();
    if (this.#slotCount === 0) return;
    this.#slotCount = 0;
    if (this.#lowestKey < 1) this.#lowestWorthServed = (this.#p.price * this.#lowestKey) / (1 - this.#lowestKey);
    this.#lowestKey = 1;
    const fetchedPages = this.#pool.filter((i) => this.#hasSlot[i] === 1);
    this.#filterPool((i) => this.#hasSlot[i] === 0);
    for (const i of fetchedPages) this.#hasSlot[i] = 0;
    // while a backlog is worked off the paid worth falls: pages kept out at a higher entry price compete again
    if (this.#lowestWorthServed > 0 && this.#lowestWorthServed < this.#entryPrice) {
      this.#epoch++;
      this.#lowerEntry(entryShare * this.#lowestWorthServed);
      this.#epoch--;
    }
  }
}

/** Slots of an epoch: a quarter of the short interval, unless that takes too many evaluations of pages. */
function slotsPerEpoch({ slotTime, model, interval, shortInterval }: EpochProblem): number {
  const count = slotTime.length;
  const affordable = Math.max(maxEpochs, (evaluationsPerSlot * count) / model.pages);
  const epochs = Math.max(minEpochs, Math.min(affordable, Math.ceil((4 * interval) / shortInterval)));
  return Math.max(1, Math.floor(count / epochs));
}

/**
 * The epoch in which each page enters the pool: a list of pages per epoch of `perEpoch` slots, in which only the latest
 * entry of a page counts. A page goes to the first epoch whose last slot is at or after its entry time; to none where that
 * time is past the last slot.
 */
class EpochCalendar {
  readonly epochs: number;
  readonly #time: Float64Array;
  readonly #perEpoch: number;
  /** (page, stamp) pairs by epoch; an entry whose stamp is old no longer counts. */
  readonly #lists: (number[] | undefined)[];
  readonly #stamp: Int32Array;

  constructor(slotTime: Float64Array, perEpoch: number, pages: number) {
    this.#time = slotTime;
    this.#perEpoch = perEpoch;
    this.epochs = Math.ceil(slotTime.length / perEpoch);
    this.#lists = new Array<number[] | undefined>(this.epochs);
    this.#stamp = new Int32Array(pages);
  }

  /** The slots from..to−1 of an epoch. */
  slotsOf(epoch: number): readonly [from: number, to: number] {
    const from = epoch * this.#perEpoch;
    return [from, Math.min(from + this.#perEpoch, this.#time.length)];
  }

  /** Puts a page into the epoch of its entry time, `earliest` at the soonest, in place of any other. */
  put(page: number, time: number, earliest: number): void {
    const stamp = ++this.#stamp[page];
    if (earliest >= this.epochs || time > this.#time[this.#time.length - 1]) return;
    let low = earliest;
    let high = this.epochs - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#time[this.slotsOf(middle)[1] - 1] >= time) high = middle;
      else low = middle + 1;
    }
    const list = this.#lists[low];
    if (list) list.push(page, stamp);
    else this.#lists[low] = [page, stamp];
  }

  /** Removes a page from its epoch. */
  remove(page: number): void {
    this.#stamp[page]++;
  }

  /** Removes and returns the pages of an epoch. */
  take(epoch: number): number[] {
    const list = this.#lists[epoch];
    if (list === undefined) return [];
    this.#lists[epoch] = undefined;
    const pages: number[] = [];
    for (let k = 0; k < list.length; k += 2) {
      if (this.#stamp[list[k]] === list[k + 1]) pages.push(list[k]);
    }
    return pages;
  }
}
