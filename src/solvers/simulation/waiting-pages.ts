/**
 * The pages that wait in a simulated queue: taken oldest first or at random, expiring at their own times.
 *
 * Slots hold the pages; a linked list keeps the order of arrival, a dense list allows a uniform draw, a binary heap with
 * positions (indexed by slot) gives the next expiry. All operations O(log waiting) or O(1); nothing is allocated after
 * construction.
 */
import type { Random } from '../numerics/random/random.ts';

export class WaitingPages {
  readonly #arrival: Float64Array;
  readonly #expiry: Float64Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #dense: Int32Array;
  readonly #denseAt: Int32Array;
  readonly #heap: Int32Array;
  readonly #heapAt: Int32Array;
  readonly #free: Int32Array;
  readonly #random: Random;
  #oldest = -1;
  #newest = -1;
  size = 0;

  constructor(capacity: number, random: Random) {
    this.#arrival = new Float64Array(capacity);
    this.#expiry = new Float64Array(capacity);
    this.#next = new Int32Array(capacity);
    this.#previous = new Int32Array(capacity);
    this.#dense = new Int32Array(capacity);
    this.#denseAt = new Int32Array(capacity);
    this.#heap = new Int32Array(capacity);
    this.#heapAt = new Int32Array(capacity);
    this.#free = Int32Array.from({ length: capacity }, (_, slot) => slot);
    this.#random = random;
  }

  /** When the next page expires; infinite when none will. */
  get nextExpiry(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#expiry[this.#heap[0]];
  }

  add(arrival: number, expiry: number): void {
    const slot = this.#free[this.size];
    this.#arrival[slot] = arrival;
    this.#expiry[slot] = expiry;
    this.#previous[slot] = this.#newest;
    this.#next[slot] = -1;
    if (this.#newest >= 0) this.#next[this.#newest] = slot;
    else this.#oldest = slot;
    this.#newest = slot;
    this.#dense[this.size] = slot;
    this.#denseAt[slot] = this.size;
    this.#heap[this.size] = slot;
    this.#heapAt[slot] = this.size;
    this.size++;
    this.#up(this.size - 1);
  }

  /** Takes the oldest page; returns when it arrived. */
  takeOldest(): number {
    return this.#take(this.#oldest);
  }

  /** Takes a page at random; returns when it arrived. */
  takeRandom(): number {
    return this.#take(this.#dense[Math.floor(this.#random() * this.size)]);
  }

  /** Takes the page that expires next; returns when it arrived. */
  takeExpired(): number {
    return this.#take(this.#heap[0]);
  }

  #take(slot: number): number {
    const before = this.#previous[slot];
    const after = this.#next[slot];
    if (before >= 0) this.#next[before] = after;
    else this.#oldest = after;
    if (after >= 0) this.#previous[after] = before;
    else this.#newest = before;
    const last = this.size - 1;
    const moved = this.#dense[last];
    this.#dense[this.#denseAt[slot]] = moved;
    this.#denseAt[moved] = this.#denseAt[slot];
    const hole = this.#heapAt[slot];
    const replacement = this.#heap[last];
    this.size = last;
    this.#free[last] = slot;
    if (hole < last) {
      this.#heap[hole] = replacement;
      this.#heapAt[replacement] = hole;
      this.#down(hole);
      this.#up(this.#heapAt[replacement]);
    }
    return this.#arrival[slot];
  }

  #up(from: number): void {
    const slot = this.#heap[from];
    const key = this.#expiry[slot];
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#heap[parent];
      if (this.#expiry[above] <= key) break;
      this.#heap[at] = above;
      this.#heapAt[above] = at;
      at = parent;
    }
    this.#heap[at] = slot;
    this.#heapAt[slot] = at;
  }

  #down(from: number): void {
    const slot = this.#heap[from];
    const key = this.#expiry[slot];
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.#expiry[this.#heap[child + 1]] < this.#expiry[this.#heap[child]]) child++;
      const below = this.#heap[child];
      if (this.#expiry[below] >= key) break;
      this.#heap[at] = below;
      this.#heapAt[below] = at;
      at = child;
    }
    this.#heap[at] = slot;
    this.#heapAt[slot] = at;
  }
}
