/**
 * The slots laid out for outward scans, as lines of slots in time order. There is one merged line of all crawlers (for
 * tasks that may use any) and one line a crawler (for tasks that may not). Each is cut into blocks of 64 and 4096
 * entries.
 *
 * Layout: all lines stand in one array of entries, and a line starts at a multiple of 64. The entry before its first
 * and the one after its last are padding, so that both can serve as sentinels. A slot is known here by its dense number
 * 0..M−1 (its position in time order). It has one entry in each kind of line that exists.
 */
import type { Poll } from '../../budget.ts';
import { type SlotGrid, slotTime } from './instance.ts';
import { inBlocks, PolledPass } from './polled-pass.ts';
import type { TimeOrder } from './time-sort.ts';

/** Lines start at multiples of this. */
export const lineAlignment = 64;

/** For polls: elementary steps to lay out a slot, and to find its crawler. */
const stepsPerSlot = 40;
const stepsToFindCrawler = 100;

/** Lines of slots; all arrays over entries unless said otherwise. */
export interface SlotLines {
  /** Position of the merged line, −1 without one; the line of the c-th crawler is `firstCrawlerLine + c`. */
  readonly merged: number;
  readonly firstCrawlerLine: number;
  /** First entry and one past the last entry of each line. */
  readonly lineStart: Int32Array;
  readonly lineEnd: Int32Array;
  /** Time of each entry; padding: +∞. */
  readonly time: Float64Array;
  /** Dense slot number of each entry; padding: −1. */
  readonly slot: Int32Array;
  /** Entry of each slot in the merged line (or, without one, in its crawler's), and its other entry or −1. */
  readonly entry: Int32Array;
  readonly otherEntry: Int32Array;
  /** Slot number in the grid of each dense slot. */
  readonly gridSlot: Int32Array;
}

const aligned = (length: number): number => (Math.floor(length / lineAlignment) + 1) * lineAlignment;

/**
 * @param order the slots of the crawlers in time order (grid numbers)
 * @param crawlers positions of the crawlers, ascending
 * @param wanted whether a merged line is wanted, and whether a line for each crawler
 */
export function slotLines(
  grid: SlotGrid,
  order: TimeOrder,
  crawlers: Int32Array,
  { merged, apart }: { readonly merged: boolean; readonly apart: boolean },
  poll?: Poll,
): SlotLines {
  const m = order.id.length;
  const lineCount = (merged ? 1 : 0) + (apart ? crawlers.length : 0);
  const lineStart = new Int32Array(lineCount);
  const lineEnd = new Int32Array(lineCount);
  let at = lineAlignment;
  const firstCrawlerLine = merged ? 1 : 0;
  const place = (line: number, length: number): void => {
    lineStart[line] = at;
    lineEnd[line] = at + length;
    at += aligned(length);
  };
  if (merged) place(0, m);
  if (apart) for (let c = 0; c < crawlers.length; c++) place(firstCrawlerLine + c, grid.slotCounts[crawlers[c]]);
  const time = new Float64Array(at).fill(Number.POSITIVE_INFINITY);
  const slot = new Int32Array(at).fill(-1);
  const entry = new Int32Array(m).fill(-1);
  const otherEntry = new Int32Array(m).fill(-1);
  if (merged) {
    inBlocks(m, stepsPerSlot, poll, (from, to) => {
      for (let r = from; r < to; r++) {
        time[lineStart[0] + r] = order.time[r];
        slot[lineStart[0] + r] = r;
        entry[r] = lineStart[0] + r;
      }
    });
  }
  if (apart) {
    const base = new Int32Array(crawlers.length);
    let total = 0;
    for (let c = 0; c < crawlers.length; c++) {
      base[c] = total;
      total += grid.slotCounts[crawlers[c]];
    }
    const rank = new Int32Array(m);
    const owner = crawlersOf(grid, crawlers, order.id, poll);
    for (let r = 0; r < m; r++) {
      rank[base[owner[r]] + order.id[r] - grid.offset[crawlers[owner[r]]]] = r;
    }
    for (let c = 0; c < crawlers.length; c++) {
      const slots = grid.slotCounts[crawlers[c]];
      const start = lineStart[firstCrawlerLine + c];
      for (let l = 0; l < slots; l++) {
        const r = rank[base[c] + l];
        time[start + l] = slotTime(grid.interval, slots, l);
        slot[start + l] = r;
        if (merged) otherEntry[r] = start + l;
        else entry[r] = start + l;
      }
      poll?.(stepsPerSlot * slots);
    }
  }
  return {
    merged: merged ? 0 : -1,
    firstCrawlerLine,
    lineStart,
    lineEnd,
    time,
    slot,
    entry,
    otherEntry,
    gridSlot: order.id,
  };
}

/** 0, 1, …, count − 1. O(count). */
export function positions(count: number): Int32Array {
  const result = new Int32Array(count);
  for (let i = 0; i < count; i++) result[i] = i;
  return result;
}

/** Position within `crawlers` of the crawler that owns each grid slot. */
function crawlersOf(grid: SlotGrid, crawlers: Int32Array, slots: Int32Array, poll?: Poll): Int32Array {
  const result = new Int32Array(slots.length);
  const { offset } = grid;
  const pass = new PolledPass(stepsToFindCrawler, poll);
  for (let i = 0; i < slots.length; i++) {
    let low = 0;
    let high = crawlers.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (offset[crawlers[middle]] <= slots[i]) low = middle;
      else high = middle;
    }
    // Crawlers without slots share their offset with the next one; the last of them is the owner, found above.
    result[i] = low;
    pass.passed(1);
  }
  pass.end();
  return result;
}

/** First entry of a line whose time is at least t (or, `after`, above t). O(log of its length), O(1) on even grids. */
export function anchor(lines: SlotLines, line: number, t: number, after: boolean): number {
  const { time } = lines;
  const start = lines.lineStart[line];
  const end = lines.lineEnd[line];
  let low = start;
  let high = end;
  if (end > start && time[end - 1] > 0) {
    // Slots are nearly evenly spread: look in the neighbourhood of where t would be, and search only if it is not
    // there.
    const guess = start + Math.max(0, Math.min(end - start - 1, Math.floor((t / time[end - 1]) * (end - start - 1))));
    const left = Math.max(start, guess - 8);
    const right = Math.min(end, guess + 8);
    if (left === start || (after ? time[left - 1] <= t : time[left - 1] < t)) low = left;
    if (right === end || (after ? time[right] > t : time[right] >= t)) high = right;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (after ? time[middle] <= t : time[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}
