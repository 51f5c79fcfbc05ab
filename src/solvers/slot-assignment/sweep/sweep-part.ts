/**
 * One part by the sweep: sorting, the check that the tasks fit, the sweep itself and, when asked, its prices.
 */
import { dropped } from '../instance/instance.ts';
import type { SweepTasks } from '../instance/parts.ts';
import { sortByTime, type TimeOrder } from '../instance/time-sort.ts';
import { releaseOverload, sweep } from './sweep.ts';
import { flexibleSlot, releaseSlot, sweepPrices } from './sweep-prices.ts';

/** Tasks of a part in the sweep's order. */
export interface SortedTasks {
  /** `flexible` flexible tasks in time order, then the release tasks in time order. */
  readonly order: TimeOrder;
  readonly flexible: number;
}

/** Release tasks that are too many, as positions within the part, and the slots there are for them. */
export interface TooManyReleases {
  readonly tasks: Int32Array;
  readonly after: number;
  readonly slots: number;
}

/** Sorts the tasks of a part for the sweep. O(n). */
export function sortForSweep(sweepTasks: SweepTasks, interval: number): SortedTasks {
  const { order, first } = sortByTime(sweepTasks.time, sweepTasks.release, interval);
  return { order, flexible: first };
}

/** The release tasks that do not fit, or null. */
export function tooManyReleases({ order, flexible }: SortedTasks, slots: TimeOrder): TooManyReleases | null {
  const found = releaseOverload(order.time.subarray(flexible), slots.time);
  if (found === null) return null;
  return {
    tasks: order.id.slice(flexible + found.from),
    after: order.time[flexible + found.from],
    slots: found.slots,
  };
}

/** The assignment of a part: slot numbers by position within the part. */
export function sweepSlots(sorted: SortedTasks, slots: TimeOrder, penalty: number): Int32Array {
  const slotOf = new Int32Array(sorted.order.id.length);
  sweep(sorted.order, sorted.flexible, slots, penalty, slotOf);
  return slotOf;
}

/**
 * Prices that prove a sweep: by position in `slots`, for unit weights.
 *
 * @param penalty in units of the common weight
 */
export function pricesOfSweep(
  { order, flexible }: SortedTasks,
  slots: TimeOrder,
  slotOf: Int32Array,
  gridSlots: number,
  penalty: number,
): { price: Float64Array; violation: number } {
  const useOfGridSlot = new Uint8Array(gridSlots);
  const served = new Uint8Array(order.id.length);
  for (let i = 0; i < order.id.length; i++) {
    const s = slotOf[order.id[i]];
    if (s === dropped) continue;
    served[i] = 1;
    useOfGridSlot[s] = i < flexible ? flexibleSlot : releaseSlot;
  }
  const use = new Uint8Array(slots.id.length);
  for (let k = 0; k < use.length; k++) use[k] = useOfGridSlot[slots.id[k]];
  return sweepPrices({ tasks: order, flexible, served, slots, use, dropPenalty: penalty });
}
