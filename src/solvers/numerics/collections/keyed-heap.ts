/** A binary heap of (key, item), the largest key first; equal keys: the smaller item first. */
export class KeyedHeap {
  #keys: Float64Array;
  #items: Int32Array;
  size = 0;

  /** @param capacity pairs expected; it grows where there are more */
  constructor(capacity = 64) {
    this.#keys = new Float64Array(Math.max(1, capacity));
    this.#items = new Int32Array(Math.max(1, capacity));
  }

  clear(): void {
    this.size = 0;
  }

  topKey(): number {
    return this.size > 0 ? this.#keys[0] : Number.NEGATIVE_INFINITY;
  }

  push(key: number, item: number): void {
    if (this.size === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const items = this.#items;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] > key || (keys[parent] === key && items[parent] < item)) break;
      keys[at] = keys[parent];
      items[at] = items[parent];
      at = parent;
    }
    keys[at] = key;
    items[at] = item;
  }

  /** Takes the item with the largest key; −1 when empty. */
  pop(): number {
    if (this.size === 0) return -1;
    const keys = this.#keys;
    const items = this.#items;
    const first = items[0];
    const size = --this.size;
    const key = keys[size];
    const item = items[size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && (keys[right] > keys[child] || (keys[right] === keys[child] && items[right] < items[child])))
        child = right;
      if (key > keys[child] || (key === keys[child] && item < items[child])) break;
      keys[at] = keys[child];
      items[at] = items[child];
      at = child;
    }
    keys[at] = key;
    items[at] = item;
    return first;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.size);
    keys.set(this.#keys);
    this.#keys = keys;
    const items = new Int32Array(2 * this.size);
    items.set(this.#items);
    this.#items = items;
  }
}
