/** A binary heap of (key, item), the largest key first; equal keys: the smaller item first. */
export class KeyedHeap {
  #keys = new Float64Array(64);
  #items = new Int32Array(64);
  size = 0;

  clear(): void {
    this.size = 0;
  }

  topKey(): number {
    return this.size > 0 ? this.#keys[0] : Number.NEGATIVE_INFINITY;
  }

  push(key: number, item: number): void {
    if (this.size === this.#keys.length) {
      const keys = new Float64Array(2 * this.size);
      keys.set(this.#keys);
      this.#keys = keys;
      const items = new Int32Array(2 * this.size);
      items.set(this.#items);
      this.#items = items;
    }
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(key, item, parent)) break;
      this.#keys[at] = this.#keys[parent];
      this.#items[at] = this.#items[parent];
      at = parent;
    }
    this.#keys[at] = key;
    this.#items[at] = item;
  }

  /** Takes the item with the largest key; −1 when empty. */
  pop(): number {
    if (this.size === 0) return -1;
    const item = this.#items[0];
    this.size--;
    if (this.size > 0) this.#sink(this.#keys[this.size], this.#items[this.size]);
    return item;
  }

  #before(key: number, item: number, other: number): boolean {
    return key > this.#keys[other] || (key === this.#keys[other] && item < this.#items[other]);
  }

  #sink(key: number, item: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.#before(this.#keys[child + 1], this.#items[child + 1], child)) child++;
      if (this.#before(key, item, child)) break;
      this.#keys[at] = this.#keys[child];
      this.#items[at] = this.#items[child];
      at = child;
    }
    this.#keys[at] = key;
    this.#items[at] = item;
  }
}
