import type { Poll } from '../../budget.ts';
import { type SlotGrid, slotTime } from './instance.ts';
import { inBlocks, PolledPass } from './polled-pass.ts';
import { sortByTime, type TimeOrder } from './time-sort.ts';

/** The slots of some crawlers in time order, those of one time in groups: ten equal crawlers, a tenth of the memory. */
export interface SlotGroups {
  /** Time of each group, ascending. */
  readonly time: Float64Array;
  /** Slots in every group; ties are in a fixed order. */
  readonly size: number;
  /** Slot c of group g has the number `numberFrom[c] + g` in the grid; null where `number` has them by group. */
  readonly numberFrom: Int32Array | null;
  /** With groups of one slot each: their numbers. */
  readonly number: Int32Array;
}

/** Elementary steps that a slot takes, for polls. */
const stepsPerSlot = 20;

/** How many slots there are. */
export function slotsIn({ time, size }: SlotGroups): number {
  return time.length * size;
}

/** Number in the grid of slot c of group g. */
export function slotNumber({ numberFrom, number }: SlotGroups, g: number, c: number): number {
  return numberFrom === null ? number[g] : numberFrom[c] + g;
}

/**
 * Crawlers with equal slot counts have their slots in closed form, O(M / crawlers); otherwise a sort by time, O(M) for
 * the even grids that slots are.
 *
 * @param crawlers positions of the crawlers, ascending; null: all of them
 */
export function slotGroups(grid: SlotGrid, crawlers: Int32Array | null, poll?: Poll): SlotGroups {
  const { slotCounts, offset, interval } = grid;
  const chosen = crawlers ?? Int32Array.from(slotCounts.keys());
  const slots = chosen.length > 0 ? slotCounts[chosen[0]] : 0;
  if (chosen.every((k) => slotCounts[k] === slots)) {
    const time = new Float64Array(slots);
    setTimes(time, 0, { interval, slots }, poll);
    return { time, size: chosen.length, numberFrom: chosen.map((k) => offset[k]), number: new Int32Array(0) };
  }
  const total = chosen.reduce((sum, k) => sum + slotCounts[k], 0);
  const time = new Float64Array(total);
  const id = new Int32Array(total);
  let r = 0;
  for (const k of chosen) {
    setTimes(time, r, { interval, slots: slotCounts[k] }, poll);
    for (let l = 0; l < slotCounts[k]; l++, r++) id[r] = offset[k] + l;
  }
  const { order } = sortByTime(time, null, interval, poll);
  for (let i = 0; i < total; i++) order.id[i] = id[order.id[i]];
  return { time: order.time, size: 1, numberFrom: null, number: order.id };
}

/** Writes the times of all slots of a crawler, from the position `at` on. */
function setTimes(
  time: Float64Array,
  at: number,
  { interval, slots }: { readonly interval: number; readonly slots: number },
  poll: Poll | undefined,
): void {
  inBlocks(slots, stepsPerSlot, poll, (from, to) => {
    for (let l = from; l < to; l++) time[at + l] = slotTime(interval, slots, l);
  });
}

/** Every slot of the groups, with its number in the grid. O(M). */
export function everySlot(groups: SlotGroups, poll?: Poll): TimeOrder {
  const { time: groupTime, size } = groups;
  const time = new Float64Array(slotsIn(groups));
  const id = new Int32Array(time.length);
  const pass = new PolledPass(stepsPerSlot, poll);
  for (let g = 0, k = 0; g < groupTime.length; g++) {
    for (let c = 0; c < size; c++, k++) {
      time[k] = groupTime[g];
      id[k] = slotNumber(groups, g, c);
    }
    pass.passed(size);
  }
  pass.end();
  return { time, id };
}

/** The slots of some crawlers in time order, one by one: see {@link slotGroups}. */
export function slotsInTimeOrder(grid: SlotGrid, crawlers: Int32Array | null, poll?: Poll): TimeOrder {
  return everySlot(slotGroups(grid, crawlers, poll), poll);
}
