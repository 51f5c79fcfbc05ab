/** The hosts of a request and their limits. */
import { listIn, numberIn, objectAt, textIn, type WireObject, type WireTable } from './wire.ts';

export interface HostLimits {
  readonly names: readonly string[];
  /** By page: the index of its host in the list, −1 if it is not listed. */
  readonly of: Int32Array;
  /** A limit by host; `absent` for hosts without it. */
  readonly limit: (name: string, absent: number) => Float64Array;
}

export function hostLimitsOf(request: WireObject, pages: WireTable): HostLimits {
  const rules = listIn(request, 'hosts', true).map((rule) => objectAt(rule));
  const names = rules.map((rule) => textIn(rule, 'host'));
  const position = new Map(names.map((name, h) => [name, h]));
  const of = Int32Array.from(pages.texts('host'), (host) => (host === null ? -1 : (position.get(host) ?? -1)));
  return { names, of, limit: (name, absent) => Float64Array.from(rules, (rule) => numberIn(rule, name, absent)) };
}
