/**
 * The pages that compete for the slots of an epoch, and when the others join them.
 *
 * A page enters at one of three moments, whichever is right for it. They are when its worth reaches the price of entry,
 * when its least interval is past, and when its cap is reached. When that will be is known the moment it is fetched
 * (one inversion), so that an epoch costs its pool, not all pages. Where the pool is too small for an epoch's slots,
 * the price of entry falls.
 */
import type { CrawlSlots } from '../../limits/allowed.ts';
import type { ScheduleProblem } from './schedule-problem.ts';

/** Pages between two looks at whether there is time left. */
const pagesPerLook = 1024;
const fewestEpochs = 64;
const mostEpochs = 4000;
/** Above `mostEpochs`, this many looks at a page a slot are allowed. */
const looksPerSlot = 4;
const mostRounds = 60;
/** The price of entry falls no further than to this share of what slots may go for. */
const lowestShare = 1e-200;
/** Ages at a price are found to a ten thousandth, and worth grows by thrice as much at most. */
const nearEntry = 0.999;
/** Rounds in which the price of entry falls gently. */
const gentleRounds = 20;

/** Whether a page comes before others: without a cap not even one that was never fetched. */
export const isPastCap = (age: number, cap: number): boolean => age >= cap && cap < Number.POSITIVE_INFINITY;

/** Slots of an epoch: a quarter of the short interval, unless that makes too many looks at the pages. */
function slotsPerEpoch({ slots, model, interval, shortInterval }: ScheduleProblem): number {
  const count = slots.time.length;
  const affordable = Math.max(mostEpochs, (looksPerSlot * count) / model.pages);
  const wanted = Math.max(fewestEpochs, Math.min(affordable, Math.ceil((4 * interval) / shortInterval)));
  return Math.max(1, Math.floor(count / wanted));
}

export class CandidatePool {
  readonly calendar: EpochCalendar;
  readonly #p: ScheduleProblem;
  readonly #inPool: Uint8Array;
  /** Pages priced out, which would enter sooner at a lower price of entry, and how many. */
  readonly #pricedOut: Uint8Array;
  #pricedOutPages = 0;
  #pages: number[] = [];
  #entryPrice: number;
  readonly #lowestPrice: number;
  /** By page: when it was fetched last, and what a fetch is worth at the end of the interval unless it is fetched again. */
  readonly #since: Float64Array;
  readonly #atEnd: Float64Array;

  constructor(problem: ScheduleProblem) {
    const { model, slots, price } = problem;
    this.#p = problem;
    this.calendar = new EpochCalendar(slots, slotsPerEpoch(problem), model.pages);
    this.#inPool = new Uint8Array(model.pages);
    this.#pricedOut = new Uint8Array(model.pages);
    this.#entryPrice = 0.6 * price;
    this.#lowestPrice = lowestShare * price;
    this.#since = new Float64Array(model.pages).fill(Number.NaN);
    this.#atEnd = new Float64Array(model.pages);
  }

  get pages(): readonly number[] {
    return this.#pages;
  }

  /** Pages enter when their worth reaches this price. */
  get entryPrice(): number {
    return this.#entryPrice;
  }

  /** From now on pages enter at this price; those that wait keep their times. */
  raiseEntry(price: number): void {
    this.#entryPrice = price;
  }

  /**
   * Pages enter at a lower price from an epoch on, those too that wait for a higher one.
   *
   * @param goesOn told of the pages looked at; once it says no, the pool is of no use any more
   */
  lowerEntry(price: number, last: Float64Array, epoch: number, goesOn: (pages: number) => boolean): void {
    this.#entryPrice = price;
    for (let i = 0; i < this.#pricedOut.length; i++) {
      if (i % pagesPerLook === 0 && !goesOn(pagesPerLook)) return;
      if (this.#pricedOut[i] === 1) this.wait(i, last[i], epoch);
    }
  }

  /**
   * Puts a page last fetched at `last` (−Infinity for never) into the epoch in which it enters, `earliest` or later.
   */
  wait(i: number, last: number, earliest: number): void {
    const { model, cap, minInterval } = this.#p;
    if (this.#staysOut(i, last)) {
      this.#inPool[i] = 0;
      this.#markPricedOut(i, 1);
      this.calendar.remove(i);
      return;
    }
    let time = last;
    let pricedOut = 0;
    if (last > Number.NEGATIVE_INFINITY) {
      const atPrice = model.ageAt(i, this.#entryPrice);
      const soonest = Math.min(cap[i], atPrice);
      time = last + Math.max(minInterval[i], soonest);
      // a page that is worth nothing does not enter sooner at any price
      const enters = atPrice < Number.POSITIVE_INFINITY || model.ageAt(i, this.#lowestPrice) < atPrice;
      pricedOut = soonest > minInterval[i] && enters ? 1 : 0;
    }
    // one never fetched is worth the same whenever it is fetched: it comes once that is enough
    const unseen = last === Number.NEGATIVE_INFINITY && cap[i] === Number.POSITIVE_INFINITY;
    const worth = unseen ? model.worth(i, Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    if (worth < this.#entryPrice) {
      this.#inPool[i] = 0;
      this.#markPricedOut(i, worth > this.#lowestPrice ? 1 : 0);
      this.calendar.remove(i);
      return;
    }
    const from = this.#p.availability?.pageFrom[i] ?? 0;
    if (from > Math.max(0, time)) {
      time = from;
      pricedOut = 0;
    }
    this.#inPool[i] = 0;
    this.#markPricedOut(i, pricedOut);
    this.calendar.put(i, time, earliest);
  }

  /** Whether a page's worth does not come near the price of entry before the interval ends. */
  #staysOut(i: number, last: number): boolean {
    const { model, isPlain = false, interval, cap, minInterval, availability } = this.#p;
    const old = interval - last;
    if (!isPlain || availability !== undefined || cap[i] <= old || minInterval[i] >= old) return false;
    if (this.#since[i] !== last) {
      this.#since[i] = last;
      this.#atEnd[i] = model.worth(i, old);
    }
    return this.#atEnd[i] < nearEntry * this.#entryPrice && this.#atEnd[i] > this.#lowestPrice;
  }

  /** Takes a page in at once. */
  join(i: number): void {
    this.calendar.remove(i);
    this.#enter(i);
  }

  /**
   * Takes in the pages due in an epoch; where they are fewer than its slots, the price of entry falls until they are
   * not.
   *
   * @param goesOn told of the pages looked at; once it says no, the pool is of no use any more
   */
  fill(epoch: number, count: number, last: Float64Array, goesOn: (pages: number) => boolean): void {
    for (const i of this.calendar.take(epoch)) this.#enter(i);
    for (let round = 0; round < mostRounds; round++) {
      if (this.#pages.length >= count || this.#pricedOutPages === 0 || this.#entryPrice < this.#lowestPrice) return;
      this.#entryPrice *= round < gentleRounds ? 0.7 : 0.1;
      for (let i = 0; i < this.#pricedOut.length; i++) {
        if (i % pagesPerLook === 0 && !goesOn(pagesPerLook)) return;
        if (this.#pricedOut[i] === 1) this.wait(i, last[i], epoch);
      }
      for (const i of this.calendar.take(epoch)) this.#enter(i);
    }
  }

  /**
   * Keeps the pages that fit; the others wait again, from an epoch on.
   *
   * @param goesOn told of the pages looked at; once it says no, the pool is of no use any more
   */
  keep(
    fits: (i: number) => boolean,
    last: Float64Array,
    epoch: number,
    goesOn: (pages: number) => boolean,
    leaving?: (i: number) => void,
  ): void {
    const before = this.#pages;
    this.#pages = before.filter(fits);
    if (this.#pages.length === before.length) return;
    for (const [k, i] of before.entries()) {
      if (k % pagesPerLook === 0 && !goesOn(pagesPerLook)) return;
      if (fits(i)) continue;
      leaving?.(i);
      this.wait(i, last[i], epoch);
    }
  }

  #enter(i: number): void {
    this.#markPricedOut(i, 0);
    if (this.#inPool[i] === 1) return;
    this.#inPool[i] = 1;
    this.#pages.push(i);
  }

  #markPricedOut(i: number, pricedOut: number): void {
    this.#pricedOutPages += pricedOut - this.#pricedOut[i];
    this.#pricedOut[i] = pricedOut;
  }
}

/**
 * In which epoch each page enters the pool: a list of pages an epoch, most recent entry of a page counting. Epochs of
 * `perEpoch` slots follow each other. A page is put into the first whose last slot is at or after its entry time. A page
 * whose time is past the last slot is in none.
 */
class EpochCalendar {
  readonly epochs: number;
  readonly #time: Float64Array;
  readonly #perEpoch: number;
  /** (page, stamp) pairs by epoch; an entry whose stamp is old no longer counts. */
  readonly #lists: (number[] | undefined)[];
  readonly #stamp: Int32Array;

  constructor({ time }: CrawlSlots, perEpoch: number, pages: number) {
    this.#time = time;
    this.#perEpoch = perEpoch;
    this.epochs = Math.ceil(time.length / perEpoch);
    this.#lists = new Array<number[] | undefined>(this.epochs);
    this.#stamp = new Int32Array(pages);
  }

  /** The slots from..to−1 of an epoch. */
  slotsOf(epoch: number): readonly [from: number, to: number] {
    const from = epoch * this.#perEpoch;
    return [from, Math.min(from + this.#perEpoch, this.#time.length)];
  }

  /**
   * Puts a page into the epoch of its entry time, `earliest` at the soonest; whatever was said of it before is void.
   */
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

  /** The page enters the pool by another way: it is in no epoch any more. */
  remove(page: number): void {
    this.#stamp[page]++;
  }

  /** The pages of an epoch, which are then in none. */
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
