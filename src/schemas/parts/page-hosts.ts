/** Which host each page is on. */
import type { Refuse } from '../contract/refusals.ts';

/** A host's position by its name; a name that stands twice is refused. */
export function hostPositions(hosts: readonly { readonly host: string }[], refuse: Refuse): Map<string, number> {
  const at = new Map<string, number>();
  for (const [h, { host }] of hosts.entries()) {
    if (at.has(host)) refuse(['hosts', h, 'host'], 'duplicate', `host ${host} is listed twice`, host);
    at.set(host, h);
  }
  return at;
}
