/** Indexed 4-ary min-heap over items 0..capacity−1 with Float64 keys; push and decrease in one operation. */
export interface IndexedHeap {
  /** The smallest key; +∞ when empty. */
  readonly minKey: () => number;
  /** Inserts the item, or lowers its key where it is in the heap already (the key must not be above its old one). */
  readonly pushOrDecrease: (item: number, key: number) => void;
  /** Removes and returns the item of least key; the heap must not be empty. */
  readonly pop: () => number;
  readonly clear: () => void;
}

/**
 * An empty heap of items 0..capacity − 1. O(capacity) memory.
 *
 * @param capacity number of items that there can be
 */
export function indexedHeap(capacity: number): IndexedHeap {
  const items = new Int32Array(capacity);
  const keys = new Float64Array(capacity);
  const place = new Int32Array(capacity).fill(-1);
  let size = 0;

  const put = (at: number, item: number, key: number): void => {
    items[at] = item;
    keys[at] = key;
    place[item] = at;
  };

  const up = (from: number, item: number, key: number): void => {
    let i = from;
    while (i > 0) {
      const parent = (i - 1) >> 2;
      if (keys[parent] <= key) break;
      put(i, items[parent], keys[parent]);
      i = parent;
    }
    put(i, item, key);
  };

  const down = (from: number, item: number, key: number): void => {
    let i = from;
    for (;;) {
      const first = 4 * i + 1;
      if (first >= size) break;
      let child = first;
      const end = Math.min(first + 4, size);
      for (let c = first + 1; c < end; c++) if (keys[c] < keys[child]) child = c;
      if (keys[child] >= key) break;
      put(i, items[child], keys[child]);
      i = child;
    }
    put(i, item, key);
  };

  return {
    minKey: () => (size > 0 ? keys[0] : Number.POSITIVE_INFINITY),
    pushOrDecrease(item, key) {
      const at = place[item];
      if (at < 0) up(size++, item, key);
      else up(at, item, key);
    },
    pop() {
      const top = items[0];
      place[top] = -1;
      size--;
      if (size > 0) down(0, items[size], keys[size]);
      return top;
    },
    clear() {
      for (let i = 0; i < size; i++) place[items[i]] = -1;
      size = 0;
    },
  };
}
