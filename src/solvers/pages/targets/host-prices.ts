/** The prices of hosts with limits, each above what is paid around it. */
import { around } from '../groups/index.ts';
import type { HostLimits } from './problem.ts';

/** The prices of the hosts of some pages; 0 for the others. */
export function ofMembers(hostPrice: Float64Array, hosts: HostLimits | null, members: Uint32Array): Float64Array {
  const own = new Float64Array(hostPrice.length);
  for (const i of members) for (const h of hostsOf(hosts, i)) own[h] = hostPrice[h];
  return own;
}

/** The hosts that a page lies in, from the inside out. */
export const hostsOf = (hosts: HostLimits | null, page: number): Int32Array =>
  around(hosts?.around, hosts?.of[page] ?? -1);

/** By host: the highest price around it, and at least `price`. */
export const outside = (hostPrice: Float64Array, hosts: HostLimits | null, price: number): Float64Array =>
  hostPrice.map((_, h) => {
    let highest = price;
    for (const g of around(hosts?.around, h)) if (g !== h) highest = Math.max(highest, hostPrice[g]);
    return highest;
  });

/** The prices above those around them; 0 for the others. */
export function binding(hostPrice: Float64Array, hosts: HostLimits | null, price: number): Float64Array {
  const least = outside(hostPrice, hosts, price);
  return hostPrice.map((own, h) => (own > least[h] ? own : 0));
}
