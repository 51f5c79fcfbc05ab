/** The host index of each page. */
import type { Refuse } from '../contract/refusals.ts';

/** A host's index by its name; refuses repeated names. */
export function hostPositions(hosts: readonly { readonly host: string }[], refuse: Refuse): Map<string, number> {
  const at = new Map<string, number>();
  for (const [h, { host }] of hosts.entries()) {
    if (at.has(host)) refuse(['hosts', h, 'host'], 'duplicate', `host ${host} is listed twice`, host);
    at.set(host, h);
  }
  return at;
}
