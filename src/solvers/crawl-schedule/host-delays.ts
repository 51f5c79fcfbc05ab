/**
 * Turns delays of hosts into limits on their crawls: a host takes at most as many crawls as there are slots at least
 * `delay` apart, from the end of its first delay on. Taking the earliest allowed slot again and again gives the most
 * crawls. O(hosts + crawls·log slots).
 */
import type { CrawlScheduleProblem } from './problem.ts';

/** The problem with every host's limit lowered to what its delay allows. */
export function applyHostDelays(problem: CrawlScheduleProblem, slotTime: Float64Array): CrawlScheduleProblem {
  const { allocation, hostDelays } = problem;
  if (hostDelays === null || allocation.hosts === null) return problem;
  const countsByDelay = new Map<string, number>();
  const maxCrawls = allocation.hosts.maxCrawls.map((limit, h) => {
    const [delay, from] = [hostDelays.delay[h], hostDelays.from[h]];
    if (!(delay > 0)) return Math.min(limit, slotTime.length);
    const key = `${delay} ${Math.max(0, from)}`;
    const possible = countsByDelay.get(key) ?? countPossibleCrawls(slotTime, delay, from);
    countsByDelay.set(key, possible);
    return Math.min(limit, possible);
  });
  return { ...problem, allocation: { ...allocation, hosts: { ...allocation.hosts, maxCrawls } } };
}

export function countPossibleCrawls(slotTime: Float64Array, delay: number, from: number): number {
  let count = 0;
  for (const _ of earliestTimes(slotTime, delay, from)) count++;
  return count;
}

/** Times of the slots of a host that crawls as soon as its delay allows: no n-th crawl can be earlier. */
export function* earliestTimes(slotTime: Float64Array, delay: number, from: number): Generator<number> {
  let at = lowerBound(slotTime, 0, from);
  while (at < slotTime.length) {
    yield slotTime[at];
    at = lowerBound(slotTime, at + 1, slotTime[at] + delay * (1 - 1e-13));
  }
}

/** The first position from `low` on whose time is not before `time`. */
function lowerBound(times: Float64Array, low: number, time: number): number {
  let from = low;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle] >= time) to = middle;
    else from = middle + 1;
  }
  return from;
}
