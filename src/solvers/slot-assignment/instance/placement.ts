/** Figures of an assignment: crawler and time of each task, cost, deviations from ideal times, tasks by crawler. */
import type { SlotAssignmentProblem } from '../problem.ts';
import { crawlerOfSlot, dropped, type SlotGrid, slotTime } from './instance.ts';

/** Terms of a block of a sum: rounding then grows with the number of blocks only. */
const termsPerBlock = 4096;

/** Where each task of an assignment runs: crawler and slot (−1 where dropped) and time (NaN where dropped). */
export interface Placement {
  readonly crawler: Int32Array;
  readonly slot: Int32Array;
  readonly time: Float64Array;
}

/**
 * Crawler, slot and time of each task from slot numbers. O(n), O(n log C) when slot counts differ.
 *
 * @param buffers arrays of n each that may be overwritten and become the answer; null: new ones
 */
export function placement(grid: SlotGrid, slotOf: Int32Array, buffers: Placement | null): Placement {
  const n = slotOf.length;
  const result = buffers ?? { crawler: new Int32Array(n), slot: new Int32Array(n), time: new Float64Array(n) };
  const { crawler, slot, time } = result;
  const { slotCounts, offset, interval } = grid;
  // Where all crawlers have as many slots, the crawler is a quotient: (s + ½)/same is at least ½/same from every
  // integer, so rounding cannot move it across one.
  const commonCount = slotCounts.every((count) => count === slotCounts[0]) ? slotCounts[0] : 0;
  const inverse = 1 / commonCount;
  for (let j = 0; j < n; j++) {
    const s = slotOf[j];
    if (s === dropped) {
      crawler[j] = slot[j] = dropped;
      time[j] = Number.NaN;
      continue;
    }
    const k = commonCount > 0 ? ((s + 0.5) * inverse) | 0 : crawlerOfSlot(grid, s);
    const l = s - offset[k];
    crawler[j] = k;
    slot[j] = l;
    time[j] = slotTime(interval, slotCounts[k], l);
  }
  return result;
}

/**
 * Cost of some tasks under an assignment, Σ w·|time − idealTime| plus the penalties, and how many it leaves out. O(n).
 *
 * @param time start of each task, NaN where dropped
 * @param tasks positions of the tasks that count, null: all
 */
export function costOf(instance: SlotAssignmentProblem, time: Float64Array, tasks: Int32Array | null) {
  const { idealTime, weight, dropPenalty } = instance;
  const count = tasks === null ? idealTime.length : tasks.length;
  let value = 0;
  let droppedCount = 0;
  for (let from = 0; from < count; from += termsPerBlock) {
    const to = Math.min(from + termsPerBlock, count);
    let block = 0;
    for (let i = from; i < to; i++) {
      const j = tasks === null ? i : tasks[i];
      const deviation = Math.abs(time[j] - idealTime[j]);
      if (Number.isNaN(deviation)) droppedCount++;
      else block += weight === null ? deviation : weight[j] * deviation;
    }
    value += block;
  }
  if (droppedCount > 0) value += droppedCount * dropPenalty;
  return { value, droppedCount };
}

/** Distribution of |time − idealTime| over the tasks that run. */
interface Deviation {
  readonly mean: number;
  /** Nearest rank: the least deviation that at least 95% of the tasks do not exceed. */
  readonly p95: number;
  readonly max: number;
}

/** The deviations of a placement; null when no task runs. O(n): selection, no sorting. */
export function deviationOf(idealTime: Float64Array, { time }: Placement): Deviation | null {
  const deviations = new Float64Array(time.length);
  let count = 0;
  let max = 0;
  let total = 0;
  for (let from = 0; from < time.length; from += termsPerBlock) {
    let block = 0;
    for (let j = from, to = Math.min(from + termsPerBlock, time.length); j < to; j++) {
      const deviation = Math.abs(time[j] - idealTime[j]);
      if (Number.isNaN(deviation)) continue;
      deviations[count++] = deviation;
      block += deviation;
      if (deviation > max) max = deviation;
    }
    total += block;
  }
  if (count === 0) return null;
  const rank = Math.max(0, Math.ceil(0.95 * count) - 1);
  return { mean: total / count, p95: select(deviations.subarray(0, count), rank), max };
}

/** The value of the given rank (from 0); reorders the values. Expected O(n). */
function select(values: Float64Array, rank: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const a = values[from];
    const b = values[(from + to) >> 1];
    const c = values[to];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = from;
    let k = to;
    while (i <= k) {
      while (values[i] < pivot) i++;
      while (values[k] > pivot) k--;
      if (i <= k) {
        const v = values[i];
        values[i++] = values[k];
        values[k--] = v;
      }
    }
    if (rank <= k) to = k;
    else if (rank >= i) from = i;
    else break;
  }
  return values[rank];
}

/** How many tasks each crawler runs. O(n). */
export function tasksPerCrawler(grid: SlotGrid, { crawler }: Placement): Int32Array {
  const counts = new Int32Array(grid.slotCounts.length);
  for (let j = 0; j < crawler.length; j++) if (crawler[j] !== dropped) counts[crawler[j]]++;
  return counts;
}
