/**
 * Delays of hosts as limits of their crawls. A host whose crawls must be `delay` apart takes at most as many as can be
 * chosen among the slots. The first is from the end of its delay on. Chosen greedily, which is the most.
 * O(hosts + crawls·log slots).
 */
import type { CrawlScheduleProblem } from './problem.ts';

/** The problem with every host's limit lowered to what its delay allows. */
export function applyHostDelays(problem: CrawlScheduleProblem, slotTime: Float64Array): CrawlScheduleProblem {
  const { allocation, hostDelays } = problem;
  if (hostDelays === null || allocation.hosts === null) return problem;
  const known = new Map<string, number>();
  const maxCrawls = allocation.hosts.maxCrawls.map((most, h) => {
    const [delay, from] = [hostDelays.delay[h], hostDelays.from[h]];
    if (!(delay > 0)) return Math.min(most, slotTime.length);
    const key = `${delay} ${Math.max(0, from)}`;
    const possible = known.get(key) ?? mostCrawls(slotTime, delay, from);
    known.set(key, possible);
    return Math.min(most, possible);
  });
  return { ...problem, allocation: { ...allocation, hosts: { ...allocation.hosts, maxCrawls } } };
}

function mostCrawls(slotTime: Float64Array, delay: number, from: number): number {
  let count = 0;
  for (const _ of earliestTimes(slotTime, delay, from)) count++;
  return count;
}

/** The slots that a host takes when it takes each as soon as its delay allows: no n-th crawl of its can be earlier. */
export function* earliestTimes(slotTime: Float64Array, delay: number, from: number): Generator<number> {
  let at = firstFrom(slotTime, 0, from);
  while (at < slotTime.length) {
    yield slotTime[at];
    at = firstFrom(slotTime, at + 1, slotTime[at] + delay * (1 - 1e-13));
  }
}

/** The first position from `low` on whose time is not before `time`. */
function firstFrom(times: Float64Array, low: number, time: number): number {
  let from = low;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle] >= time) to = middle;
    else from = middle + 1;
  }
  return from;
}
