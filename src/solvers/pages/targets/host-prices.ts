/** The prices of hosts with limits, each above what is paid around it. */
import type { NestedGroups } from './problem.ts';

/** The prices of the hosts of some pages; 0 for the others. */
export function ofMembers(hostPrice: Float64Array, hosts: NestedGroups | null, members: Uint32Array): Float64Array {
  const own = new Float64Array(hostPrice.length);
  for (const i of members) for (const h of around(hosts, i)) own[h] = hostPrice[h];
  return own;
}

/** The hosts that a page lies in, from the inside out. */
export function* around(hosts: NestedGroups | null, page: number): Generator<number> {
  for (let h = hosts?.of[page] ?? -1; h >= 0; h = hosts?.within?.[h] ?? -1) yield h;
}

/** By host: the highest price around it, and at least `price`. */
export const outside = (hostPrice: Float64Array, hosts: NestedGroups | null, price: number): Float64Array =>
  hostPrice.map((_, h) => {
    let highest = price;
    for (let g = hosts?.within?.[h] ?? -1; g >= 0; g = hosts?.within?.[g] ?? -1)
      highest = Math.max(highest, hostPrice[g]);
    return highest;
  });

/** The prices above those around them; 0 for the others. */
export function binding(hostPrice: Float64Array, hosts: NestedGroups | null, price: number): Float64Array {
  const least = outside(hostPrice, hosts, price);
  return hostPrice.map((own, h) => (own > least[h] ? own : 0));
}
