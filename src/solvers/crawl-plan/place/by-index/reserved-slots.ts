/**
 * Slots held for pages that must be fetched by a deadline. Each takes the latest free slot at or before it. That keeps
 * every set of deadlines that can be kept (unit tasks with deadlines form a matroid). A page gives its slot back when
 * it is fetched sooner.
 */
import type { CrawlSlots } from '../../limits/allowed.ts';
import { FreeSlots } from './free-slots.ts';

export class ReservedSlots {
  readonly #holder: Int32Array;
  readonly #slotOf: Int32Array;
  readonly #free: FreeSlots;
  readonly #slots: CrawlSlots;

  constructor(slots: CrawlSlots, pages: number) {
    const count = slots.time.length;
    this.#slots = slots;
    this.#holder = new Int32Array(count).fill(-1);
    this.#slotOf = new Int32Array(pages).fill(-1);
    this.#free = new FreeSlots(count);
  }

  /** The page that holds a slot; −1 for none. */
  holder(slot: number): number {
    return this.#holder[slot];
  }

  /** Holds the latest free slot in from..deadline for a page, or, if there is none, the first free one after. */
  reserve(page: number, from: number, deadline: number): void {
    let slot = this.#free.atOrBefore(this.#lastAtOrBefore(deadline));
    if (slot < from) slot = this.#free.atOrAfter(from);
    if (slot < 0) return;
    this.#holder[slot] = page;
    this.#slotOf[page] = slot;
    this.#free.delete(slot);
  }

  /** Gives a page's slot back. */
  release(page: number): void {
    const slot = this.#slotOf[page];
    if (slot < 0) return;
    this.#slotOf[page] = -1;
    this.#holder[slot] = -1;
    this.#free.add(slot);
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
}
