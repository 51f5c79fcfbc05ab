/**
 * `crawl-optimizer tables --hosts`: limits of hosts, against the best plan by two plain bisections; and how often pages
 * are read.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planStatement } from '../../src/statements/index.ts';
import { openDuckDb } from '../../src/tables/duckdb.ts';
import { pricePages } from '../../src/tables/price/pages.ts';
import { surveyPages } from '../../src/tables/survey-pages.ts';
import { requireDefined } from '../require-defined.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { rowsOf, run } from './run.ts';

const folder = temporaryFolder();

const write = (name: string, lines: readonly string[]): string => {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

/** Some pages have no host, and most of their hosts no limit. */
const hostNames = ["o'neill.example", 'b.example', 'c.example', 'free.example', ''];
const pages = lognormalPages(3000, 23).map((page, i) => ({ ...page, host: hostNames[(i % 11) % 5] }));
const table = write('pages.csv', [
  'url,rate,weight,site',
  ...pages.map(({ changeRate, ratio, host }, i) => `p${i},${changeRate},${changeRate * ratio},${host}`),
]);
const rate = 900;
const limits = new Map([
  ["o'neill.example", 60],
  ['b.example', 10],
  ['c.example', 1000],
  ['nowhere.example', 5],
]);
const names = ['--id', 'url', '--rate', 'rate', '--rate-unit', 'day', '--weight', 'weight', '--host', 'site'];
const crawls = ['--crawls', String(7 * rate), '--per', 'week'];
const limitsFile = write('limits.csv', ['host,maxRate', ...[...limits].map(([host, most]) => `${host},${7 * most}`)]);

/** Changes between crawls at a price, by bisection; Infinity where the page is not worth one. */
function changesBetween(ratio: number, price: number): number {
  if (ratio <= price) return Number.POSITIVE_INFINITY;
  let [low, high] = [1e-9, 1e3];
  for (let step = 0; step < 80; step++) {
    const y = Math.sqrt(low * high);
    if (ratio * (-Math.expm1(-y) - y * Math.exp(-y)) < price) low = y;
    else high = y;
  }
  return low;
}

const spentBy = (host: string | null, price: number): number =>
  pages.reduce(
    (sum, page) =>
      host === null || page.host === host ? sum + page.changeRate / changesBetween(page.ratio, price) : sum,
    0,
  );

function priceWhere(spent: (price: number) => number, goal: number): number {
  let [low, high] = [-12, 12];
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (spent(Math.exp(middle)) > goal) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

describe('tables --hosts', () => {
  it('keeps hosts to their limits, each at its own price, and proves the plan', async () => {
    const out = join(folder, 'plan.ndjson');
    const { code, out: said, err } = await run('plan', table, ...names, ...crawls, '--hosts', limitsFile, '--out', out);
    expect(code, err).toBe(0);
    const answer = JSON.parse(said);
    // the price at which the hosts, each at most at its limit, spend what there is
    const price = priceWhere(
      (at) => hostNames.reduce((sum, host) => sum + Math.min(limits.get(host) ?? Infinity, spentBy(host, at)), 0),
      rate,
    );
    expect(answer.price / price).toBeCloseTo(1, 4);
    expect(answer.hosts.map(({ host, limited }: { host: string; limited: boolean }) => [host, limited]).sort()).toEqual(
      [
        ['b.example', true],
        ['c.example', false],
        ["o'neill.example", true],
      ],
    );
    const own = new Map(
      ['b.example', "o'neill.example"].map((host) => [
        host,
        priceWhere((at) => spentBy(host, at), requireDefined(limits.get(host))),
      ]),
    );
    for (const each of answer.hosts) {
      expect(each.rate).toBeLessThanOrEqual(requireDefined(limits.get(each.host)) * (1 + 1e-12));
      expect(each.price / (own.get(each.host) ?? price)).toBeCloseTo(1, 3);
    }
    let best = 0;
    for (const { changeRate, ratio, host } of pages) {
      const y = changesBetween(ratio, own.get(host) ?? price);
      best += changeRate * ratio * (y === Infinity ? 1 : 1 + Math.expm1(-y) / y);
    }
    expect(answer.objective.gap).toBeLessThan(1e-7);
    expect(answer.objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
    expect(answer.objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
    const plan: { url: string; rate: number; staleness: number }[] = rowsOf(out);
    const taken = new Map<string, number>();
    let cost = 0;
    for (const row of plan) {
      const { host, changeRate, ratio } = pages[Number(row.url.slice(1))];
      taken.set(host, (taken.get(host) ?? 0) + row.rate);
      cost += changeRate * ratio * row.staleness;
    }
    expect([...taken.values()].reduce((sum, each) => sum + each, 0) / rate).toBeCloseTo(1, 9);
    for (const host of own.keys())
      expect(requireDefined(taken.get(host)) / requireDefined(limits.get(host))).toBeCloseTo(1, 9);
    expect(cost).toBeLessThanOrEqual(answer.objective.value * (1 + 1e-9));
    expect(cost).toBeGreaterThanOrEqual(answer.objective.bound * (1 - 1e-9));
  });

  it('leaves crawls over where the limits of the hosts allow no more', async () => {
    const some = write('limited.csv', ['url,rate,weight,site', 'a,1,1,x', 'b,2,1,x', 'c,3,2,y']);
    const few = write('few.csv', ['host,maxRate', 'x,2', 'y,3']);
    const { code, out } = await run('price', some, ...names, '--crawls', '100', '--per', 'day', '--hosts', few);
    expect(code).toBe(0);
    const answer = JSON.parse(out);
    expect(answer.price).toBe(0);
    expect(answer.hosts.map(({ rate: taken }: { rate: number }) => taken).sort()).toEqual([2, 3]);
    expect(answer.objective.gap).toBeLessThan(1e-9);
  });

  it.each([
    ['no column of hosts', ['--host', 'nothing'], limitsFile, 'there is no column "nothing"'],
    ['a host named twice', [], write('twice.csv', ['host,maxRate', 'x,1', 'x,2']), '--hosts names "x" twice'],
    ['a limit of 0', [], write('zero.csv', ['host,maxRate', 'x,0']), 'maxRate of "x" must be a positive number; got 0'],
    ['other columns', [], write('other.csv', ['site,rate', 'x,0']), '"host"'],
    ['bounds of intervals', ['--min-interval', '1day'], limitsFile, '--min-interval does not go with --hosts'],
  ])('refuses %s', async (_, words, hosts, message) => {
    const { code, err } = await run('price', table, ...names, ...crawls, '--hosts', hosts, ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('the scans of a page table', () => {
  it('are three: for the price, for the certificate, and to write', async () => {
    const duckDb = await openDuckDb([table], '1GB');
    const scans: string[] = [];
    const engine = {
      ...duckDb,
      rows: (statement: string) => {
        for (const _ of statement.matchAll(/read_csv/g)) scans.push('read');
        return duckDb.rows(statement);
      },
      write: (query: string, target: string) => {
        for (const _ of query.matchAll(/read_csv/g)) scans.push('write');
        return duckDb.write(query, target);
      },
    };
    const from = { from: engine.from, id: 'url', changeRate: 'rate', weight: 'weight' };
    const question = { pages: from, objective: 'freshness', rate, bucketWidth: 0.001, hosts: [] } as const;
    const survey = await surveyPages(engine, question);
    const { price, scale, objective } = await pricePages(engine, question, survey);
    const plan = planStatement(engine.dialect, { pages: from, objective: 'freshness', price, scale, hosts: [] });
    await engine.write(plan, join(folder, 'scanned.parquet'));
    await engine.close();
    expect(scans).toEqual(['read', 'read', 'write']);
    expect(objective.gap).toBeLessThan(1e-9);
  });
});
