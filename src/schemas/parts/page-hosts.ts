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

/** Positions of pages' hosts, −1 for none. */
export function positionsOfHosts(hosts: readonly (string | undefined)[]): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from(hosts, (host) => {
    if (host === undefined) return -1;
    const position = known.get(host) ?? known.size;
    known.set(host, position);
    return position;
  });
}
