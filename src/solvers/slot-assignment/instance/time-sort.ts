/**
 * Sorting by time, in linear time for times spread over the interval.
 *
 * Method: one counting pass into at most 1024 buckets of time for each class (flexible, release). Then inside each
 * bucket (small enough for the cache) a counting sort to about one item a cell, then insertion. A crowded cell (many
 * nearly equal times) goes to a merge sort, so equal times cost nothing and any input stays O(n log n).
 */
import { positions } from './positions.ts';

/** Items in time order: the time and the number of each. */
export interface TimeOrder {
  readonly time: Float64Array;
  readonly id: Int32Array;
}

/** Items in a cell up to which insertion is fastest. */
const insertionLimit = 24;

/**
 * Where the counting pass put the items: each has a seat, the seats of a bucket are next to each other. What is
 * computed in time order and written by seat stays in the cache. Then {@link gatherBySeat} brings it to the items' own order
 * along one stream a bucket. At ten million items that takes half as long as writing to items in time order.
 */
interface Seats {
  /** The bucket of each item, and the first seat of each bucket. */
  readonly bucket: Uint16Array;
  readonly start: Int32Array;
}

/** Items of two classes in time order, by their seats. */
export interface SeatedOrder {
  /** The first class in time order, then the second; `id` are seats. */
  readonly order: TimeOrder;
  /** How many items are of the first class. */
  readonly first: number;
  readonly seats: Seats;
}

/**
 * Sorts items of two classes by time, in one counting pass.
 *
 * @param key times, length n, finite
 * @param second 1 where an item belongs to the second class, null when there is only the first
 * @param span times below 0 or above `span` are legal but share the outer buckets
 */
export function seatByTime(key: Float64Array, second: Uint8Array | null, span: number): SeatedOrder {
  const n = key.length;
  const buckets = Math.max(1, Math.min(1024, n >> 7));
  const scale = span > 0 ? buckets / span : 0;
  const last = buckets - 1;
  const bucket = new Uint16Array(n);
  const start = new Int32Array(2 * buckets + 1);
  for (let i = 0; i < n; i++) {
    const x = key[i] * scale;
    let b = x > 0 ? (x < last ? x | 0 : last) : 0;
    if (second !== null && second[i] !== 0) b += buckets;
    bucket[i] = b;
    start[b + 1]++;
  }
  let widest = 0;
  for (let b = 0; b < 2 * buckets; b++) {
    if (start[b + 1] > widest) widest = start[b + 1];
    start[b + 1] += start[b];
  }
  const time = new Float64Array(n);
  const next = start.slice();
  for (let i = 0; i < n; i++) time[next[bucket[i]]++] = key[i];
  const id = positions(n);
  const scratch: Scratch = {
    time: new Float64Array(widest),
    cell: new Int32Array(widest),
    count: new Int32Array(widest + 1),
  };
  for (let b = 0; b < 2 * buckets; b++) sortBucket(time, id, start[b], start[b + 1], scratch);
  return { order: { time, id }, first: start[buckets], seats: { bucket, start } };
}

/** Sorts times as {@link seatByTime} does; `id` are positions in `key` in place of seats. */
export function sortByTime(
  key: Float64Array,
  second: Uint8Array | null,
  span: number,
): { order: TimeOrder; first: number } {
  const { order, first, seats } = seatByTime(key, second, span);
  const item = itemsBySeat(seats);
  const { id } = order;
  for (let i = 0; i < id.length; i++) id[i] = item[id[i]];
  return { order, first };
}

/** Values by item from values by seat: `result[i]` is the value at the seat of item i. O(n). */
export function gatherBySeat({ bucket, start }: Seats, values: Int32Array, result: Int32Array): void {
  const next = start.slice();
  for (let i = 0; i < bucket.length; i++) result[i] = values[next[bucket[i]]++];
}

/** The item at each seat. O(n). */
export function itemsBySeat({ bucket, start }: Seats): Int32Array {
  const next = start.slice();
  const item = new Int32Array(bucket.length);
  for (let i = 0; i < bucket.length; i++) item[next[bucket[i]]++] = i;
  return item;
}

/** Buffers as long as the widest bucket. */
interface Scratch {
  readonly time: Float64Array;
  readonly cell: Int32Array;
  readonly count: Int32Array;
}

/**
 * Sorts items [from, to) by time: a counting sort over about as many cells as items, then insertion. On entry `id[i]`
 * is i.
 */
function sortBucket(time: Float64Array, id: Int32Array, from: number, to: number, scratch: Scratch): void {
  const m = to - from;
  if (m <= insertionLimit) {
    insertionSort(time, id, from, to);
    return;
  }
  const { time: unsorted, cell, count } = scratch;
  let low = time[from];
  let high = low;
  for (let i = 0; i < m; i++) {
    const t = time[from + i];
    unsorted[i] = t;
    if (t < low) low = t;
    else if (t > high) high = t;
  }
  const scale = (m - 1) / (high - low);
  if (!Number.isFinite(scale)) {
    mergeSort(time, id, from, to);
    return;
  }
  count.fill(0, 0, m + 1);
  for (let i = 0; i < m; i++) {
    const c = ((unsorted[i] - low) * scale) | 0;
    cell[i] = c;
    count[c + 1]++;
  }
  let widest = 0;
  for (let c = 1; c <= m; c++) {
    const items = count[c];
    if (items > widest) widest = items;
    count[c] = items + count[c - 1];
  }
  for (let i = 0; i < m; i++) {
    const at = from + count[cell[i]]++;
    time[at] = unsorted[i];
    id[at] = from + i;
  }
  // count[c] is now the end of cell c; the start of cell c is the end of cell c − 1.
  if (widest > insertionLimit) {
    for (let c = 0, begin = 0; c < m; begin = count[c++]) {
      if (count[c] - begin > insertionLimit) mergeSort(time, id, from + begin, from + count[c]);
    }
  }
  insertionSort(time, id, from, to);
}

/** Insertion sort of [from, to) by time. */
function insertionSort(time: Float64Array, id: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const t = time[i];
    if (time[i - 1] <= t) continue;
    const v = id[i];
    let k = i;
    do {
      time[k] = time[k - 1];
      id[k] = id[k - 1];
      k--;
    } while (k > from && time[k - 1] > t);
    time[k] = t;
    id[k] = v;
  }
}

/** Merge sort of [from, to) by time; nothing to do where all times are equal. */
function mergeSort(time: Float64Array, id: Int32Array, from: number, to: number): void {
  const unsorted = time.slice(from, to);
  if (unsorted.every((t) => t === unsorted[0])) return;
  const unsortedId = id.slice(from, to);
  const order = positions(to - from).sort((a, b) => unsorted[a] - unsorted[b]);
  for (let k = 0; k < order.length; k++) {
    time[from + k] = unsorted[order[k]];
    id[from + k] = unsortedId[order[k]];
  }
}
