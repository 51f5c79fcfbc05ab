/** The hosts of `crawl-plan`: which of them a page has, and which lies within which. */
import type { HostGroups } from '../../solvers/pages/groups/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { hostPositions, hostsAround } from '../parts/hosts-around.ts';
import type { WireRequest } from './wire-request.ts';

export interface PlanHosts {
  /** The position of each page's host in `hosts`, −1 where it is not listed there. */
  readonly host: Int32Array;
  readonly hostGroups: HostGroups | undefined;
}

export function hostsOf(request: WireRequest, refuse: Refuse): PlanHosts {
  const { pages, hosts = [] } = request;
  const hostAt = hostPositions(hosts, refuse);
  const host = Int32Array.from({ length: pages.length }, (_, i) => hostAt.get(pages.columns.host[i] ?? '') ?? -1);
  const hostGroups = hostsAround(hosts, hostAt, refuse);
  return { host, hostGroups };
}
