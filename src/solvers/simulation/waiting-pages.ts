/**
 * The pages that wait in a simulated queue: taken oldest first, expiring at their own times.
 *
 * Slots hold the pages. A linked list keeps the order of arrival, a heap (indexed by slot) gives the next expiry. All operations O(log waiting) or O(1); nothing is allocated after construction.
 */
import { type IndexedHeap, indexedHeap } from '../numerics/heaps/indexed-heap.ts';

export class WaitingPages {
  readonly #arrival: Float64Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #byExpiry: IndexedHeap;
  readonly #free: Int32Array;
  #oldest = -1;
  #newest = -1;
  size = 0;

  constructor(capacity: number) {
    this.#arrival = new Float64Array(capacity);
    this.#next = new Int32Array(capacity);
    this.#previous = new Int32Array(capacity);
    this.#byExpiry = indexedHeap(capacity);
    this.#free = Int32Array.from({ length: capacity }, (_, slot) => slot);
  }

  /** When the next page expires; infinite when none will. */
  get nextExpiry(): number {
    return this.#byExpiry.least();
  }

  add(arrival: number, expiry: number): void {
    const slot = this.#free[this.size];
    this.#arrival[slot] = arrival;
    this.#previous[slot] = this.#newest;
    this.#next[slot] = -1;
    if (this.#newest >= 0) this.#next[this.#newest] = slot;
    else this.#oldest = slot;
    this.#newest = slot;
    this.#byExpiry.pushOrDecrease(slot, expiry);
    this.size++;
  }

  /** Takes the oldest page; returns when it arrived. */
  takeOldest(): number {
    return this.#take(this.#oldest);
  }

  /** Takes the page that expires next; returns when it arrived. */
  takeExpired(): number {
    return this.#take(this.#byExpiry.first());
  }

  #take(slot: number): number {
    const before = this.#previous[slot];
    const after = this.#next[slot];
    if (before >= 0) this.#next[before] = after;
    else this.#oldest = after;
    if (after >= 0) this.#previous[after] = before;
    else this.#newest = before;
    this.#byExpiry.remove(slot);
    this.#free[--this.size] = slot;
    return this.#arrival[slot];
  }
}
