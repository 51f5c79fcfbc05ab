/**
 * Slots reserved for pages that must be fetched by a deadline. Each page gets the latest free slot at or before its
 * deadline, which keeps all deadlines if any assignment does (unit tasks with deadlines form a matroid). A page
 * releases its slot when it is fetched sooner.
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

  /** The page for which a slot is reserved; −1 for none. */
  holder(slot: number): number {
    return this.#holder[slot];
  }

  /** Reserves the latest free slot from slot `from` to the deadline for a page, else the first free slot after it. */
  reserve(page: number, from: number, deadline: number): void {
    let slot = this.#free.lastUpTo(this.#lastAtOrBefore(deadline));
    if (slot < from) slot = this.#free.firstFrom(from);
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
