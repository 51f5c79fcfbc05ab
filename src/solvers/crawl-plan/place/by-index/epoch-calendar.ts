/**
 * In which epoch each page enters the pool: a list of pages an epoch, most recent entry of a page counting.
 *
 * Slots are taken in epochs of `perEpoch` that follow each other. A page is put into the first epoch whose last slot is
 * at or after its entry time. A page whose time is past the last slot is in none.
 */
import type { CrawlSlots } from '../../limits/slots.ts';

export class EpochCalendar {
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
