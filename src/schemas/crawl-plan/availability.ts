/** When `crawl-plan` may fetch at all: windows of all pages, and `notBefore` of hosts and pages. */
import type { Availability } from '../../solvers/crawl-plan/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { maxWindowedInterval, windowSpans } from '../parts/clock/time-windows.ts';
import { nowFault } from '../parts/epoch-times.ts';
import { clockOf } from '../words/wall-clock.ts';
import type { WireRequest } from './wire-request.ts';

/** When fetches are allowed; undefined where nothing is asked for. */
export function availabilityOf(
  { now, interval, windows, timeZone, hosts = [] }: WireRequest,
  notBefore: Float64Array,
  host: Int32Array,
  refuse: Refuse,
): Availability | undefined {
  if (nowFault(now) !== null) return undefined;
  const hostsWait = hosts.some((each) => each.notBefore !== undefined);
  if (windows === undefined && !hostsWait && notBefore.every((time) => Number.isNaN(time))) return undefined;
  const hostFrom = hosts.map((each) => Math.max(0, (each.notBefore ?? now) - now));
  const pageFrom = notBefore.map((time, i) => {
    const own = Number.isNaN(time) ? 0 : Math.max(0, time - now);
    return host[i] < 0 ? own : Math.max(own, hostFrom[host[i]]);
  });
  if (windows === undefined) return { spans: null, pageFrom };
  const clock = clockOf(timeZone);
  if (clock === null) return undefined;
  if (interval > maxWindowedInterval) {
    const message = `windows are worked out for intervals of at most ${maxWindowedInterval} s; got ${interval}`;
    refuse(['windows'], 'too-large', message, interval);
    return undefined;
  }
  return { spans: windowSpans(windows, clock, now, interval), pageFrom };
}
