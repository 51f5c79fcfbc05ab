/**
 * Slots dealt to pages as they fall due, whatever their fetches are worth: each to the page longest overdue of those that
 * may be fetched. So pages take turns, or what a stopped schedule left empty is dealt at their fetch intervals.
 *
 * A page that may not be fetched yet (its least interval, notBefore, its host's delay) waits and comes when it may.
 * O(slots·log pages), a small part of what a schedule by worth takes.
 */
import type { Poll } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import { type ScheduleProblem, WaitingPages } from '../../schedule/index.ts';

/** Elementary steps of a slot. */
const stepsPerSlot = 500;

/**
 * Fills the slots after the last that has a page.
 *
 * @param gap by page: it is due this long after its last fetch, one never fetched before all others; Infinity: after them
 * @throws NothingToReturn when `poll` says so
 */
export function dealAsDue(
  problem: Omit<ScheduleProblem, 'model' | 'cap' | 'price'>,
  page: Int32Array,
  gap: Float64Array,
  poll?: Poll,
): void {
  const { slotTime, age, minInterval, notBefore } = problem;
  let from = page.length;
  while (from > 0 && page[from - 1] < 0) from--;
  const last = age.map((old) => -old);
  const waitingPages = new WaitingPages(problem, last);
  const fetch = (i: number, time: number): void => {
    last[i] = time;
    waitingPages.recordFetch(i, time);
  };
  for (let s = 0; s < from; s++) if (page[s] >= 0) fetch(page[s], slotTime[s]);
  const queue = new KeyedHeap(last.length);
  const enqueue = (i: number): void =>
    queue.push(last[i] === Number.NEGATIVE_INFINITY ? Infinity : -last[i] - gap[i], i);
  for (let i = 0; i < last.length; i++) enqueue(i);
  /** Whether the page may be fetched; where not it waits. */
  const isReady = (i: number, time: number): boolean => {
    const soonest = Math.max(last[i] + minInterval[i], notBefore?.[i] ?? 0);
    if (soonest > time) waitingPages.waitUntil(i, soonest);
    else if (!waitingPages.hostReady(i, time)) waitingPages.waitForHost(i, () => 0);
    else return true;
    return false;
  };
  for (let s = from; s < page.length; s++) {
    poll?.(stepsPerSlot);
    const time = slotTime[s];
    waitingPages.wake(time, enqueue);
    let next = queue.pop();
    while (next >= 0 && !isReady(next, time)) next = queue.pop();
    if (next < 0) continue;
    page[s] = next;
    fetch(next, time);
    enqueue(next);
  }
}
