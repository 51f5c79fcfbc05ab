/** Rates from a log, as an engine computes them, against the likelihood maximised by bisection, page by page. */
import { expect } from 'vitest';
import { type Dialect, ratesStatement } from '../../src/statements/index.ts';
import { day, likeliestRate, simulatedLog } from '../tables/simulated-log.ts';
import type { Rows } from './agreement.ts';

const names = ['url', 'at', 'changed', 'version', 'status'] as const;
const { checks, lines } = simulatedLog();
const ids = [...checks.keys()].slice(0, 40);

/** The fetches of some pages: url, time, whether it changed, its version where one was brought, status. */
export const loggedFetches: readonly (readonly [string, number, boolean, string | null, number])[] = (() => {
  const versions = new Map<string, number>();
  return lines.flatMap((line) => {
    const [url, time, changed, status] = line.split(',');
    if (!ids.includes(url)) return [];
    const previousVersion = versions.get(url) ?? 0;
    const version = previousVersion + (status === '200' ? 1 : 0);
    versions.set(url, version);
    return [[url, Number(time), changed === 'true', status === '200' ? `v${version}` : null, Number(status)] as const];
  });
})();

/** The fetches as a subquery, written out. */
export function logQuery(dialect: Dialect): string {
  const rows = loggedFetches.map(([url, time, changed, version, status]) => [
    dialect.quoteText(url),
    `CAST('${time}' AS ${dialect.double})`,
    changed ? 'TRUE' : 'FALSE',
    version === null ? `CAST(NULL AS ${dialect.string})` : dialect.quoteText(version),
    String(status),
  ]);
  return `(${dialect.rows(names, rows)}) logged`;
}

/** Asks an engine for the rates, by what it was told of changes and by versions that it compares. */
export async function expectRates(
  dialect: Dialect,
  from: string,
  rows: (statement: string) => Rows | Promise<Rows>,
): Promise<void> {
  const log = { from, page: 'url', time: 'at', timeFormat: 'epoch-seconds', status: 'status' } as const;
  for (const evidence of [{ changed: 'changed' }, { signature: 'version' }]) {
    const answer = await rows(ratesStatement(dialect, { ...log, ...evidence }, day));
    expect(answer.map(({ id }) => id).toSorted(), dialect.name).toEqual(ids.toSorted());
    let rated = 0;
    for (const row of answer) {
      const own = checks.get(String(row.id)) ?? [];
      expect([Number(row.checks), Number(row.changes)], `${dialect.name}, ${row.id}`).toEqual([
        own.length,
        own.filter(({ changed }) => changed).length,
      ]);
      const rate = likeliestRate(own);
      if (rate === null) continue;
      rated++;
      expect(Math.abs(Number(row.rate) / rate - 1), `${dialect.name}, ${row.id}`).toBeLessThan(1e-9);
      expect(Number(row.rateLow)).toBeLessThan(rate);
      expect(Number(row.rateHigh)).toBeGreaterThan(rate);
    }
    expect(rated).toBeGreaterThan(20);
  }
}
