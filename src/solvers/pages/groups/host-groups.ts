/** Hosts that lie within others: an address, a CDN. The limits of all hold. */

/** Of each host itself and all it lies within, each once, before those that it lies within. */
export type HostGroups = readonly Int32Array[];

const none = new Int32Array(0);

/** A host and all it lies within, from the inside out; nothing for −1. */
export function around(groups: HostGroups | undefined, host: number): Int32Array {
  if (host < 0) return none;
  return groups === undefined ? Int32Array.of(host) : groups[host];
}

/** The host next around one, where no two overlap; −1 for none. */
export const outsideOf = (groups: HostGroups | undefined, host: number): number => groups?.[host][1] ?? -1;

/** Whether of any two hosts that share one, one lies within the other. */
export function areNested(groups: HostGroups): boolean {
  return groups.every((list) => list.every((g, k) => groups[g].length === list.length - k));
}

/** All hosts, each before those it lies within, in their order else. */
export function insideOut(hosts: number, groups: HostGroups | undefined): number[] {
  const order = Array.from({ length: hosts }, (_, h) => h);
  return groups === undefined ? order : order.sort((a, b) => groups[b].length - groups[a].length);
}
