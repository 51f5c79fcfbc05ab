/**
 * Slots reserved for pages that must be fetched by a deadline. Each takes the latest free slot at or before it. That meets
 * every feasible set of deadlines (unit tasks with deadlines form a matroid). A page releases its slot when
 * it is fetched sooner.
 */
import { IndexSet } from '../numerics/collections/index-set.ts';

export class ReservedSlots {
  readonly #holder: Int32Array;
  readonly #slotOf: Int32Array;
  readonly #free: IndexSet;
  readonly #slotTime: Float64Array;

  constructor(slotTime: Float64Array, pages: number) {
    const count = slotTime.length;
    this.#slotTime = slotTime;
    this.#holder = new Int32Array(count).fill(-1);
    this.#slotOf = new Int32Array(pages).fill(-1);
    this.#free = new IndexSet(count);
  }

  /** The page a slot is reserved for; −1 for none. */
  holder(slot: number): number {
    return this.#holder[slot];
  }

  /** Reserves the latest free slot in from..deadline for a page, else the first free one after. */
  reserve(page: number, from: number, deadline: number): void {
    let slot = this.#free.atOrBefore(this.#lastAtOrBefore(deadline));
    if (slot < from) slot = this.#free.atOrAfter(from);
    if (slot < 0) return;
    this.#holder[slot] = page;
    this.#slotOf[page] = slot;
    this.#free.delete(slot);
  }

  /** Releases a page's slot. */
  release(page: number): void {
    const slot = this.#slotOf[page];
    if (slot < 0) return;
    this.#slotOf[page] = -1;
    this.#holder[slot] = -1;
    this.#free.add(slot);
  }

  #lastAtOrBefore(time: number): number {
    let low = 0;
    let high = this.#slotTime.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slotTime[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
