/**
 * The index rule by epochs, for many pages and slots: worth is compared at the middle of an epoch of slots.
 *
 * An epoch is short compared with the intervals of pages, so that a page gets at most one slot in an epoch. Only pages
 * in the pool compete in an epoch: pages whose worth is near the price. A page enters the pool when its worth has
 * reached the entry price, or its age the cap, and its minimum interval is over. This time is computed when the page is
 * fetched (one inversion of its worth), so that an epoch costs the size of the pool, not the number of pages.
 * The entry price follows the lowest worth that gets a slot, and falls if the pool is smaller than the slots of an
 * epoch. Pages whose reserved slot has come are first (reserved-slots.ts), then pages past their cap. Pages of the pool
 * that may not be fetched yet wait (waiting-pages.ts); slots before the first of them may be fetched stay empty.
 * Comparing worths with a fixed price instead of each other is worse: after a synchronised start the price oscillates.
 * Complexity: crawls × one inversion + epochs × pool; the pool is some 20% of the pages at most. When the budget ends
 * early, the remaining slots stay empty.
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
 * Range of the number of epochs. Without the lower end costs are .13% higher on 100,000 pages with half as many crawls.
 * There are more than `maxEpochs` epochs if pages × epochs is at most `evaluationsPerSlot` × slots.
 */
const [minEpochs, maxEpochs, evaluationsPerSlot] = [64, 4000, 4];
/**
 * Size up to which the pool keeps all its pages: a number of pages, plus a number for each slot of an epoch. Pages in
 * excess of the slots are needed because delays of hosts may hold many back.
 */
const [smallPool, pagesPerSlot] = [256, 4];
/** The entry price as a fraction of the lowest worth that got a slot; and the factor by which it is lowered. */
const entryShare = 0.7;
/** Floor of the entry price, as a fraction of the long-run price. */
const minEntryShare = 1e-200;

export interface EpochProblem extends ScheduleProblem {
  /** A fetch interval that few pages fall below, in seconds: an epoch is a quarter of it. */
  readonly shortInterval: number;
}

export function scheduleByEpochs(problem: EpochProblem, budget: Budget): IndexSchedule {
  return new EpochSchedule(problem, budget).run();
}

class EpochSchedule {
  readonly #p: EpochProblem;
  readonly #budget: Budget;
  readonly #page: Int32Array;
  /** By page: time of its last fetch, −Infinity for a page never fetched. */
  readonly #last: Float64Array;
  readonly #reservedSlots: ReservedSlots;
  readonly #isUrgent: Uint8Array;
  readonly #waitingPages: WaitingPages;
  readonly #calendar: EpochCalendar;
  #pool: number[] = [];
  readonly #inPool: Uint8Array;
  /** By page: 1 if it would enter the pool sooner at a lower entry price; and the number of these pages. */
  readonly #pricedOut: Uint8Array;
  #pricedOutPages = 0;
  #entryPrice: number;
  readonly #lowestPrice: number;
  /** Pages of the pool that compete for the next slot, the largest key first. */
  readonly #active = new KeyedHeap();
  /** Key of each page of the pool at the middle of the epoch. */
  readonly #keyNow: Float64Array;
  /** By page: 1 if it got a slot in this epoch; and the number of slots given. */
  readonly #hasSlot: Uint8Array;
  #slotCount = 0;
  /** The lowest key that got a slot in this epoch. */
  #lowestKey = 1;
  /** The lowest worth that got a slot in the last epoch with a fetch; 0 before the first such epoch. */
  #lowestWorthServed = 0;
  /** Time before which no page may be fetched, except in a slot reserved for it. */
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

  /** Counts a step, and returns whether the budget has not ended. */
  #mayContinue(): boolean {
    this.#hasStopped = this.#isStopped();
    return !this.#hasStopped;
  }

  /** Reserves the latest slot that keeps the deadline of page i, if the deadline is in the interval. */
  #reserve(i: number, fromSlot: number): void {
    const due = deadlineAfter(this.#last[i], this.#p.maxInterval[i]);
    if (due < this.#p.interval) this.#reservedSlots.reserve(i, fromSlot, due);
  }

  #keyAt(i: number, time: number): number {
    return keyOf(this.#p, i, time - this.#last[i], this.#isUrgent[i] === 1);
  }

  // the pool

  /** Schedules page i for the epoch in which it enters the pool, at the earliest the current one. */
  #scheduleEntry(i: number): void {
    const { model, cap, minInterval, notBefore } = this.#p;
    const last = this.#last[i];
    this.#inPool[i] = 0;
    let time = last;
    let isPricedOut = false;
    if (last > Number.NEGATIVE_INFINITY) {
      const atPrice = model.ageAt(i, this.#entryPrice);
      const soonest = Math.min(cap[i], atPrice);
      time = last + Math.max(minInterval[i], soonest);
      // a page whose worth stays 0 enters the pool at no price
      const canEnter = atPrice < Number.POSITIVE_INFINITY || model.ageAt(i, this.#lowestPrice) < atPrice;
      isPricedOut = soonest > minInterval[i] && canEnter;
    } else if (cap[i] === Number.POSITIVE_INFINITY) {
      // the worth of a page never fetched is constant: the page enters once the entry price is down to its worth
      const worth = model.worth(i, Number.POSITIVE_INFINITY);
      if (worth < this.#entryPrice) {
        this.#setPricedOut(i, worth > this.#lowestPrice);
        this.#calendar.remove(i);
        return;
      }
    }
    const from = notBefore?.[i] ?? 0;
    if (from > Math.max(0, time)) [time, isPricedOut] = [from, false];
    this.#setPricedOut(i, isPricedOut);
    this.#calendar.put(i, time, this.#epoch);
  }

  #setPricedOut(i: number, isPricedOut: boolean): void {
    this.#pricedOutPages += Number(isPricedOut) - this.#pricedOut[i];
    this.#pricedOut[i] = Number(isPricedOut);
  }

  #enter(i: number): void {
    this.#setPricedOut(i, false);
    if (this.#inPool[i] === 1) return;
    this.#inPool[i] = 1;
    this.#pool.push(i);
  }

  /** Lowers the entry price from this epoch on, and reschedules the pages that the old price kept out. */
  #lowerEntry(price: number): void {
    this.#entryPrice = price;
    for (let i = 0; i < this.#pricedOut.length && this.#mayContinue(); i++)
      if (this.#pricedOut[i] === 1) this.#scheduleEntry(i);
  }

  /** Adds the pages that enter in this epoch; lowers the entry price while the pool is smaller than the slots. */
  #fill(count: number): void {
    for (const i of this.#calendar.take(this.#epoch)) this.#enter(i);
    for (let share = entryShare; !this.#hasStopped; share *= share) {
      if (this.#pool.length >= count || this.#pricedOutPages === 0 || this.#entryPrice < this.#lowestPrice) return;
      this.#lowerEntry(this.#entryPrice * share);
      for (const i of this.#calendar.take(this.#epoch)) this.#enter(i);
    }
  }

  /** Removes pages from the pool, and schedules their next entry from the next epoch on. */
  #filterPool(isKept: (i: number) => boolean): void {
    const previousPool = this.#pool;
    this.#pool = previousPool.filter(isKept);
    if (this.#pool.length === previousPool.length) return;
    this.#epoch++;
    for (const i of previousPool) if (!isKept(i) && this.#mayContinue()) this.#scheduleEntry(i);
    this.#epoch--;
  }

  // one epoch

  /** Fills the active heap from the pool; a large pool first drops the pages worth less than a raised entry price. */
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
    // while a backlog is worked off the lowest worth served falls: lower the entry price to let more pages compete
    if (this.#lowestWorthServed > 0 && this.#lowestWorthServed < this.#entryPrice) {
      this.#epoch++;
      this.#lowerEntry(entryShare * this.#lowestWorthServed);
      this.#epoch--;
    }
  }
}

/** Number of slots in an epoch: a quarter of the short interval, unless that needs too many evaluations of pages. */
function slotsPerEpoch({ slotTime, model, interval, shortInterval }: EpochProblem): number {
  const count = slotTime.length;
  const affordable = Math.max(maxEpochs, (evaluationsPerSlot * count) / model.pages);
  const epochs = Math.max(minEpochs, Math.min(affordable, Math.ceil((4 * interval) / shortInterval)));
  return Math.max(1, Math.floor(count / epochs));
}

/**
 * The epoch in which each page enters the pool: a list of pages for each epoch of `perEpoch` slots. Only the latest
 * entry of a page counts. A page is put into the first epoch whose last slot is at or after its entry time, or into
 * none if the entry time is after the last slot.
 */
class EpochCalendar {
  readonly epochs: number;
  readonly #time: Float64Array;
  readonly #perEpoch: number;
  /** (page, stamp) pairs by epoch; only an entry with the latest stamp of its page counts. */
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

  /** Moves a page to the epoch of its entry time, at the earliest to epoch `earliest`. */
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
