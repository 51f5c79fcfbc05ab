/**
 * Crawls of a host that asks for a delay: before the slots are given, and after.
 *
 * Before: a host's times are moved apart, later from its first crawl on, then earlier where the last would come too
 * late. After: list scheduling in the order of slots. A crawl whose host is not ready waits; a host that is ready takes
 * the next slot. A crawl that is bound to no delay gives way and takes the next slot that is left. What finds none is
 * given up. O(n log n).
 */
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import type { HostDelays } from '../problem.ts';

/** Shortens a delay by rounding, so that slots exactly a delay apart will do. */
const rounding = 1 - 1e-13;

/** @param times of crawls, changed in place; @param page of each; @param last the last slot's */
export function spreadByHost(
  times: Float64Array,
  page: Int32Array,
  { of, delay, from }: HostDelays,
  last: number,
): void {
  const byHost = Array.from(delay, (): number[] => []);
  for (let j = 0; j < times.length; j++) if (of[page[j]] >= 0) byHost[of[page[j]]].push(j);
  for (const [h, crawls] of byHost.entries()) {
    crawls.sort((a, b) => times[a] - times[b] || a - b);
    let earliest = from[h];
    for (const j of crawls) {
      times[j] = Math.max(times[j], earliest);
      earliest = times[j] + delay[h];
    }
    let latest = last;
    for (const j of crawls.reverse()) {
      times[j] = Math.min(times[j], latest);
      latest = times[j] - delay[h];
    }
  }
}

/** Moves crawls to later slots until every host has its delay; how many found none. */
export function keepDelays(page: Int32Array, time: Float64Array, { of, delay, from }: HostDelays): number {
  const ready = from.slice();
  /** By host: its pages that wait, first come first served, and how many have been served. */
  const waiting = Array.from(delay, (): number[] => []);
  const served = new Int32Array(delay.length);
  /** Hosts with a page that waits, by the time they are ready (negative). */
  const hosts = new KeyedHeap();
  /** Pages bound to no delay that gave way, and how many have been served. */
  const loose: number[] = [];
  let placed = 0;
  for (let s = 0; s < page.length; s++) {
    const own = page[s];
    const h = own < 0 ? -1 : of[own];
    if (h >= 0) {
      waiting[h].push(own);
      page[s] = -1;
      if (waiting[h].length - served[h] === 1) hosts.push(-ready[h], h);
    }
    if (hosts.size > 0 && -hosts.topKey() <= time[s]) {
      const next = hosts.pop();
      if (page[s] >= 0) loose.push(page[s]);
      page[s] = waiting[next][served[next]++];
      ready[next] = time[s] + delay[next] * rounding;
      if (served[next] < waiting[next].length) hosts.push(-ready[next], next);
    } else if (page[s] < 0 && placed < loose.length) page[s] = loose[placed++];
  }
  return waiting.reduce((sum, list, h) => sum + list.length - served[h], loose.length - placed);
}
