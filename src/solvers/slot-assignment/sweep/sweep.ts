/**
 * Slot assignment with equal weights and no restrictions but release times: the exact sweep.
 *
 * Symbols: flexible tasks F and release tasks R sorted by time, M slots sorted by time.
 * Method: (1) through the slots in time order: a waiting release task always takes the slot (exchange: moving a waiting
 * release task from slot s2 to an earlier s1 saves s2 − s1, the flexible task displaced loses at most s2 − s1); which
 * of the waiting ones does not matter for the total, first come first served is taken. (2) The other slots go to the
 * flexible tasks: as many slots as tasks → both in sorted order; more slots, or tasks that may be dropped → the slope
 * trick says which slots and tasks are matched, again in sorted order. Sorted matching of all at once would be wrong:
 * the mixed costs are not Monge.
 * Dropping: with a finite penalty the sweep is exact when all tasks are of one kind; with both kinds step (1) no longer
 * holds and the shortest paths take over.
 *
 * Complexity: O(n + M) after sorting. Exact.
 * Source: Wolf et al. (2002), section 3 (the model); the sweep is ours.
 * Known limits: equal weights, every crawler allowed, no latest start.
 */
import { dropped } from '../instance/instance.ts';
import type { TimeOrder } from '../instance/time-sort.ts';
import { chooseSlots } from './slope-trick.ts';

/** The first release tasks for which there are too few slots: their Hall set. */
export interface ReleaseOverload {
  /** Position in the sorted release tasks from which on they are too many. */
  readonly from: number;
  /** How many slots there are at or after the time of that task. */
  readonly slots: number;
}

/**
 * The latest time after which there are more release tasks than slots, or null. O(|R| + M).
 */
export function releaseOverload(release: Float64Array, slot: Float64Array): ReleaseOverload | null {
  let k = slot.length;
  for (let i = release.length - 1; i >= 0; i--) {
    while (k > 0 && slot[k - 1] >= release[i]) k--;
    const slots = slot.length - k;
    if (release.length - i > slots) {
      let from = i;
      while (from > 0 && release[from - 1] === release[from]) from--;
      return { from, slots };
    }
  }
  return null;
}

/**
 * Assigns slots; the caller has made sure that all tasks fit, or gives a finite drop penalty and tasks of one kind.
 *
 * @param tasks tasks in time order: `flexible` flexible ones, then the release tasks
 * @param slots slots in time order
 * @param dropPenalty in units of the common weight; +∞: no dropping
 * @param slotOf out: the slot number of each task, `dropped` where it is left out
 */
export function sweep(
  tasks: TimeOrder,
  flexible: number,
  slots: TimeOrder,
  dropPenalty: number,
  slotOf: Int32Array,
): void {
  const n = tasks.id.length;
  const m = slots.id.length;
  if (flexible === 0 && dropPenalty < Number.POSITIVE_INFINITY) {
    matchChosen(tasks, slots, dropPenalty, true, slotOf);
    return;
  }
  const toFlexible = m - (n - flexible);
  if (flexible === toFlexible && dropPenalty === Number.POSITIVE_INFINITY) {
    let f = 0;
    let r = flexible;
    let waiting = r < n ? tasks.time[r] : Number.POSITIVE_INFINITY;
    for (let k = 0; k < m; k++) {
      if (waiting <= slots.time[k]) {
        slotOf[tasks.id[r++]] = slots.id[k];
        waiting = r < n ? tasks.time[r] : Number.POSITIVE_INFINITY;
      } else slotOf[tasks.id[f++]] = slots.id[k];
    }
    return;
  }
  let rest = slots;
  if (flexible < n) {
    const time = new Float64Array(toFlexible);
    const id = new Int32Array(toFlexible);
    let r = flexible;
    let left = 0;
    for (let k = 0; k < m; k++) {
      if (r < n && tasks.time[r] <= slots.time[k]) slotOf[tasks.id[r++]] = slots.id[k];
      else {
        time[left] = slots.time[k];
        id[left++] = slots.id[k];
      }
    }
    rest = { time, id };
  }
  const first = { time: tasks.time.subarray(0, flexible), id: tasks.id.subarray(0, flexible) };
  matchChosen(first, rest, dropPenalty, false, slotOf);
}

/** Matches tasks and slots, both in time order; `forwardOnly`: no task before its time. */
function matchChosen(
  tasks: TimeOrder,
  slots: TimeOrder,
  dropPenalty: number,
  forwardOnly: boolean,
  slotOf: Int32Array,
): void {
  const { used, served } = chooseSlots(tasks.time, slots.time, dropPenalty, forwardOnly);
  let k = 0;
  for (let i = 0; i < tasks.time.length; i++) {
    if (served[i] === 0) {
      slotOf[tasks.id[i]] = dropped;
      continue;
    }
    while (used[k] === 0) k++;
    slotOf[tasks.id[i]] = slots.id[k++];
  }
}
