/** Gains between two prices, kept as parallel arrays that grow. */
export class Candidates {
  #length = 0;
  /** Once this many are kept no more are taken in. */
  #room = Number.POSITIVE_INFINITY;
  #page = new Int32Array(256);
  #gain = new Float64Array(256);
  #sorted: Float64Array | null = null;

  get length(): number {
    return this.#length;
  }

  /** Forgets all, to keep at most `room` from now on. */
  startOver(room: number): void {
    this.#length = 0;
    this.#sorted = null;
    this.#room = room;
  }

  hasRoom(): boolean {
    return this.#length < this.#room;
  }

  push(page: number, gain: number): void {
    if (this.#length === this.#page.length) {
      const pages = new Int32Array(2 * this.#length);
      const gains = new Float64Array(2 * this.#length);
      pages.set(this.#page);
      gains.set(this.#gain);
      this.#page = pages;
      this.#gain = gains;
    }
    this.#page[this.#length] = page;
    this.#gain[this.#length++] = gain;
  }

  /** The middle gain; there must be one. O(k log k). */
  middle(): number {
    return this.#inOrder()[this.#length >> 1];
  }

  /** The pages whose gains they are, a page once for each. */
  get pages(): Int32Array {
    return this.#page.subarray(0, this.#length);
  }

  /** How many of the largest gains come to more than so much, or just as much; Infinity where all do not. O(k log k). */
  comingTo(wanted: number): number {
    const sorted = this.#inOrder();
    let rest = wanted;
    let at = sorted.length;
    while (rest > 0 && at > 0) rest -= sorted[--at];
    return rest > 0 ? Number.POSITIVE_INFINITY : sorted.length - at;
  }

  /**
   * Adds one crawl to the pages of the `wanted` largest gains; of equal gains those found first are taken. O(k log k).
   */
  takeLargest(wanted: number, crawls: Int32Array): void {
    const length = this.#length;
    const gain = this.#gain;
    const page = this.#page;
    if (wanted >= length) {
      for (let at = 0; at < length; at++) crawls[page[at]]++;
      return;
    }
    if (wanted <= 0) return;
    const sorted = this.#inOrder();
    const threshold = sorted[length - wanted];
    let equal = wanted;
    for (let at = 0; at < length; at++) if (gain[at] > threshold) equal--;
    for (let at = 0; at < length; at++) {
      if (gain[at] > threshold) crawls[page[at]]++;
      else if (gain[at] === threshold && equal > 0) {
        equal--;
        crawls[page[at]]++;
      }
    }
  }

  #inOrder(): Float64Array {
    if (this.#sorted?.length !== this.#length) this.#sorted = this.#gain.slice(0, this.#length).sort();
    return this.#sorted;
  }
}
