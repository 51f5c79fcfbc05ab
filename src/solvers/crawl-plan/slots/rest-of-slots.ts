/**
 * The slots that a stopped schedule left empty, dealt in a small part of the time that the schedule takes.
 *
 * Every page is due at its fetch interval, again and again; the slots take these in order of time, however early or late
 * they come. The order is a counting sort. A page that may not be fetched yet (its least interval, notBefore, its host's
 * delay) waits and comes next when it may. O(pages + slots·log hosts).
 */
import { type ScheduleProblem, WaitingPages } from '../../schedule/index.ts';

/** Fetches that are ordered, in remaining times: a few more than the slots take. */
const horizon = 1.1;
/** Share of the order that must have been fetched before it is gone through once more. */
const leastProgress = 1 / 64;

/** Fills the slots after the last that has a page. @param gap by page: the fetch interval, Infinity for none */
export function dealRest(problem: ScheduleProblem, page: Int32Array, gap: Float64Array): void {
  let from = page.length;
  while (from > 0 && page[from - 1] < 0) from--;
  if (from === page.length) return;
  const { slotTime, age, minInterval, notBefore } = problem;
  const last = age.map((old) => -old);
  const waiting = new WaitingPages(problem, last);
  const fetch = (i: number, time: number): void => {
    last[i] = time;
    waiting.recordFetch(i, time);
  };
  for (let s = 0; s < from; s++) if (page[s] >= 0) fetch(page[s], slotTime[s]);
  /** Whether the page may be fetched; where not it waits. */
  const isReady = (i: number, time: number): boolean => {
    const soonest = Math.max(last[i] + minInterval[i], notBefore?.[i] ?? 0);
    if (soonest > time) waiting.waitUntil(i, soonest);
    else if (!waiting.hostReady(i, time)) waiting.waitForHost(i, () => 0);
    else return true;
    return false;
  };
  const order = dueInOrder(problem, last, gap, page.length - from);
  const woken: number[] = [];
  let [next, given] = [0, 0];
  for (let s = from; s < page.length; s++) {
    const time = slotTime[s];
    waiting.wake(time, (i) => woken.push(i));
    let chosen = -1;
    while (chosen < 0) {
      if (next === order.length && given >= leastProgress * order.length) [next, given] = [0, 0];
      const i = woken.pop() ?? order[next++];
      if (i === undefined) break;
      if (isReady(i, time)) chosen = i;
    }
    if (chosen < 0) {
      next = order.length;
      continue;
    }
    given++;
    page[s] = chosen;
    fetch(chosen, time);
  }
}

/** Pages as they are due, again and again, the longest overdue first. @param most slots to fill */
function dueInOrder(
  { slotTime, interval }: ScheduleProblem,
  last: Float64Array,
  gap: Float64Array,
  most: number,
): Int32Array {
  const start = slotTime[slotTime.length - most];
  const end = start + horizon * (interval - start);
  const first = start - interval;
  // a page without a copy comes before all others, one without an interval after them
  const firstDue = (i: number): number => {
    if (last[i] === Number.NEGATIVE_INFINITY) return first;
    return gap[i] === Number.POSITIVE_INFINITY ? end : Math.max(first, last[i] + gap[i]);
  };
  const visitAll = (visit: (i: number, bucket: number) => void): void => {
    for (let i = 0; i < last.length; i++) {
      const step = Math.max(gap[i], (end - start) / most);
      for (let due = firstDue(i); due <= end; due = Math.max(due, start) + step) {
        visit(i, Math.floor(((due - first) / (end - first)) * most));
      }
    }
  };
  const offsets = new Int32Array(most + 2);
  visitAll((_, bucket) => {
    offsets[bucket + 1]++;
  });
  for (let b = 0; b <= most; b++) offsets[b + 1] += offsets[b];
  const order = new Int32Array(offsets[most + 1]);
  visitAll((i, bucket) => {
    order[offsets[bucket]++] = i;
  });
  return order;
}
