/**
 * Which page each slot fetches: always the one whose fetch is worth most by then.
 *
 * At each slot the page with the largest worth w·W(age) that may be fetched (its least interval past, its host's delay
 * past) takes it. Before all others come pages held to a deadline (ReservedSlots) when their slot is up, then pages never
 * fetched or unfetched for longer than the cap. This is the index rule; a fixed price instead of the order lets the
 * price swing after a synchronised start, and does worse.
 * Method: slots are taken in epochs, short beside every page's interval, so that a page takes at most one in each. In an
 * epoch only the pages whose worth has come near the price (the pool) are looked at; when a page will enter the pool is
 * known the moment it is fetched (one inversion), so that an epoch costs its pool, not all pages. The nearness adapts.
 * Complexity: crawls × one inversion + epochs × pool; the pool is some 20% of the pages at most.
 * Known limits: worth is compared at the middle of an epoch. The order within an epoch is the order of worth there.
 */
import type { Budget } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import type { RefreshModel } from '../beliefs/refresh-model.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';
import { ReservedSlots } from './reserved-slots.ts';

export interface ScheduleProblem {
  readonly model: RefreshModel;
  readonly slots: CrawlSlots;
  readonly interval: number;
  /** Age of each page at the start; Infinity for never fetched. */
  readonly age: Float64Array;
  /** Least time between two fetches of a page. */
  readonly least: Float64Array;
  /** Most time between two fetches that must be kept; Infinity for none. */
  readonly deadline: Float64Array;
  /** Age from which a page comes before others; Infinity for none. */
  readonly cap: Float64Array;
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
  /** The steady price, a first guess at what slots go for. */
  readonly price: number;
  /** The shortest interval that many pages will have: epochs are kept well below it. */
  readonly shortInterval: number;
}

const urgentClass = 3;
const overdueClass = 2;

export interface IndexScheduleResult {
  /** The page of each slot, −1 where no page may be fetched. */
  readonly page: Int32Array;
  /** How long each page's copy is expected to be stale in the interval, in seconds. */
  readonly staleTime: Float64Array;
}

/** Gives the slots to the pages. Stopped early, the remaining slots stay empty. */
export function scheduleByIndex(problem: ScheduleProblem, budget: Budget): IndexScheduleResult {
  return new IndexSchedule(problem).run(budget);
}

class IndexSchedule {
  readonly #p: ScheduleProblem;
  readonly #page: Int32Array;
  readonly #last: Float64Array;
  readonly #hostReady: Float64Array;
  readonly #reserved: ReservedSlots;
  readonly #urgent: Uint8Array;
  readonly #perEpoch: number;
  readonly #epochs: number;
  /** Pages waiting for their epoch, (page, stamp) pairs by epoch; an entry whose stamp is old no longer counts. */
  readonly #waiting: number[][];
  readonly #stamp: Int32Array;
  readonly #inPool: Uint8Array;
  readonly #stale: Float64Array;
  #allActive = true;
  #pool: number[] = [];
  #keys = new Float64Array(0);
  /** Pages enter the pool when their worth reaches this price. */
  #entry: number;
  /** The least worth that a slot went for in the last epoch that paid for all its slots; 0 before. */
  #paid = 0;
  #lowestKey = 1;
  readonly #active = new KeyedHeap();
  readonly #waitingHosts = new KeyedHeap();
  readonly #blocked = new Map<number, number[]>();
  readonly #keyNow: Float64Array;
  readonly #taken: Uint8Array;

  constructor(problem: ScheduleProblem) {
    const { slots, model, age, host, hostDelay, interval } = problem;
    const count = slots.time.length;
    const pages = model.pages;
    this.#p = problem;
    this.#page = new Int32Array(count).fill(-1);
    this.#last = age.map((a) => -a);
    this.#hostReady = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    for (let i = 0; i < pages; i++) {
      const h = host[i];
      if (h >= 0) this.#hostReady[h] = Math.max(this.#hostReady[h], this.#last[i] + hostDelay[h]);
    }
    this.#reserved = new ReservedSlots(slots, pages);
    this.#urgent = new Uint8Array(pages);
    const wanted = Math.max(64, Math.min(4000, Math.ceil((4 * interval) / problem.shortInterval)));
    this.#perEpoch = Math.max(1, Math.floor(count / wanted));
    this.#epochs = Math.ceil(count / this.#perEpoch);
    this.#waiting = Array.from({ length: this.#epochs + 1 }, () => []);
    this.#stamp = new Int32Array(pages);
    this.#inPool = new Uint8Array(pages);
    this.#stale = new Float64Array(pages);
    this.#entry = 0.6 * problem.price;
    this.#keyNow = new Float64Array(pages);
    this.#taken = new Uint8Array(pages);
    for (let i = 0; i < pages; i++) {
      this.#wait(i, 0);
      this.#hold(i, 0);
    }
  }

  run(budget: Budget): IndexScheduleResult {
    const { slots } = this.#p;
    for (let e = 0; e < this.#epochs; e++) {
      if (budget.stopRequested()) break;
      budget.report({ fraction: e / this.#epochs });
      const from = e * this.#perEpoch;
      const to = Math.min(from + this.#perEpoch, slots.time.length);
      this.#fillPool(e, to - from);
      this.#rank(0.5 * (slots.time[from] + slots.time[to - 1]), to - from, e);
      for (let s = from; s < to; s++) this.#assign(s);
      this.#afterEpoch(e);
    }
    for (let i = 0; i < this.#stale.length; i++) this.#account(i, this.#p.interval);
    return { page: this.#page, staleTime: this.#stale };
  }

  /** When the page may enter the pool: its worth near the price, its least interval past, or its cap reached. */
  #entryTime(i: number): number {
    const { model, cap, least } = this.#p;
    const last = this.#last[i];
    if (last === Number.NEGATIVE_INFINITY || this.#urgent[i] === 1) return Number.NEGATIVE_INFINITY;
    return last + Math.max(least[i], Math.min(cap[i], model.intervalAt(i, this.#entry)));
  }

  /** Puts the page into the list of the epoch in which it enters the pool, `earliest` or later. */
  #wait(i: number, earliest: number): void {
    const time = this.#entryTime(i);
    const { slots } = this.#p;
    let e = this.#epochs;
    if (time <= slots.time[slots.time.length - 1]) {
      // first epoch whose last slot is at or after the time
      let low = Math.min(earliest, this.#epochs - 1);
      let high = this.#epochs - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        const end = Math.min((middle + 1) * this.#perEpoch, slots.time.length) - 1;
        if (slots.time[end] >= time) high = middle;
        else low = middle + 1;
      }
      e = Math.max(low, earliest);
    }
    e = Math.min(e, this.#epochs);
    this.#inPool[i] = 0;
    this.#waiting[e].push(i, this.#stamp[i]);
  }

  /** Reserves the latest slot that keeps the page's deadline, where it falls inside the interval. */
  #hold(i: number, fromSlot: number): void {
    const { deadline, interval } = this.#p;
    if (deadline[i] === Number.POSITIVE_INFINITY) return;
    const last = this.#last[i] === Number.NEGATIVE_INFINITY ? 0 : this.#last[i];
    if (last + deadline[i] < interval) this.#reserved.reserve(i, fromSlot, last + deadline[i]);
  }

  /** Moves a list of waiting pages into the pool. */
  #enter(e: number): void {
    const list = this.#waiting[e];
    for (let k = 0; k < list.length; k += 2) {
      if (this.#stamp[list[k]] === list[k + 1]) this.#join(list[k]);
    }
    this.#waiting[e] = [];
  }

  #join(i: number): void {
    this.#stamp[i]++;
    if (this.#inPool[i] === 1) return;
    this.#inPool[i] = 1;
    this.#pool.push(i);
  }

  /** The pages due for the pool; where they are fewer than the slots, the price of entry falls until they are not. */
  #fillPool(e: number, count: number): void {
    this.#enter(e);
    for (let round = 0; this.#pool.length < count && round < 60; round++) {
      this.#entry *= round < 20 ? 0.7 : 0.1;
      const pages: number[] = [];
      for (let list = e + 1; list <= this.#epochs; list++) {
        const waiting = this.#waiting[list];
        for (let k = 0; k < waiting.length; k += 2) {
          if (this.#stamp[waiting[k]] === waiting[k + 1]) pages.push(waiting[k]);
        }
        this.#waiting[list] = [];
      }
      if (pages.length === 0) return;
      for (const i of pages) this.#wait(i, e);
      this.#enter(e);
    }
  }

  #key(i: number, time: number): number {
    const { model, cap } = this.#p;
    const age = time - this.#last[i];
    const key = this.#keyOf(model.worth(i, Math.max(0, age)));
    if (this.#urgent[i] === 1) return urgentClass + key;
    return age >= cap[i] ? overdueClass + key : key;
  }

  /** The pool's best pages into the active heap; the rest stay for the next epoch, or wait again where too many. */
  #rank(time: number, count: number, e: number): void {
    const pool = this.#pool;
    if (this.#keys.length < pool.length) this.#keys = new Float64Array(2 * pool.length);
    const keys = this.#keys.subarray(0, pool.length);
    for (let k = 0; k < pool.length; k++) {
      keys[k] = this.#key(pool[k], time);
      this.#keyNow[pool[k]] = keys[k];
    }
    this.#active.clear();
    this.#allActive = pool.length <= 4 * count + 256 || this.#paid === 0;
    const enough = this.#allActive ? Number.NEGATIVE_INFINITY : this.#keyOf(0.9 * this.#paid);
    for (let k = 0; k < pool.length; k++) if (keys[k] >= enough) this.#active.push(keys[k], pool[k]);
    if (this.#active.size < count && !this.#allActive) {
      // the price has fallen: all of the pool competes
      this.#allActive = true;
      for (let k = 0; k < pool.length; k++) if (keys[k] < enough) this.#active.push(keys[k], pool[k]);
    }
    if (this.#allActive || 0.8 * this.#paid <= this.#entry) return;
    this.#entry = 0.8 * this.#paid;
    const lowest = this.#keyOf(this.#entry);
    this.#pool = pool.filter((i) => {
      if (this.#keyNow[i] >= lowest) return true;
      this.#wait(i, e + 1);
      return false;
    });
  }

  /** Worths as keys in [0, 1). */
  #keyOf(worth: number): number {
    return worth / (worth + this.#p.price);
  }

  /** The pool's pages that were left out of the active heap join it: those in it did not fill the slots. */
  #activateAll(): void {
    this.#allActive = true;
    this.#active.clear();
    for (const i of this.#pool) if (this.#taken[i] === 0) this.#active.push(this.#keyNow[i], i);
    this.#blocked.clear();
    this.#waitingHosts.clear();
  }

  #assign(slot: number): void {
    const { slots, host, hostDelay } = this.#p;
    const time = slots.time[slot];
    const held = this.#reserved.holder[slot];
    if (held >= 0 && this.#taken[held] === 0) {
      this.#urgent[held] = 1;
      this.#keyNow[held] = urgentClass + 1;
      this.#active.push(urgentClass + 1, held);
      this.#join(held);
    }
    while (this.#waitingHosts.size > 0 && -this.#waitingHosts.topKey() <= time) this.#unblock(this.#waitingHosts.pop());
    let chosen = this.#best(time);
    if (chosen < 0 && !this.#allActive) {
      this.#activateAll();
      chosen = this.#best(time);
    }
    if (chosen < 0) return;
    this.#lowestKey = Math.min(this.#lowestKey, this.#keyNow[chosen]);
    this.#page[slot] = chosen;
    this.#taken[chosen] = 1;
    this.#urgent[chosen] = 0;
    this.#account(chosen, time);
    this.#p.model.fetched(chosen, time - this.#last[chosen]);
    this.#last[chosen] = time;
    this.#reserved.release(chosen);
    this.#hold(chosen, slot + 1);
    const h = host[chosen];
    if (h < 0) return;
    this.#hostReady[h] = time + hostDelay[h];
    if (this.#blocked.has(h)) this.#waitingHosts.push(-this.#hostReady[h], h);
  }

  /** The best page that may be fetched now, out of the active heap; −1 when there is none. */
  #best(time: number): number {
    const { host, least } = this.#p;
    const early: number[] = [];
    let chosen = -1;
    while (chosen < 0 && this.#active.size > 0) {
      const i = this.#active.pop();
      if (this.#taken[i] === 1) continue;
      if (time - this.#last[i] < least[i]) early.push(i);
      else if (host[i] >= 0 && this.#hostReady[host[i]] > time) this.#block(host[i], i);
      else chosen = i;
    }
    for (const i of early) this.#active.push(this.#keyNow[i], i);
    return chosen;
  }

  /** Adds the time the copy was expected to be stale since it was last accounted for. */
  #account(i: number, time: number): void {
    const last = this.#last[i];
    if (last === Number.NEGATIVE_INFINITY) this.#stale[i] += time;
    else this.#stale[i] += this.#p.model.staleTime(i, Math.max(0, -last), time - last);
  }

  /** A page whose host is not ready: kept in order of worth, the host woken when it is. */
  #block(h: number, i: number): void {
    const list = this.#blocked.get(h);
    if (list === undefined) {
      this.#blocked.set(h, [i]);
      this.#waitingHosts.push(-this.#hostReady[h], h);
    } else if (this.#keyNow[i] > this.#keyNow[list[0]]) list.unshift(i);
    else list.push(i);
  }

  /** A host is ready: its best page competes again; the others stay behind it, and the next is woken after its fetch. */
  #unblock(h: number): void {
    const list = this.#blocked.get(h);
    const best = list?.shift();
    if (list === undefined || best === undefined) return;
    if (list.length === 0) this.#blocked.delete(h);
    this.#active.push(this.#keyNow[best], best);
  }

  #afterEpoch(e: number): void {
    if (this.#lowestKey < 1) this.#paid = (this.#p.price * this.#lowestKey) / (1 - this.#lowestKey);
    this.#lowestKey = 1;
    const pool = this.#pool;
    this.#pool = pool.filter((i) => this.#taken[i] === 0);
    for (const i of pool) {
      if (this.#taken[i] === 0) continue;
      this.#taken[i] = 0;
      this.#wait(i, e + 1);
    }
    this.#blocked.clear();
    this.#waitingHosts.clear();
  }
}
