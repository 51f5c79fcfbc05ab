/** Which hosts lie within which others: an address, a CDN. */
import * as z from 'zod';
import { areNested, type HostGroups } from '../../solvers/pages/groups/index.ts';
import { id } from '../contract/field.ts';
import type { Refuse } from '../contract/refusals.ts';
import { list } from './list.ts';

/** Hosts around one. */
const mostAround = 10;

const name = z.string().min(1).max(2048).meta(id('Name of the host'));

const oneOrSeveral = z.union([name, list(name, { minItems: 1, maxItems: mostAround }, 'hosts')]).optional();

export const withinField = oneOrSeveral.meta(id('Hosts around it (address, CDN), whose limits hold too'));
export const withinPlanned = oneOrSeveral.meta(id('Hosts around it, whose limits hold too'));
/** Where no two may overlap but one within the other. */
export const nestedWithin = oneOrSeveral.meta(id('Host around it (address, CDN), whose limit holds too'));

export interface HostWithin {
  readonly host: string;
  readonly within?: string | readonly string[] | undefined;
}

/** A host's position by its name; a name that stands twice is refused. */
export function hostPositions(hosts: readonly HostWithin[], refuse: Refuse): Map<string, number> {
  const at = new Map<string, number>();
  for (const [h, { host }] of hosts.entries()) {
    if (at.has(host)) refuse(['hosts', h, 'host'], 'duplicate', `host ${host} is listed twice`, host);
    at.set(host, h);
  }
  return at;
}

/** For each host, itself and all it lies within; left out where none lies within another, or a refusal says why. */
export function hostsAround(
  hosts: readonly HostWithin[],
  at: ReadonlyMap<string, number>,
  refuse: Refuse,
): HostGroups | undefined {
  if (hosts.every(({ within }) => within === undefined)) return undefined;
  const refused = (h: number, why: string): void =>
    refuse(['hosts', h, 'within'], 'not-applicable', why, hosts[h].within);
  const next = hosts.map(({ within = [] }, h) =>
    (typeof within === 'string' ? [within] : within).flatMap((name) => {
      const g = at.get(name);
      if (g === undefined) refused(h, `names no host of hosts: list ${name} with its limits`);
      return g ?? [];
    }),
  );
  const lists: number[][] = [];
  for (const h of hosts.keys()) {
    const list = new Set([h]);
    for (const g of list) {
      for (const outer of next[g]) {
        if (outer !== h && list.add(outer).size <= mostAround + 1) continue;
        refused(h, `more than ${mostAround} hosts lie around ${hosts[h].host}, or it lies within itself`);
        return undefined;
      }
    }
    lists.push([...list]);
  }
  return lists.map((list) => Int32Array.from(list.sort((a, b) => lists[b].length - lists[a].length || a - b)));
}

/** The same, refused where two overlap and neither lies within the other. */
export function nestedHosts(
  hosts: readonly HostWithin[],
  at: ReadonlyMap<string, number>,
  refuse: Refuse,
): HostGroups | undefined {
  const groups = hostsAround(hosts, at, refuse);
  if (groups === undefined || areNested(groups)) return groups;
  const h = groups.findIndex((list) => list.some((g, k) => groups[g].length !== list.length - k));
  const why = `must lie within one another: those around ${hosts[h].host} overlap in part; crawl-plan takes such hosts`;
  refuse(['hosts', h, 'within'], 'not-applicable', why, hosts[h].within);
  return undefined;
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
