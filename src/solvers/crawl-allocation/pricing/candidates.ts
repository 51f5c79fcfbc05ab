/** Gains between two prices, kept as parallel arrays that grow. */
export class Candidates {
  length = 0;
  /** Once this many are kept no more are taken in. */
  limit = Number.POSITIVE_INFINITY;
  page = new Int32Array(256);
  gain = new Float64Array(256);

  clear(): void {
    this.length = 0;
  }

  hasRoom(): boolean {
    return this.length < this.limit;
  }

  push(page: number, gain: number): void {
    if (this.length === this.page.length) {
      const page = new Int32Array(2 * this.length);
      const gain = new Float64Array(2 * this.length);
      page.set(this.page);
      gain.set(this.gain);
      this.page = page;
      this.gain = gain;
    }
    this.page[this.length] = page;
    this.gain[this.length++] = gain;
  }

  /** The middle gain; there must be one. O(k log k). */
  middle(): number {
    return this.gain.slice(0, this.length).sort()[this.length >> 1];
  }

  /**
   * Adds one crawl to the pages of the `wanted` largest gains; of equal gains those found first are taken. O(k log k).
   */
  takeLargest(wanted: number, crawls: Int32Array): void {
    const { length, gain, page } = this;
    if (wanted >= length) {
      for (let at = 0; at < length; at++) crawls[page[at]]++;
      return;
    }
    if (wanted <= 0) return;
    const sorted = gain.slice(0, length).sort();
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
}
