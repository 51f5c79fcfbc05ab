/**
 * A part in the form that the shortest paths and the auction solve: windows, and the slots laid out for outward scans.
 *
 * Lines: slots in time order, one merged line of all crawlers (for tasks that may use any) and one line a crawler (for
 * tasks that may not). All lines stand in one array of entries. A line starts at a multiple of 64; the entry before its
 * first and the one after its last are padding, so that both can serve as sentinels. A slot is known here by its dense
 * number 0..M−1 (its position in time order). It has one entry in each kind of line that exists.
 */
import type { SlotAssignmentProblem } from '../problem.ts';
import { crawlerOfSlot, earliestStart, latestStart, type SlotGrid } from './instance.ts';
import type { Part, PartTasks } from './parts.ts';
import type { TimeOrder } from './time-sort.ts';

/** Every line starts at a multiple of this many entries. */
export const lineAlignment = 64;

/** Lines of slots; all arrays over entries unless said otherwise. */
export interface SlotLines {
  /** Position of the merged line, −1 without one; the line of the c-th crawler is `firstCrawlerLine + c`. */
  readonly mergedLine: number;
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

/** Tasks and slots of one connected part of an instance; arrays over its n tasks. */
export interface MatchingProblem {
  readonly ideal: Float64Array;
  readonly weight: Float64Array;
  /** Window of the start time, ±∞ where open; a release task's ideal time is in it. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Lines each task may use: lineOf[lineFrom[j] .. lineFrom[j+1]−1]. */
  readonly lineFrom: Int32Array;
  readonly lineOf: Int32Array;
  /**
   * Where the task's scan of that line starts: the first entry to the right of its ideal time, moved into its window.
   */
  readonly anchors: Int32Array;
  readonly dropPenalty: number;
  readonly lines: SlotLines;
}

/** Tasks that can use only these slots (dense numbers), one fewer than the tasks. */
export interface HallSet {
  readonly tasks: Int32Array;
  readonly slots: Int32Array;
}

/** Lays out a part as lines of slots. O(n + pairs + M log C). */
export function matchingProblem(
  instance: SlotAssignmentProblem,
  grid: SlotGrid,
  part: Part,
  tasks: PartTasks,
  slots: TimeOrder,
): MatchingProblem {
  const { allowed } = instance;
  const { ideal } = tasks;
  const n = ideal.length;
  const low = new Float64Array(n);
  const high = new Float64Array(n);
  const lineFrom = new Int32Array(n + 1);
  const original = (i: number): number => (part.tasks === null ? i : part.tasks[i]);
  const restricted = (j: number): number => {
    if (allowed === null || part.open) return 0;
    const listedCount = allowed.start[j + 1] - allowed.start[j];
    return listedCount === part.crawlers.length ? 0 : listedCount;
  };
  let hasCrawlerLines = false;
  let hasMergedLine = false;
  for (let i = 0; i < n; i++) {
    const j = original(i);
    low[i] = earliestStart(instance, j);
    high[i] = latestStart(instance, j);
    const listedCount = restricted(j);
    if (listedCount === 0) hasMergedLine = true;
    else hasCrawlerLines = true;
    lineFrom[i + 1] = lineFrom[i] + Math.max(1, listedCount);
  }
  const lines = slotLines(grid, slots, part.crawlers, { hasMergedLine, hasCrawlerLines });
  const lineOfCrawler = new Int32Array(grid.slotCounts.length);
  for (let c = 0; c < part.crawlers.length; c++) lineOfCrawler[part.crawlers[c]] = lines.firstCrawlerLine + c;
  const lineOf = new Int32Array(lineFrom[n]);
  const anchors = new Int32Array(lineFrom[n]);
  for (let i = 0; i < n; i++) {
    const j = original(i);
    const first = allowed === null || restricted(j) === 0 ? -1 : allowed.start[j];
    for (let a = lineFrom[i]; a < lineFrom[i + 1]; a++) {
      const line =
        allowed === null || first < 0 ? lines.mergedLine : lineOfCrawler[allowed.crawlers[first + a - lineFrom[i]]];
      lineOf[a] = line;
      anchors[a] =
        high[i] < ideal[i]
          ? anchor(lines, line, high[i], true)
          : anchor(lines, line, Math.max(ideal[i], low[i]), false);
    }
  }
  const weight = tasks.weight ?? new Float64Array(n).fill(tasks.commonWeight);
  return { ideal, weight, low, high, lineFrom, lineOf, anchors, dropPenalty: instance.dropPenalty, lines };
}

/**
 * Lays out the slots as lines.
 *
 * @param order the slots of the crawlers in time order (grid numbers)
 * @param crawlers positions of the crawlers, ascending
 * @param lineKinds whether to lay out a merged line, and whether a line for each crawler
 */
function slotLines(
  grid: SlotGrid,
  order: TimeOrder,
  crawlers: Int32Array,
  { hasMergedLine, hasCrawlerLines }: { readonly hasMergedLine: boolean; readonly hasCrawlerLines: boolean },
): SlotLines {
  const m = order.id.length;
  const lengths = [...(hasMergedLine ? [m] : []), ...(hasCrawlerLines ? crawlers : []).map((k) => grid.slotCounts[k])];
  const firstCrawlerLine = hasMergedLine ? 1 : 0;
  const lineStart = new Int32Array(lengths.length);
  let at = lineAlignment;
  for (const [line, length] of lengths.entries()) {
    lineStart[line] = at;
    at += (Math.floor(length / lineAlignment) + 1) * lineAlignment;
  }
  const lineEnd = lineStart.map((start, line) => start + lengths[line]);
  const time = new Float64Array(at).fill(Number.POSITIVE_INFINITY);
  const slot = new Int32Array(at).fill(-1);
  const entry = new Int32Array(m).fill(-1);
  const otherEntry = new Int32Array(m).fill(-1);
  const lineOfCrawler = new Int32Array(grid.slotCounts.length);
  for (let c = 0; c < crawlers.length; c++) lineOfCrawler[crawlers[c]] = firstCrawlerLine + c;
  for (let r = 0; r < m; r++) {
    if (hasMergedLine) {
      entry[r] = lineStart[0] + r;
      time[entry[r]] = order.time[r];
      slot[entry[r]] = r;
    }
    if (!hasCrawlerLines) continue;
    const k = crawlerOfSlot(grid, order.id[r]);
    const e = lineStart[lineOfCrawler[k]] + order.id[r] - grid.offset[k];
    time[e] = order.time[r];
    slot[e] = r;
    if (hasMergedLine) otherEntry[r] = e;
    else entry[r] = e;
  }
  const gridSlot = order.id;
  return {
    mergedLine: hasMergedLine ? 0 : -1,
    firstCrawlerLine,
    lineStart,
    lineEnd,
    time,
    slot,
    entry,
    otherEntry,
    gridSlot,
  };
}

/** Whether some tasks may use some crawlers only. */
export function isRestricted({ lines }: MatchingProblem): boolean {
  return lines.lineStart.length > 1;
}

/** Whether a task may use a slot (dense number): its window and its crawlers. */
export function mayUse({ low, high, lineFrom, lineOf, lines }: MatchingProblem, j: number, s: number): boolean {
  const tau = lines.time[lines.entry[s]];
  if (tau < low[j] || tau > high[j]) return false;
  if (lineOf[lineFrom[j]] === lines.mergedLine) return true;
  const own = lines.mergedLine >= 0 ? lines.otherEntry[s] : lines.entry[s];
  for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
    if (lines.lineStart[lineOf[i]] <= own && own < lines.lineEnd[lineOf[i]]) return true;
  }
  return false;
}

/** First entry of a line whose time is at least t (or, `after`, above t). O(log of its length), O(1) on even grids. */
function anchor(lines: SlotLines, line: number, t: number, after: boolean): number {
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
