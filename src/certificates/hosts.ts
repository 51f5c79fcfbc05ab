/** The hosts that a request names, with the limits it gives them. */
import { listIn, numberIn, objectAt, textIn, type WireObject, type WireTable } from './wire.ts';

export interface HostLimits {
  readonly names: readonly string[];
  /** By page: the position of its host among the names, −1 for another or none. */
  readonly of: Int32Array;
  /** A limit by host; `absent` where a host has none. */
  readonly limit: (name: string, absent: number) => Float64Array;
}

export function hostLimitsOf(request: WireObject, pages: WireTable): HostLimits {
  const rules = listIn(request, 'hosts', true).map((rule) => objectAt(rule));
  const names = rules.map((rule) => textIn(rule, 'host'));
  const position = new Map(names.map((name, h) => [name, h]));
  const of = Int32Array.from(pages.texts('host'), (host) => (host === null ? -1 : (position.get(host) ?? -1)));
  return { names, of, limit: (name, absent) => Float64Array.from(rules, (rule) => numberIn(rule, name, absent)) };
}
