/**
 * One part by the sweep: sorting, the check that the tasks fit, the sweep itself and, when asked, its prices.
 */

import type { Poll } from '../../budget.ts';
import type { Placement } from '../instance/instance.ts';
import { PolledPass } from '../instance/polled-pass.ts';
import { everySlot, type SlotGroups } from '../instance/slot-order.ts';
import { bySeat, itemsBySeat, type SeatedOrder } from '../instance/time-sort.ts';
import { assignGroups, type GroupUse, releaseOverload } from './sweep.ts';
import { flexibleSlot, idleSlot, releaseSlot, type SweepPrices, sweepPrices } from './sweep-prices.ts';

/** Elementary steps that a group of slots takes, for polls. */
const stepsPerGroup = 50;

/** Release tasks that are too many, as positions within the part, and the slots there are for them. */
interface TooManyReleases {
  readonly tasks: Int32Array;
  readonly after: number;
  readonly slots: number;
}

/**
 * Moves the times of tasks before the first slot or after the last one to that slot. Where every task is served, each
 * costs a constant less for it, and times that dwarf the interval no longer cost the others their digits. O(those
 * moved).
 *
 * @param all times of the tasks, sorted: `first` flexible ones, then the release tasks
 */
export function withinSlots(all: Float64Array, first: number, { time }: SlotGroups): void {
  const earliest = time[0];
  const latest = time[time.length - 1];
  for (let i = 0; i < first && all[i] < earliest; i++) all[i] = earliest;
  for (let i = first - 1; i >= 0 && all[i] > latest; i--) all[i] = latest;
  for (let i = first; i < all.length && all[i] < earliest; i++) all[i] = earliest;
}

/** The release tasks that do not fit, or null. */
export function tooManyReleases({ order, first, seats }: SeatedOrder, groups: SlotGroups): TooManyReleases | null {
  const found = releaseOverload(order.time.subarray(first), groups);
  if (found === null) return null;
  const item = itemsBySeat(seats);
  return {
    tasks: order.id.slice(first + found.from).map((seat) => item[seat]),
    after: order.time[first + found.from],
    slots: found.slots,
  };
}

/**
 * The assignment of a part: slot numbers by position within the part.
 *
 * @param slotOf out
 * @param poll throws where the time ends before all of `slotOf` is written
 * @returns the arrays that nobody needs any more, those of `sorted` among them
 */
export function sweepSlots(
  sorted: SeatedOrder,
  groups: SlotGroups,
  use: GroupUse,
  slotOf: Int32Array,
  poll?: Poll,
): Placement {
  const { order, first, seats } = sorted;
  const atSeat = new Int32Array(slotOf.length);
  assignGroups(order, first, groups, use, atSeat, poll);
  bySeat(seats, atSeat, slotOf, poll);
  return { crawler: atSeat, slot: order.id, time: order.time };
}

/**
 * Prices that prove a sweep: by position in time order, for unit weights.
 *
 * @param penalty in units of the common weight
 */
export function pricesOfSweep(
  sorted: SeatedOrder,
  groups: SlotGroups,
  use: GroupUse,
  penalty: number,
  poll?: Poll,
): SweepPrices {
  const { order, first } = sorted;
  const part = {
    tasks: order.time,
    flexible: first,
    served: use.served ?? new Uint8Array(order.time.length).fill(1),
    slots: everySlot(groups, poll).time,
    use: useOfSlots(groups, use, poll),
    dropPenalty: penalty,
  };
  return sweepPrices(part, poll);
}

/** How each slot is used, in time order. */
export function useOfSlots(
  { time, size }: SlotGroups,
  { releases, flexible, flexibleFirst }: GroupUse,
  poll?: Poll,
): Uint8Array {
  const use = new Uint8Array(time.length * size).fill(flexibleSlot);
  const pass = new PolledPass(stepsPerGroup, poll);
  for (let g = 0; g < time.length; g++) {
    const from = g * size;
    const gap = from + releases[g] + flexibleFirst[g];
    use.fill(releaseSlot, from, from + releases[g]);
    use.fill(idleSlot, gap, gap + size - releases[g] - flexible[g]);
    pass.passed(1);
  }
  pass.end();
  return use;
}
