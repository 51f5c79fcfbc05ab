/**
 * Slot assignment with equal weights and no restrictions but release times: the exact sweep.
 *
 * Symbols: flexible tasks F and release tasks R sorted by time, M slots sorted by time. Method: (1) through the slots
 * in time order: a waiting release task always takes the slot. (By exchange: moving it from slot s2 to an earlier s1
 * saves s2 − s1, and the flexible task displaced loses at most s2 − s1.) Of the waiting release tasks the earliest is
 * served; any other would give the same total. (2) The other slots go to the flexible tasks: as many slots as tasks →
 * both in sorted order. More slots, or tasks that may be dropped → the slope trick says which slots and tasks are
 * matched, again in sorted order. Matching all tasks in sorted order at once would be wrong, since costs of mixed kinds
 * are not Monge. Dropping: with a finite penalty the sweep is exact when all tasks are of one kind. With both kinds
 * step (1) no longer holds and the shortest paths take over.
 *
 * Complexity: O(n + M) after sorting. Exact.
 * Source: Wolf et al. (2002), section 3 (the model); the sweep is ours.
 * Known limits: equal weights, every crawler allowed, no latest start.
 */
import { dropped } from '../instance/instance.ts';
import type { Placement } from '../instance/placement.ts';
import { type SlotGroups, slotNumber, slotsIn } from '../instance/slot-order.ts';
import { gatherBySeat, type SeatedOrder, type TimeOrder } from '../instance/time-sort.ts';
import { chooseSlots } from './slope-trick.ts';

/** Release tasks that have too few slots: from a position in the sorted list to its end. They are a Hall set. */
interface ReleaseOverload {
  /** Position in the sorted release tasks of the first task of the set. */
  readonly from: number;
  /** How many slots there are at or after the time of that task. */
  readonly slots: number;
}

/**
 * The latest time after which there are more release tasks than slots, or null. O(|R| + groups).
 */
export function releaseOverload(release: Float64Array, { time, size }: SlotGroups): ReleaseOverload | null {
  let g = time.length;
  for (let i = release.length - 1; i >= 0; i--) {
    while (g > 0 && time[g - 1] >= release[i]) g--;
    const slots = (time.length - g) * size;
    if (release.length - i > slots) {
      let from = i;
      while (from > 0 && release[from - 1] === release[from]) from--;
      return { from, slots };
    }
  }
  return null;
}

/**
 * How the slots of each group are used: the first ones by release tasks, the rest by flexible ones, with idle slots
 * between them.
 */
export interface GroupUse {
  readonly releases: Int32Array;
  readonly flexible: Int32Array;
  /** Number of the flexible tasks' slots that come before the idle ones, by group. */
  readonly flexibleFirst: Int32Array;
  /** 1 for each task that has a slot, flexible tasks first; null: every task has a slot. */
  readonly isServed: Uint8Array | null;
}

/**
 * Chooses which slots are used, and by which kind of task. The caller has made sure that all tasks fit, or gives a
 * finite drop penalty and tasks of one kind.
 *
 * @param tasks times of the tasks, sorted: `flexible` flexible ones, then the release tasks
 * @param dropPenalty in units of the common weight; +∞: no dropping
 */
export function chooseGroupUse(
  tasks: Float64Array,
  flexible: number,
  groups: SlotGroups,
  dropPenalty: number,
): GroupUse {
  const { time, size } = groups;
  const n = tasks.length;
  const releases = new Int32Array(time.length);
  if (flexible === 0 && dropPenalty < Number.POSITIVE_INFINITY) {
    const count = new Int32Array(time.length).fill(size);
    const { usedCount, isServed } = chooseSlots(tasks, { time, count }, dropPenalty, true);
    const none = new Int32Array(time.length);
    return { releases: usedCount, flexible: none, flexibleFirst: none, isServed };
  }
  const count = new Int32Array(time.length);
  for (let g = 0, r = flexible; g < time.length; g++) {
    const firstRelease = r;
    while (r < n && r - firstRelease < size && tasks[r] <= time[g]) r++;
    releases[g] = r - firstRelease;
    count[g] = size - (r - firstRelease);
  }
  if (flexible === slotsIn(groups) - (n - flexible) && dropPenalty === Number.POSITIVE_INFINITY) {
    return { releases, flexible: count, flexibleFirst: count, isServed: null };
  }
  const { usedCount, usedBeforeIdle, isServed } = chooseSlots(
    tasks.subarray(0, flexible),
    { time, count },
    dropPenalty,
    false,
  );
  return { releases, flexible: usedCount, flexibleFirst: usedBeforeIdle, isServed };
}

/**
 * Assigns the used slots: the served tasks of a kind get them in time order.
 *
 * @param tasks tasks in time order: `flexible` flexible ones, then the release tasks
 * @param slotOf out: the slot number of each task by its id, `dropped` where it is left out
 */
function assignGroups(tasks: TimeOrder, flexible: number, groups: SlotGroups, use: GroupUse, slotOf: Int32Array): void {
  const { id } = tasks;
  const { isServed } = use;
  if (isServed !== null) for (let i = 0; i < id.length; i++) if (isServed[i] === 0) slotOf[id[i]] = dropped;
  let f = 0;
  let r = flexible;
  for (let g = 0; g < groups.time.length; g++) {
    const firstFlexible = use.releases[g];
    for (let c = 0; c < firstFlexible; c++) {
      if (isServed !== null) while (isServed[r] === 0) r++;
      slotOf[id[r++]] = slotNumber(groups, g, c);
    }
    const gap = firstFlexible + use.flexibleFirst[g];
    const idle = groups.size - firstFlexible - use.flexible[g];
    for (let c = firstFlexible; c < groups.size; c++) {
      if (c === gap) c += idle;
      if (c === groups.size) break;
      if (isServed !== null) while (isServed[f] === 0) f++;
      slotOf[id[f++]] = slotNumber(groups, g, c);
    }
  }
}

/**
 * Moves the times of tasks before the first slot or after the last one to that slot. Where every task is served, that
 * lowers the cost of each by a constant. So times that dwarf the interval no longer cost the other tasks their digits.
 * O(those moved).
 *
 * @param all times of the tasks, sorted: `first` flexible ones, then the release tasks
 */
export function clampToSlots(all: Float64Array, first: number, { time }: SlotGroups): void {
  const earliest = time[0];
  const latest = time[time.length - 1];
  for (let i = 0; i < first && all[i] < earliest; i++) all[i] = earliest;
  for (let i = first - 1; i >= 0 && all[i] > latest; i--) all[i] = latest;
  for (let i = first; i < all.length && all[i] < earliest; i++) all[i] = earliest;
}

/**
 * Solves a part by the sweep.
 *
 * @param slotOf out: slot numbers, by position within the part
 * @returns arrays that may be used again, those of `sorted` among them
 */
export function sweepSlots(
  { order, first, seats }: SeatedOrder,
  groups: SlotGroups,
  use: GroupUse,
  slotOf: Int32Array,
): Placement {
  const atSeat = new Int32Array(slotOf.length);
  assignGroups(order, first, groups, use, atSeat);
  gatherBySeat(seats, atSeat, slotOf);
  return { crawler: atSeat, slot: order.id, time: order.time };
}
