/** `crawl-price` as callers see it: what is refused and where, and statements that take no name for SQL. */
import { describe, expect, it } from 'vitest';
import { crawlPrice } from '../../src/operations/crawl-price.ts';
import type { FieldError } from '../../src/schemas/contract/problem.ts';
import { dialectNames, dialects } from '../../src/statements/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';
import { answerOf, refusalsOf } from './outcomes.ts';

/** Two buckets: three pages of ratio about 1, one of 4. */
const bucket = { pages: 3, changeRate: 6, weight: 6, changeRateLogRatio: 0, ratioMin: 1, ratioMax: 1 };
const other = { pages: 1, changeRate: 1, weight: 4, changeRateLogRatio: Math.log(4), ratioMin: 4, ratioMax: 4 };
const request = { rate: 2, buckets: [bucket, other] };

const answer = (body: unknown) => answerOf(crawlPrice, body);
const refusal = (body: unknown): FieldError => refusalsOf(crawlPrice, body)[0];

describe('crawl-price', () => {
  it.each([
    ['a bucket whose least ratio is above its largest', { ratioMin: 2 }, '/buckets/0/ratioMax', 'out-of-range'],
    ['weights that no ratios within the bucket have', { weight: 7 }, '/buckets/0/weight', 'out-of-range'],
    [
      'logarithms that no ratios within the bucket have',
      { changeRateLogRatio: 1 },
      '/buckets/0/changeRateLogRatio',
      'out-of-range',
    ],
  ])('refuses %s', (_, wrong, pointer, code) => {
    const { pointer: at, code: why } = refusal({ ...request, buckets: [{ ...bucket, ...wrong }, other] });
    expect([at, why]).toEqual([pointer, code]);
  });

  it.each([
    ['a price that cannot exist', { rate: 1e90 }, '/rate', 'rate-out-of-range'],
    ['no crawls', { rate: undefined }, '', 'one-of'],
    ['crawls said twice', { crawls: 5, interval: 1 }, '', 'one-of'],
    [
      'a table without a dialect',
      { table: { name: 'pages', id: 'id', changeRate: 'rate' } },
      '/table',
      'not-applicable',
    ],
    ['a dialect without a table', { dialect: 'spark' }, '/table', 'table-missing'],
    [
      'a name with a line break',
      { dialect: 'spark', table: { name: 'a\nb', id: 'id', changeRate: 'rate' } },
      '/table/name',
      'invalid_value',
    ],
    [
      'a last crawl without the unit of the rates',
      { dialect: 'spark', table: { name: 'pages', id: 'id', changeRate: 'rate', lastCrawl: { column: 'at' } } },
      '/table/lastCrawl/secondsPerUnit',
      'invalid_type',
    ],
  ])('refuses %s', (_, wrong, pointer, code) => {
    const { pointer: at, code: why } = refusal({ ...request, ...wrong });
    expect([at, why]).toEqual([pointer, code]);
  });

  it('quotes a table name that tries to be more than a name', () => {
    const name = 'pages"; DROP TABLE pages; --';
    const { histogram, plan } = answer({
      ...request,
      dialect: 'postgres',
      table: { name, id: 'id', changeRate: 'rate' },
    }).statements;
    for (const statement of [histogram, plan]) {
      expect(statement).toContain('FROM "pages""; DROP TABLE pages; --"');
      // no part of the name is outside of the quotes
      expect(statement.replaceAll(/"(?:[^"]|"")*"/g, '')).not.toContain('DROP');
    }
  });

  it.each(dialectNames)('writes a plan with the next fetch in %s where the table has the last crawl', (dialect) => {
    const table = {
      name: 'db.pages',
      id: 'url',
      changeRate: 'per_day',
      lastCrawl: { column: 'at', secondsPerUnit: 86_400 },
    };
    const [withNext, without] = [table, { ...table, lastCrawl: undefined }].map(
      (each) => answer({ ...request, dialect, table: each }).statements,
    );
    const { quoteName } = dialects[dialect];
    expect(withNext.plan).toContain(`FROM ${quoteName('db')}.${quoteName('pages')}`);
    expect(withNext.plan).toMatch(/last_crawl \+ gap \/ lam \* CAST\('86400' AS \w+( PRECISION)?\) AS .nextFetch/);
    expect(withNext.plan).toContain(`CAST(${quoteName('at')} AS`);
    expect(without.plan).not.toContain('nextFetch');
    expect(withNext.histogram).toBe(without.histogram);
  });

  it('answers the next price from what was fetched lately, without buckets', () => {
    const feedback = { price: 4, seen: 15, wanted: 10, elapsed: 1, pages: 20 };
    const next = answer({ feedback });
    expect(next.status).toBe('evaluated');
    expect(next.solution).toEqual({ price: expect.closeTo(4 * (15.5 / 10.5) ** 0.25, 12) });
    expect(next.summary).toContain('15 fetches were made where 10 were wanted');
    expect(faultsOf('crawl-price', { feedback }, next)).toEqual([]);
    expect(faultsOf('crawl-price', { feedback }, { ...next, solution: { price: 4.1 } })).not.toEqual([]);
  });

  it('refuses feedback beside buckets, and neither of the two', () => {
    const feedback = { price: 4, seen: 15, wanted: 10, elapsed: 1, pages: 20 };
    expect(refusal({ ...request, feedback })).toMatchObject({ pointer: '/buckets', code: 'not-applicable' });
    expect(refusal({ rate: 2 })).toMatchObject({ pointer: '', code: 'one-of' });
    expect(refusal({ feedback: { ...feedback, wanted: 0 } })).toMatchObject({ pointer: '/feedback/wanted' });
  });
});
