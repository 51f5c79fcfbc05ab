/** When `crawl-plan` may fetch at all: windows and `notBefore`, of all pages, of hosts and of one page. */
import { type Availability, nextOpen } from '../../solvers/crawl-plan/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { WindowSpans } from '../parts/clock/time-windows.ts';
import { nowFault } from '../parts/epoch-times.ts';
import type { WireRequest } from './wire-request.ts';

/** When fetches are allowed; undefined where nothing is asked for. */
export function availabilityOf(
  { now, interval, windows, timeZone, hosts = [] }: WireRequest,
  notBefore: Float64Array,
  host: Int32Array,
  refuse: Refuse,
): Availability | undefined {
  if (nowFault(now) !== null) return undefined;
  const asked = hosts.some((each) => each.windows !== undefined || each.notBefore !== undefined);
  if (windows === undefined && !asked && notBefore.every((time) => Number.isNaN(time))) return undefined;
  const spans = new WindowSpans(now, interval, refuse);
  const hostSpans = hosts.map((each, h) =>
    each.windows === undefined ? null : spans.of(each.windows, timeZone, ['hosts', h, 'windows']),
  );
  const hostFrom = hosts.map((each) => Math.max(0, (each.notBefore ?? now) - now));
  const pageFrom = notBefore.map((time, i) => {
    const own = Number.isNaN(time) ? 0 : Math.max(0, time - now);
    return host[i] < 0 ? own : nextOpen(hostSpans[host[i]], Math.max(own, hostFrom[host[i]]));
  });
  return { spans: windows === undefined ? null : spans.of(windows, timeZone, ['windows']), pageFrom, hostSpans };
}
