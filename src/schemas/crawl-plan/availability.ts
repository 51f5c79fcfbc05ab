/** When `crawl-plan` may fetch at all: windows and `notBefore`, of all pages, of hosts and of one page. */
import { type Availability, nextOpen } from '../../solvers/crawl-plan/index.ts';
import { around } from '../../solvers/pages/groups/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { WindowSpans } from '../parts/clock/time-windows.ts';
import { nowFault } from '../parts/epoch-times.ts';
import type { PlanHosts } from './hosts.ts';
import type { WireRequest } from './wire-request.ts';

/** When fetches are allowed; undefined where nothing is asked for. */
export function availabilityOf(
  { now, interval, windows, timeZone, hosts = [] }: WireRequest,
  notBefore: Float64Array,
  { host, hostGroups }: PlanHosts,
  refuse: Refuse,
): Availability | undefined {
  if (nowFault(now) !== null) return undefined;
  const asked = hosts.some((each) => each.windows !== undefined || each.notBefore !== undefined);
  if (windows === undefined && !asked && notBefore.every((time) => Number.isNaN(time))) return undefined;
  const spans = new WindowSpans(now, interval, refuse);
  const ownSpans = hosts.map((each, h) =>
    each.windows === undefined ? null : spans.of(each.windows, timeZone, ['hosts', h, 'windows']),
  );
  // what closes a host closes all that lies within it
  const hostSpans = ownSpans.map((own, h) => {
    let open = own;
    for (const g of around(hostGroups, h)) if (g !== h) open = inBoth(open, ownSpans[g]);
    return open;
  });
  const hostFrom = hosts.map((_, h) => {
    let from = 0;
    for (const g of around(hostGroups, h)) from = Math.max(from, (hosts[g].notBefore ?? now) - now);
    return from;
  });
  const pageFrom = notBefore.map((time, i) => {
    const own = Number.isNaN(time) ? 0 : Math.max(0, time - now);
    return host[i] < 0 ? own : nextOpen(hostSpans[host[i]], Math.max(own, hostFrom[host[i]]));
  });
  return { spans: windows === undefined ? null : spans.of(windows, timeZone, ['windows']), pageFrom, hostSpans };
}

/** The times that lie in spans of both; null: in all. */
function inBoth(one: Float64Array | null, other: Float64Array | null): Float64Array | null {
  if (one === null || other === null) return one ?? other;
  const both: number[] = [];
  for (let k = 0, l = 0; k < one.length && l < other.length; ) {
    const [open, close] = [Math.max(one[k], other[l]), Math.min(one[k + 1], other[l + 1])];
    if (open < close) both.push(open, close);
    if (one[k + 1] < other[l + 1]) k += 2;
    else l += 2;
  }
  return Float64Array.from(both);
}
