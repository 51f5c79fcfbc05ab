/** The slots of all crawlers in time order. */
import type { Poll } from '../budget.ts';
import { slotGrid, slotsInTimeOrder } from '../slot-assignment/index.ts';

export interface SortedSlots {
  readonly time: Float64Array;
  readonly crawler: Int32Array;
  /** Position in time order by slot number. */
  readonly position: Int32Array;
}

/** O(slots). */
export function sortSlots(interval: number, slotCounts: Int32Array, poll?: Poll): SortedSlots {
  const { time, id } = slotsInTimeOrder(slotGrid(interval, slotCounts), null);
  poll?.(100 * time.length);
  const owner = new Int32Array(time.length);
  let number = 0;
  for (let k = 0; k < slotCounts.length; k++) {
    owner.fill(k, number, number + slotCounts[k]);
    number += slotCounts[k];
  }
  const position = new Int32Array(time.length);
  for (let p = 0; p < id.length; p++) position[id[p]] = p;
  return { time, crawler: id.map((slot) => owner[slot]), position };
}
