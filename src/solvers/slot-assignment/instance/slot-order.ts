import { type SlotGrid, slotTime } from './instance.ts';
import { sortByTime, type TimeOrder } from './time-sort.ts';

/**
 * The slots of some crawlers in time order, with their numbers; ties in a fixed order.
 * Crawlers with equal slot counts have their slots in closed form, O(M); otherwise a sort by time, O(M) for the even
 * grids that slots are.
 *
 * @param crawlers positions of the crawlers, ascending; null: all of them
 */
export function slotsInTimeOrder(grid: SlotGrid, crawlers: Int32Array | null): TimeOrder {
  const { slotCounts, offset, interval } = grid;
  const chosen = crawlers ?? Int32Array.from(slotCounts.keys());
  let total = 0;
  let same = true;
  for (const k of chosen) {
    total += slotCounts[k];
    if (slotCounts[k] !== slotCounts[chosen[0]]) same = false;
  }
  const time = new Float64Array(total);
  const id = new Int32Array(total);
  if (same && chosen.length > 0) {
    const slots = slotCounts[chosen[0]];
    for (let l = 0, r = 0; l < slots; l++) {
      const tau = slotTime(interval, slots, l);
      for (let c = 0; c < chosen.length; c++, r++) {
        time[r] = tau;
        id[r] = offset[chosen[c]] + l;
      }
    }
    return { time, id };
  }
  let r = 0;
  for (const k of chosen) {
    for (let l = 0; l < slotCounts[k]; l++, r++) {
      time[r] = slotTime(interval, slotCounts[k], l);
      id[r] = offset[k] + l;
    }
  }
  const { order } = sortByTime(time, null, interval);
  for (let i = 0; i < total; i++) order.id[i] = id[order.id[i]];
  return order;
}
