/**
 * Sorting by time, in linear time for times spread over the interval.
 *
 * Method: one counting pass into at most 1024 buckets of time for each class (flexible, release). Then inside each
 * bucket (small enough for the cache) a counting sort to about one item a cell, then insertion. A crowded cell (many
 * nearly equal times) goes to a three-way quicksort, so equal times cost nothing and any input stays O(n log n).
 */

import type { Poll } from '../../budget.ts';
import { inBlocks } from './polled-pass.ts';

/** Items in time order: their times and who they are. */
export interface TimeOrder {
  readonly time: Float64Array;
  readonly id: Int32Array;
}

const insertionLimit = 24;

/** For polls: the elementary steps an item takes in a pass over all of them, and to be sorted within its bucket. */
const stepsPerPass = 20;
const stepsToSort = 40;

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

function swap(time: Float64Array, id: Int32Array, a: number, b: number): void {
  const t = time[a];
  time[a] = time[b];
  time[b] = t;
  const v = id[a];
  id[a] = id[b];
  id[b] = v;
}

/** Three-way quicksort of [from, to), pivot the median of three; recursion on the smaller side only. */
function quickSort(time: Float64Array, id: Int32Array, start: number, end: number): void {
  let from = start;
  let to = end;
  while (to - from > insertionLimit) {
    const a = time[from];
    const b = time[(from + to) >> 1];
    const c = time[to - 1];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let less = from;
    let more = to;
    let i = from;
    while (i < more) {
      const t = time[i];
      if (t < pivot) swap(time, id, i++, less++);
      else if (t > pivot) swap(time, id, i, --more);
      else i++;
    }
    if (less - from < to - more) {
      quickSort(time, id, from, less);
      from = more;
    } else {
      quickSort(time, id, more, to);
      to = less;
    }
  }
  insertionSort(time, id, from, to);
}

/**
 * Where the counting pass put the items: each has a seat, the seats of a bucket are next to each other. What is
 * computed in time order and written by seat stays in the cache. Then {@link bySeat} brings it to the items' own order
 * along one stream a bucket. At ten million items that takes half as long as writing to items in time order.
 */
interface Seats {
  readonly key: Float64Array;
  readonly second: Uint8Array | null;
  /** Buckets of one class, buckets a unit of time, and the first seat of each bucket of both classes. */
  readonly buckets: number;
  readonly scale: number;
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
 * Sorts times of two classes in one go.
 *
 * @param key times, length n, finite; kept by the answer
 * @param second 1 where an item belongs to the second class, null when there is only the first
 * @param span times below 0 or above `span` are legal but share the outer buckets
 */
export function seatByTime(key: Float64Array, second: Uint8Array | null, span: number, poll?: Poll): SeatedOrder {
  const n = key.length;
  const buckets = Math.max(1, Math.min(1024, n >> 7));
  const scale = span > 0 ? buckets / span : 0;
  const start = new Int32Array(2 * buckets + 1);
  const seats: Seats = { key, second, buckets, scale, start };
  let widest = 0;
  countBuckets(seats, poll);
  for (let b = 0; b < 2 * buckets; b++) {
    if (start[b + 1] > widest) widest = start[b + 1];
    start[b + 1] += start[b];
  }
  const time = new Float64Array(n);
  seatTimes(seats, time, poll);
  const id = new Int32Array(n);
  const scratch: Scratch = {
    time: new Float64Array(widest),
    cell: new Int32Array(widest),
    count: new Int32Array(widest + 1),
  };
  for (let b = 0; b < 2 * buckets; b++) {
    sortBucket(time, id, start[b], start[b + 1], scratch);
    poll?.(stepsToSort * (start[b + 1] - start[b]));
  }
  return { order: { time, id }, first: start[buckets], seats };
}

/** {@link seatByTime} for those who want items: `id` are positions in `key`. */
export function sortByTime(
  key: Float64Array,
  second: Uint8Array | null,
  span: number,
  poll?: Poll,
): { order: TimeOrder; first: number } {
  const { order, first, seats } = seatByTime(key, second, span, poll);
  const item = itemsBySeat(seats, poll);
  const { id } = order;
  inBlocks(id.length, stepsPerPass, poll, (from, to) => {
    for (let i = from; i < to; i++) id[i] = item[id[i]];
  });
  return { order, first };
}

/** `result[i]` = the value at the seat of item i. O(n). */
export function bySeat(
  { key, second, buckets, scale, start }: Seats,
  values: Int32Array,
  result: Int32Array,
  poll?: Poll,
): void {
  const last = buckets - 1;
  const next = start.slice();
  inBlocks(key.length, stepsPerPass, poll, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = key[i] * scale;
      let b = x > 0 ? (x < last ? x | 0 : last) : 0;
      if (second !== null && second[i] !== 0) b += buckets;
      result[i] = values[next[b]++];
    }
  });
}

/** The item at each seat. O(n). */
export function itemsBySeat({ key, second, buckets, scale, start }: Seats, poll?: Poll): Int32Array {
  const last = buckets - 1;
  const next = start.slice();
  const item = new Int32Array(key.length);
  inBlocks(key.length, stepsPerPass, poll, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = key[i] * scale;
      let b = x > 0 ? (x < last ? x | 0 : last) : 0;
      if (second !== null && second[i] !== 0) b += buckets;
      item[next[b]++] = i;
    }
  });
  return item;
}

/** Counts the items of bucket b in start[b + 1]. */
function countBuckets({ key, second, buckets, scale, start }: Seats, poll?: Poll): void {
  const last = buckets - 1;
  inBlocks(key.length, stepsPerPass, poll, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = key[i] * scale;
      let b = x > 0 ? (x < last ? x | 0 : last) : 0;
      if (second !== null && second[i] !== 0) b += buckets;
      start[b + 1]++;
    }
  });
}

/** Writes each item's time at its seat. */
function seatTimes({ key, second, buckets, scale, start }: Seats, time: Float64Array, poll?: Poll): void {
  const last = buckets - 1;
  const next = start.slice();
  inBlocks(key.length, stepsPerPass, poll, (from, to) => {
    for (let i = from; i < to; i++) {
      const t = key[i];
      const x = t * scale;
      let b = x > 0 ? (x < last ? x | 0 : last) : 0;
      if (second !== null && second[i] !== 0) b += buckets;
      time[next[b]++] = t;
    }
  });
}

/** Buffers as long as the widest bucket. */
interface Scratch {
  readonly time: Float64Array;
  readonly cell: Int32Array;
  readonly count: Int32Array;
}

/** Counting sort of [from, to), whose ids become its positions, to about one item a cell, then insertion. */
function sortBucket(time: Float64Array, id: Int32Array, from: number, to: number, scratch: Scratch): void {
  const m = to - from;
  if (m <= insertionLimit) {
    for (let i = from; i < to; i++) id[i] = i;
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
    for (let i = from; i < to; i++) id[i] = i;
    quickSort(time, id, from, to);
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
      if (count[c] - begin > insertionLimit) quickSort(time, id, from + begin, from + count[c]);
    }
  }
  insertionSort(time, id, from, to);
}
