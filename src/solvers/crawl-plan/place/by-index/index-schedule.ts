/**
 * Which page each slot fetches: always the one whose fetch is worth most by then.
 *
 * At each slot the page with the largest worth w·W(age) that may be fetched (its least interval past, its host's delay
 * past) takes it. Before all others come pages held to a deadline (ReservedSlots) when their slot is up. Then come
 * pages unfetched for longer than the cap, where there is one; pages never fetched are among them. This is the index
 * rule; a fixed price instead of the order lets the price swing after a synchronised start, and does worse. Method:
 * slots are taken in epochs, short beside every page's interval, so that a page takes at most one in each. An epoch
 * looks only at the pages whose worth has come near the price (the pool, candidate-pool.ts). Pages of it that may not
 * be fetched yet wait (cooling-pages.ts). The schedule passes over slots before the first of these may be fetched.
 * Complexity:
 * crawls × one inversion + epochs × pool; the pool is some 20% of the pages at most. Known limits: worth is compared at
 * the middle of an epoch. The order within an epoch is the order of worth there.
 */
import type { Budget } from '../../../budget.ts';
import { KeyedHeap } from '../../../numerics/heaps/keyed-heap.ts';
import { PageAccount } from '../schedule-account.ts';
import { CandidatePool, isPastCap } from './candidate-pool.ts';
import { CoolingPages } from './cooling-pages.ts';
import { ReservedSlots } from './reserved-slots.ts';
import type { IndexScheduleResult, ScheduleProblem } from './schedule-problem.ts';

const urgentClass = 3;
const overdueClass = 2;
/** Slots given and pages looked at between two looks at the budget. */
const stepsPerPoll = 256;
/** Pages ranked between two such looks. */
const pagesPerLook = 1024;
/** Of what slots went for last: where the price of entry falls to. */
const loweredTo = 0.7;

/** Gives the slots to the pages. Stopped early, the remaining slots stay empty. */
export function scheduleByIndex(problem: ScheduleProblem, budget: Budget): IndexScheduleResult {
  return new IndexSchedule(problem, budget).run();
}

class IndexSchedule {
  readonly #p: ScheduleProblem;
  readonly #budget: Budget;
  readonly #page: Int32Array;
  readonly #last: Float64Array;
  readonly #reserved: ReservedSlots;
  readonly #urgent: Uint8Array;
  readonly #account: PageAccount;
  readonly #pool: CandidatePool;
  /** Pages of the pool that compete for the next slot, by worth. */
  readonly #active = new KeyedHeap();
  /** Whether all of the pool is in the active heap or cooling. */
  #allActive = true;
  readonly #cooling: CoolingPages;
  /** Worth of each page of the pool at the middle of the epoch. */
  readonly #keyNow: Float64Array;
  /** Pages that had their slot in this epoch. */
  readonly #taken: Uint8Array;
  /** The least worth that a slot went for in the last epoch that paid for all its slots; 0 before. */
  #paid = 0;
  #lowestKey = 1;
  /** Slots given in this epoch. */
  #given = 0;
  /** Before this time no page may be fetched, unless a slot is held for it. */
  #idleUntil = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #steps = 0;

  constructor(problem: ScheduleProblem, budget: Budget) {
    const { slots, model, age } = problem;
    this.#p = problem;
    this.#budget = budget;
    this.#page = new Int32Array(slots.time.length).fill(-1);
    this.#account = new PageAccount(model, age);
    this.#last = this.#account.last;
    this.#cooling = new CoolingPages(problem, this.#last);
    this.#reserved = new ReservedSlots(slots, model.pages);
    this.#urgent = new Uint8Array(model.pages);
    this.#pool = new CandidatePool(problem);
    this.#keyNow = new Float64Array(model.pages);
    this.#taken = new Uint8Array(model.pages);
  }

  run(): IndexScheduleResult {
    const { slots, interval, model, maxInterval } = this.#p;
    const { epochs } = this.#pool.calendar;
    // pages overdue already take the slots that others leave, those worth most first: there may be too few for all
    const overdue = new KeyedHeap();
    for (let i = 0; i < this.#last.length && this.#goesOn(1, 0); i++) {
      const last = this.#last[i];
      this.#pool.wait(i, last, 0);
      if (last > Number.NEGATIVE_INFINITY && last + maxInterval[i] < 0) overdue.push(model.worth(i, -last), i);
      else this.#hold(i, 0);
    }
    while (overdue.size > 0 && this.#goesOn(1, 0)) this.#hold(overdue.pop(), 0);
    for (let e = 0; e < epochs && this.#goesOn(this.#pool.pages.length, e / epochs); e++) {
      const [from, to] = this.#pool.calendar.slotsOf(e);
      const goesOn = (pages: number): boolean => this.#goesOn(pages, e / epochs);
      const count = to - from;
      this.#pool.fill(e, count, this.#last, goesOn);
      this.#rank(0.5 * (slots.time[from] + slots.time[to - 1]), count, e, goesOn);
      for (let s = from; s < to && this.#goesOn(1, e / epochs); s++) this.#assign(s);
      this.#afterEpoch(e, goesOn);
    }
    this.#account.end(interval);
    const { staleTime, costTime } = this.#account;
    return { page: this.#page, staleTime, costTime, stopped: this.#stopped };
  }

  /** Counts steps, looks at the budget once in a while, and says whether there is time left. */
  #goesOn(steps: number, fraction: number): boolean {
    this.#steps += steps;
    if (this.#steps < stepsPerPoll) return !this.#stopped;
    this.#steps = 0;
    this.#budget.report({ fraction });
    if (this.#budget.stopRequested()) this.#stopped = true;
    return !this.#stopped;
  }

  /** Reserves the latest slot that keeps the page's deadline, where it falls inside the interval. */
  #hold(i: number, fromSlot: number): void {
    const { maxInterval, interval } = this.#p;
    if (maxInterval[i] === Number.POSITIVE_INFINITY) return;
    const last = this.#last[i] === Number.NEGATIVE_INFINITY ? 0 : this.#last[i];
    if (last + maxInterval[i] < interval) this.#reserved.reserve(i, fromSlot, last + maxInterval[i]);
  }

  #key(i: number, time: number): number {
    const { model, cap } = this.#p;
    const age = time - this.#last[i];
    const key = this.#keyOf(model.worth(i, Math.max(0, age)));
    if (this.#urgent[i] === 1) return urgentClass + key;
    return isPastCap(age, cap[i]) ? overdueClass + key : key;
  }

  /** Worths as keys in [0, 1). */
  #keyOf(worth: number): number {
    return worth / (worth + this.#p.price);
  }

  /** The pool's best pages into the active heap; the rest stay for the next epoch, or wait again where too many. */
  #rank(time: number, count: number, e: number, goesOn: (pages: number) => boolean): void {
    const { pages } = this.#pool;
    for (let k = 0; k < pages.length; k++) {
      if (k % pagesPerLook === 0 && !goesOn(pagesPerLook)) return;
      this.#keyNow[pages[k]] = this.#key(pages[k], time);
    }
    this.#active.clear();
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#allActive = pages.length <= 4 * count + 256 || this.#paid === 0;
    const enough = this.#allActive ? Number.NEGATIVE_INFINITY : this.#keyOf(0.9 * this.#paid);
    for (const i of pages) if (this.#keyNow[i] >= enough) this.#active.push(this.#keyNow[i], i);
    if (this.#active.size < count && !this.#allActive) {
      // the price has fallen: all of the pool competes
      this.#allActive = true;
      for (const i of pages) if (this.#keyNow[i] < enough) this.#active.push(this.#keyNow[i], i);
    }
    if (this.#allActive || 0.8 * this.#paid <= this.#pool.entryPrice) return;
    this.#pool.raiseEntry(0.8 * this.#paid);
    const lowest = this.#keyOf(this.#pool.entryPrice);
    this.#pool.keep((i) => this.#keyNow[i] >= lowest, this.#last, e + 1, goesOn);
  }

  #assign(slot: number): void {
    const time = this.#p.slots.time[slot];
    const held = this.#reserved.holder(slot);
    if (held >= 0 && this.#taken[held] === 0) {
      this.#urgent[held] = 1;
      this.#keyNow[held] = urgentClass + 1;
      this.#active.push(urgentClass + 1, held);
      this.#pool.join(held);
    } else if (time < this.#idleUntil) return;
    this.#cooling.wake(time, (i) => this.#active.push(this.#keyNow[i], i));
    let chosen = this.#best(time);
    if (chosen === -1 && !this.#allActive) {
      this.#activateAll();
      chosen = this.#best(time);
    }
    if (chosen < 0) this.#idleUntil = this.#cooling.nextWake();
    else this.#give(slot, chosen, time);
  }

  /** The pool's pages that were left out of the active heap join it: those in it did not fill the slots. */
  #activateAll(): void {
    this.#allActive = true;
    this.#active.clear();
    for (const i of this.#pool.pages) if (this.#taken[i] === 0) this.#active.push(this.#keyNow[i], i);
    this.#cooling.clear();
  }

  /** The best page that may be fetched now, out of the active heap; −1 when there is none. */
  #best(time: number): number {
    const { minInterval, availability } = this.#p;
    while (this.#active.size > 0) {
      const i = this.#active.pop();
      if (this.#taken[i] === 1) continue;
      if (availability !== undefined && time < availability.pageFrom[i])
        this.#cooling.waitUntil(i, availability.pageFrom[i]);
      else if (time - this.#last[i] < minInterval[i]) this.#cooling.waitUntil(i, this.#last[i] + minInterval[i]);
      else if (!this.#cooling.hostReady(i, time)) this.#cooling.waitForHost(i, (page) => this.#keyNow[page]);
      else return i;
    }
    return -1;
  }

  #give(slot: number, i: number, time: number): void {
    this.#given++;
    this.#lowestKey = Math.min(this.#lowestKey, this.#keyNow[i]);
    this.#page[slot] = i;
    this.#taken[i] = 1;
    this.#urgent[i] = 0;
    this.#account.fetched(i, time);
    this.#reserved.release(i);
    this.#hold(i, slot + 1);
    this.#cooling.fetched(i, time);
  }

  #afterEpoch(e: number, goesOn: (pages: number) => boolean): void {
    this.#cooling.clear();
    if (this.#given === 0) return;
    this.#given = 0;
    if (this.#lowestKey < 1) this.#paid = (this.#p.price * this.#lowestKey) / (1 - this.#lowestKey);
    this.#lowestKey = 1;
    const untaken = (i: number): boolean => this.#taken[i] === 0;
    this.#pool.keep(untaken, this.#last, e + 1, goesOn, (i) => {
      this.#taken[i] = 0;
    });
    // while a backlog is worked off slots go for less and less: pages sent away at a higher price are wanted again
    if (this.#paid > 0 && this.#paid < this.#pool.entryPrice) {
      this.#pool.lowerEntry(loweredTo * this.#paid, this.#last, e + 1, goesOn);
    }
  }
}
