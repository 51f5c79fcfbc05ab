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

/**
 * Start of slot l (from 0) of a crawler with `slots` slots. All slot times are computed here, so that equal times are
 * equal to the bit.
 */
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
