/**
 * Sorting by time, in linear time for times spread over the interval.
 *
 * Method: one counting pass into at most 2048 buckets of time for each class (flexible, release), then inside each
 * bucket (small enough for the cache) a counting sort to about one item a cell, then insertion. A crowded cell (many
 * nearly equal times) goes to a three-way quicksort, so equal times cost nothing and any input stays O(n log n).
 */

/** Items in time order: their times and who they are. */
export interface TimeOrder {
  readonly time: Float64Array;
  readonly id: Int32Array;
}

const insertionLimit = 24;

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
 * Sorts times of two classes in one go.
 *
 * @param key times, length n, finite
 * @param second 1 where an item belongs to the second class, null when there is only the first
 * @param span times below 0 or above `span` are legal but share the outer buckets
 * @returns the first class in time order, then the second: positions 0..first−1 and first..n−1 of `order`
 */
export function sortByTime(
  key: Float64Array,
  second: Uint8Array | null,
  span: number,
): { order: TimeOrder; first: number } {
  const n = key.length;
  const buckets = Math.max(1, Math.min(2048, n >> 7));
  const scale = span > 0 ? buckets / span : 0;
  const last = buckets - 1;
  const start = new Int32Array(2 * buckets + 1);
  for (let i = 0; i < n; i++) {
    const x = key[i] * scale;
    let b = x > 0 ? (x < last ? x | 0 : last) : 0;
    if (second !== null && second[i] !== 0) b += buckets;
    start[b + 1]++;
  }
  let widest = 0;
  for (let b = 0; b < 2 * buckets; b++) {
    if (start[b + 1] > widest) widest = start[b + 1];
    start[b + 1] += start[b];
  }
  const time = new Float64Array(n);
  const id = new Int32Array(n);
  const next = start.slice();
  for (let i = 0; i < n; i++) {
    const t = key[i];
    const x = t * scale;
    let b = x > 0 ? (x < last ? x | 0 : last) : 0;
    if (second !== null && second[i] !== 0) b += buckets;
    const at = next[b]++;
    time[at] = t;
    id[at] = i;
  }
  const scratch: Scratch = {
    time: new Float64Array(widest),
    id: new Int32Array(widest),
    cell: new Int32Array(widest),
    count: new Int32Array(widest + 1),
  };
  for (let b = 0; b < 2 * buckets; b++) sortBucket(time, id, start[b], start[b + 1], scratch);
  return { order: { time, id }, first: start[buckets] };
}

interface Scratch {
  readonly time: Float64Array;
  readonly id: Int32Array;
  readonly cell: Int32Array;
  readonly count: Int32Array;
}

/** Counting sort of [from, to) to about one item a cell, then insertion. */
function sortBucket(time: Float64Array, id: Int32Array, from: number, to: number, scratch: Scratch): void {
  const m = to - from;
  if (m <= insertionLimit) {
    insertionSort(time, id, from, to);
    return;
  }
  let low = time[from];
  let high = low;
  for (let i = from + 1; i < to; i++) {
    const t = time[i];
    if (t < low) low = t;
    else if (t > high) high = t;
  }
  if (low === high) return;
  const scale = (m - 1) / (high - low);
  if (!Number.isFinite(scale)) {
    quickSort(time, id, from, to);
    return;
  }
  const { count, cell } = scratch;
  count.fill(0, 0, m + 1);
  for (let i = 0; i < m; i++) {
    const t = time[from + i];
    const c = ((t - low) * scale) | 0;
    scratch.time[i] = t;
    scratch.id[i] = id[from + i];
    cell[i] = c;
    count[c + 1]++;
  }
  let crowded = false;
  for (let c = 0; c < m; c++) {
    if (count[c + 1] > insertionLimit) crowded = true;
    count[c + 1] += count[c];
  }
  for (let i = 0; i < m; i++) {
    const at = from + count[cell[i]]++;
    time[at] = scratch.time[i];
    id[at] = scratch.id[i];
  }
  // count[c] is now the end of cell c; the start of cell c is the end of cell c − 1.
  if (crowded) {
    for (let c = 0, begin = 0; c < m; begin = count[c++]) {
      if (count[c] - begin > insertionLimit) quickSort(time, id, from + begin, from + count[c]);
    }
  }
  insertionSort(time, id, from, to);
}
