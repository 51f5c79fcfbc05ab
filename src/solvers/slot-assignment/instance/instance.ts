/**
 * Slot assignment: the data of one instance, and the grid of slots it is solved on.
 *
 * Model: n tasks, C crawlers; crawler k has S_k slots in the interval T, slot l (from 0) starts at l·T/S_k. Every task
 * takes one slot, every slot at most one task. A flexible task with ideal time t costs w·|τ − t| at time τ; a release
 * task costs w·(τ − t) and cannot run before t. Tasks may be kept to some crawlers and to a window of time; a task may
 * be dropped at a flat penalty. The total is minimised: a transportation problem.
 *
 * Source: section 3 of Wolf, Squillante, Yu, Sethuraman, Ozsen (2002), Optimal Crawling Strategies for Web Search
 * Engines. Equations (23)–(26) there mix up their indices, and T_kl = (l−1)/T there is (l−1)·T/S_k here.
 */
import { flexibleTask, type SlotAssignmentProblem } from '../problem.ts';

/** The slots numbered crawler by crawler: slot l of crawler k is number offset[k] + l. */
export interface SlotGrid {
  readonly interval: number;
  readonly slotCounts: Int32Array;
  /** C + 1 offsets. */
  readonly offset: Int32Array;
  /** How many slots there are in all. */
  readonly total: number;
}

/** Number of a task's slot when it is dropped. */
export const dropped = -1;

/** The grid of an instance. O(C). */
export function slotGrid(interval: number, slotCounts: Int32Array): SlotGrid {
  const offset = new Int32Array(slotCounts.length + 1);
  for (let k = 0; k < slotCounts.length; k++) offset[k + 1] = offset[k] + slotCounts[k];
  return { interval, slotCounts, offset, total: offset[slotCounts.length] };
}

/** Start of slot l (from 0) of a crawler with `slots` slots. The one place where the time of a slot is computed. */
export function slotTime(interval: number, slots: number, l: number): number {
  return (l * interval) / slots;
}

/** The crawler that owns a slot number. O(log C). */
export function crawlerOfSlot(grid: SlotGrid, slot: number): number {
  const { offset } = grid;
  let low = 0;
  let high = offset.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offset[middle] <= slot) low = middle;
    else high = middle;
  }
  return low;
}

/** The earliest time at which task j may start: its own window and, for a release task, its ideal time. */
export function earliestStart(instance: SlotAssignmentProblem, j: number): number {
  const own = instance.earliest === null ? Number.NEGATIVE_INFINITY : instance.earliest[j];
  if (instance.kind === null || instance.kind[j] === flexibleTask) return own;
  return Math.max(own, instance.idealTime[j]);
}

/** The latest time at which task j may start. */
export function latestStart(instance: SlotAssignmentProblem, j: number): number {
  return instance.latest === null ? Number.POSITIVE_INFINITY : instance.latest[j];
}

/** Where each task of an assignment runs: crawler and slot (−1 where dropped) and time (NaN where dropped). */
export interface Placement {
  readonly crawler: Int32Array;
  readonly slot: Int32Array;
  readonly time: Float64Array;
}

/**
 * Crawler, slot and time of each task from slot numbers. O(n), O(n log C) when slot counts differ.
 *
 * @param room arrays of n each that may be overwritten and become the answer; null: new ones
 */
export function placement(grid: SlotGrid, slotOf: Int32Array, room: Placement | null): Placement {
  const n = slotOf.length;
  const placed = room ?? { crawler: new Int32Array(n), slot: new Int32Array(n), time: new Float64Array(n) };
  const { slotCounts } = grid;
  const same = slotCounts.every((count) => count === slotCounts[0]) ? slotCounts[0] : 0;
  if (same > 0) placeOnEqual(grid, same, slotOf, placed);
  else placeOnUnequal(grid, slotOf, placed);
  return placed;
}

/** Crawlers with equal slot counts: the crawler of a slot number is a quotient. */
function placeOnEqual({ interval }: SlotGrid, same: number, slotOf: Int32Array, placed: Placement): void {
  const { crawler, slot, time } = placed;
  // (s + ½)/same is at least ½/same from every integer, so rounding cannot move it across one.
  const inverse = 1 / same;
  for (let j = 0; j < slotOf.length; j++) {
    const s = slotOf[j];
    const k = s === dropped ? -1 : ((s + 0.5) * inverse) | 0;
    const l = s === dropped ? -1 : s - k * same;
    crawler[j] = k;
    slot[j] = l;
    time[j] = s === dropped ? Number.NaN : slotTime(interval, same, l);
  }
}

function placeOnUnequal(grid: SlotGrid, slotOf: Int32Array, { crawler, slot, time }: Placement): void {
  const { slotCounts, offset, interval } = grid;
  for (let j = 0; j < slotOf.length; j++) {
    const s = slotOf[j];
    const k = s === dropped ? -1 : crawlerOfSlot(grid, s);
    const l = s === dropped ? -1 : s - offset[k];
    crawler[j] = k;
    slot[j] = l;
    time[j] = s === dropped ? Number.NaN : slotTime(interval, slotCounts[k], l);
  }
}
