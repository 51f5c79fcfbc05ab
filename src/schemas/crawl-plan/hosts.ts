/** The hosts of `crawl-plan`: which of them a page has, and which lies within which. */
import type { Refuse } from '../contract/refusals.ts';
import type { WireRequest } from './wire-request.ts';

export interface PlanHosts {
  /** The position of each page's host in `hosts`, −1 where it is not listed there. */
  readonly host: Int32Array;
  /** By host: the one it lies within, −1 for none; left out where none does. */
  readonly hostWithin: Int32Array | undefined;
}

/** Hosts around one: address, network, CDN. */
const mostDepth = 10;

export function hostsOf(request: WireRequest, refuse: Refuse): PlanHosts {
  const { pages, hosts = [] } = request;
  const hostAt = new Map<string, number>();
  for (const [h, entry] of hosts.entries()) {
    if (hostAt.has(entry.host))
      refuse(['hosts', h, 'host'], 'duplicate', `host ${entry.host} is listed twice`, entry.host);
    hostAt.set(entry.host, h);
  }
  const host = Int32Array.from({ length: pages.length }, (_, i) => hostAt.get(pages.columns.host[i] ?? '') ?? -1);
  const first = hosts.findIndex(({ within }) => within !== undefined);
  if (first < 0) return { host, hostWithin: undefined };
  const hostWithin = Int32Array.from(hosts, ({ within }) => hostAt.get(within ?? '') ?? -1);
  const refused = (h: number, why: string): void =>
    refuse(['hosts', h, 'within'], 'not-applicable', why, hosts[h].within);
  if (request.planFor === 'interval') refused(first, 'does not go with planFor interval');
  for (const [h, { within }] of hosts.entries()) {
    if (within !== undefined && hostWithin[h] < 0) refused(h, `names no host of hosts: list ${within} with its limits`);
    let depth = 0;
    for (let g = h; g >= 0; g = hostWithin[g]) {
      if (depth++ <= mostDepth) continue;
      refused(h, `more than ${mostDepth} hosts lie around ${hosts[h].host}, or it lies within itself`);
      return { host, hostWithin: undefined };
    }
  }
  return { host, hostWithin };
}
