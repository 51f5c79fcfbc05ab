/**
 * Slots held for pages that must be fetched by a deadline: each takes the latest free slot at or before it, which keeps
 * every set of deadlines that can be kept (unit tasks with deadlines form a matroid), and gives it back when the page is
 * fetched sooner. Free slots are counted by blocks of 256, so that a search skips full blocks.
 */
import type { CrawlSlots } from '../model/crawl-slots.ts';

const block = 256;

export class ReservedSlots {
  /** Page that holds each slot; −1 for none. */
  readonly holder: Int32Array;
  readonly #slotOf: Int32Array;
  readonly #free: Int32Array;
  readonly #slots: CrawlSlots;

  constructor(slots: CrawlSlots, pages: number) {
    const count = slots.time.length;
    this.#slots = slots;
    this.holder = new Int32Array(count).fill(-1);
    this.#slotOf = new Int32Array(pages).fill(-1);
    this.#free = new Int32Array(Math.ceil(count / block));
    for (let s = 0; s < count; s++) this.#free[Math.floor(s / block)]++;
  }

  /** Holds the latest free slot in from..deadline for a page, or, if there is none, the first free one after. */
  reserve(page: number, from: number, deadline: number): void {
    const count = this.holder.length;
    let slot = this.#latestFree(this.#lastAtOrBefore(deadline), from);
    if (slot < 0) {
      slot = Math.max(from, 0);
      while (slot < count && this.holder[slot] >= 0) slot++;
      if (slot >= count) return;
    }
    this.holder[slot] = page;
    this.#slotOf[page] = slot;
    this.#free[Math.floor(slot / block)]--;
  }

  /** Gives a page's slot back. */
  release(page: number): void {
    const slot = this.#slotOf[page];
    if (slot < 0) return;
    this.#slotOf[page] = -1;
    this.holder[slot] = -1;
    this.#free[Math.floor(slot / block)]++;
  }

  #lastAtOrBefore(time: number): number {
    const { time: times } = this.#slots;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #latestFree(to: number, from: number): number {
    let slot = to;
    while (slot >= from && slot >= 0) {
      const b = Math.floor(slot / block);
      if (this.#free[b] === 0) {
        slot = b * block - 1;
        continue;
      }
      if (this.holder[slot] < 0) return slot;
      slot--;
    }
    return -1;
  }
}
