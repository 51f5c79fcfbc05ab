/**
 * How often a host's pages may be fetched together, for ever. Its delay and its largest rate say so, and the part of
 * the time, and of the slots, that its windows leave.
 */

import type { CrawlPlanProblem } from '../problem.ts';
import { type CrawlSlots, nextOpen } from './slots.ts';

/** A host may be this many fetches ahead of its largest rate. */
export const burst = 10;

/** Seconds between two fetches of each host in the mean, at least; 0 for a host that asks for nothing. */
export function meanHostDelay(
  { interval, hostDelay, hostRate, availability }: CrawlPlanProblem,
  slots: CrawlSlots,
): Float64Array {
  return hostDelay.map((delay, h) => {
    const spans = availability?.hostSpans[h] ?? null;
    const byRate = hostRate === undefined ? 0 : 1 / hostRate[h];
    if (spans === null) return Math.max(delay, byRate);
    let open = 0;
    for (const time of slots.time) if (nextOpen(spans, time) === time) open++;
    const share = open / slots.time.length;
    return share > 0 ? Math.max(delay / share, byRate, interval / open) : interval;
  });
}

/** The most fetches of each host in the interval; Infinity for a host that asks for nothing. */
export function hostRooms(problem: CrawlPlanProblem, slots: CrawlSlots): Float64Array {
  const { interval, hostDelay, availability } = problem;
  return hostDelay.map((delay, h) => {
    const most = mostOfHost(problem, h, interval * (1 + 1e-9));
    const spans = availability?.hostSpans[h] ?? null;
    if (spans === null) return most;
    let open = 0;
    for (const time of slots.time) if (nextOpen(spans, time) === time) open++;
    if (!(delay > 0)) return Math.min(most, open);
    let between = 0;
    for (let k = 0; k < spans.length; k += 2) between += 1 + Math.floor((spans[k + 1] - spans[k]) / delay + 1e-9);
    return Math.min(most, open, between);
  });
}

/** The most fetches of a host by a time after now. */
export function mostOfHost({ hostDelay, hostRate }: CrawlPlanProblem, h: number, time: number): number {
  const byDelay = hostDelay[h] > 0 ? 1 + Math.floor(time / hostDelay[h]) : Number.POSITIVE_INFINITY;
  const byRate = hostRate === undefined ? Number.POSITIVE_INFINITY : 1 + burst + Math.floor(time * hostRate[h]);
  return Math.min(byDelay, byRate);
}
