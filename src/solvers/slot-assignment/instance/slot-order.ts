import { type SlotGrid, slotTime } from './instance.ts';
import { positions } from './positions.ts';
import { sortByTime, type TimeOrder } from './time-sort.ts';

/**
 * The slots of some crawlers in time order, grouped by time: with ten equal crawlers that takes a tenth of the memory.
 */
export interface SlotGroups {
  /** Time of each group, ascending. */
  readonly time: Float64Array;
  /** Slots in every group, in a fixed order. */
  readonly size: number;
  /**
   * Slot c of group g has the number `numberFrom[c] + g` in the grid; null where `number` lists the numbers by group.
   */
  readonly numberFrom: Int32Array | null;
  /** Numbers in the grid by group, where every group is one slot. */
  readonly number: Int32Array;
}

/** How many slots there are. */
export function slotsIn({ time, size }: SlotGroups): number {
  return time.length * size;
}

/** Number in the grid of slot c of group g. */
export function slotNumber({ numberFrom, number }: SlotGroups, g: number, c: number): number {
  return numberFrom === null ? number[g] : numberFrom[c] + g;
}

/**
 * Groups the slots of some crawlers by time. Crawlers with equal slot counts have their slots in closed form, O(M /
 * crawlers); otherwise a sort by time, O(M) for the even grids that slots are.
 *
 * @param crawlers positions of the crawlers, ascending; null: all of them
 */
export function slotGroups({ slotCounts, offset, interval }: SlotGrid, crawlers: Int32Array | null): SlotGroups {
  const crawlerPositions = crawlers ?? positions(slotCounts.length);
  const slots = crawlerPositions.length > 0 ? slotCounts[crawlerPositions[0]] : 0;
  if (crawlerPositions.every((k) => slotCounts[k] === slots)) {
    const time = new Float64Array(slots);
    for (let l = 0; l < slots; l++) time[l] = slotTime(interval, slots, l);
    return {
      time,
      size: crawlerPositions.length,
      numberFrom: crawlerPositions.map((k) => offset[k]),
      number: new Int32Array(0),
    };
  }
  const total = crawlerPositions.reduce((sum, k) => sum + slotCounts[k], 0);
  const time = new Float64Array(total);
  const id = new Int32Array(total);
  let r = 0;
  for (const k of crawlerPositions) {
    for (let l = 0; l < slotCounts[k]; l++, r++) {
      time[r] = slotTime(interval, slotCounts[k], l);
      id[r] = offset[k] + l;
    }
  }
  const { order } = sortByTime(time, null, interval);
  for (let i = 0; i < total; i++) order.id[i] = id[order.id[i]];
  return { time: order.time, size: 1, numberFrom: null, number: order.id };
}

/** Every slot of the groups, with its number in the grid. O(M). */
export function listSlots(groups: SlotGroups): TimeOrder {
  const time = new Float64Array(slotsIn(groups));
  const id = new Int32Array(time.length);
  for (let g = 0, k = 0; g < groups.time.length; g++) {
    for (let c = 0; c < groups.size; c++, k++) {
      time[k] = groups.time[g];
      id[k] = slotNumber(groups, g, c);
    }
  }
  return { time, id };
}

/** The slots of some crawlers in time order, one by one: see {@link slotGroups}. */
export function slotsInTimeOrder(grid: SlotGrid, crawlers: Int32Array | null): TimeOrder {
  return listSlots(slotGroups(grid, crawlers));
}
