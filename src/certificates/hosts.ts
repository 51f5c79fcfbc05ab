/** The hosts of a request and their limits. */
import type { Findings } from './findings.ts';
import { readList, readNumber, readObject, readText, type WireObject, type WireTable } from './wire.ts';

export interface HostLimits {
  readonly names: readonly string[];
  /** By page: the index of its host in the list, −1 if it is not listed. */
  readonly of: Int32Array;
  /** A limit by host; `absent` for hosts without it. */
  readonly limit: (name: string, absent: number) => Float64Array;
}

export function hostLimitsOf(request: WireObject, pages: WireTable): HostLimits {
  const rules = readList(request, 'hosts', true).map((rule) => readObject(rule));
  const names = rules.map((rule) => readText(rule, 'host'));
  const position = new Map(names.map((name, h) => [name, h]));
  const of = Int32Array.from(pages.texts('host'), (host) => (host === null ? -1 : (position.get(host) ?? -1)));
  return { names, of, limit: (name, absent) => Float64Array.from(rules, (rule) => readNumber(rule, name, absent)) };
}

/** Checks that no host has more crawls than its limit. */
export function checkHostCounts(hosts: HostLimits, crawls: ArrayLike<number>, field: string, findings: Findings): void {
  const counts = new Float64Array(hosts.names.length);
  for (const [i, h] of hosts.of.entries()) if (h >= 0) counts[h] += crawls[i];
  for (const [h, limit] of hosts.limit('maxCrawls', Number.POSITIVE_INFINITY).entries())
    findings.expect(field, counts[h] <= limit, `host ${hosts.names[h]} has ${counts[h]} crawls, above its ${limit}`);
}

/**
 * Checks the delays between the crawls of each host, and since its last one.
 *
 * @param times crawls by page
 * @param last the last crawl of each page before them; NaN for none
 */
export function checkDelays(
  hosts: HostLimits,
  times: readonly (readonly number[])[],
  last: ArrayLike<number>,
  slack: number,
  findings: Findings,
): void {
  const crawls = hosts.names.map((): number[] => []);
  const latest = hosts.names.map(() => Number.NEGATIVE_INFINITY);
  for (const [i, h] of hosts.of.entries()) {
    if (h < 0) continue;
    crawls[h].push(...times[i]);
    if (last[i] > latest[h]) latest[h] = last[i];
  }
  for (const [h, delay] of hosts.limit('minDelay', 0).entries()) {
    let previous = latest[h];
    for (const time of crawls[h].sort((a, b) => a - b)) {
      const isSpaced = time - previous >= delay * (1 - 1e-9) - slack;
      findings.expect(
        'solution.schedule.time',
        isSpaced,
        `host ${hosts.names[h]} is crawled at ${previous} and ${time}`,
      );
      previous = time;
    }
  }
}
