/** A binary min-heap of pages by key, for at most `capacity` pages; equal keys leave in order of page. */
export class DeadlineHeap {
  readonly #keys: Float64Array;
  readonly #pages: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity);
    this.#pages = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  push(page: number, key: number): void {
    const keys = this.#keys;
    const pages = this.#pages;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] < key || (keys[parent] === key && pages[parent] < page)) break;
      keys[at] = keys[parent];
      pages[at] = pages[parent];
      at = parent;
    }
    keys[at] = key;
    pages[at] = page;
  }

  /** Takes the page of smallest key out; the heap must not be empty. */
  pop(): number {
    const keys = this.#keys;
    const pages = this.#pages;
    const first = pages[0];
    const size = --this.#size;
    const key = keys[size];
    const page = pages[size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && (keys[right] < keys[child] || (keys[right] === keys[child] && pages[right] < pages[child])))
        child = right;
      if (key < keys[child] || (key === keys[child] && page < pages[child])) break;
      keys[at] = keys[child];
      pages[at] = pages[child];
      at = child;
    }
    keys[at] = key;
    pages[at] = page;
    return first;
  }
}
