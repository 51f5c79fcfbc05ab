/** The statements on a Trino server over a table in memory: mvn -q -f test/engines/trino package. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects, statementObjectives } from '../../src/statements/index.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { expectAgreement, expectHostPrices } from './agreement.ts';
import { expectRates, logQuery } from './rates-agreement.ts';
import { TrinoServer, trinoFolder } from './trino/server.ts';

const pages = lognormalPages(10_000, 43);
const table = { from: '"pages"', id: 'url', changeRate: 'rate', weight: 'w' };
/** Of an INSERT: a text of a million characters is the longest that Trino takes. */
const rowsAtOnce = 2500;

describe.skipIf(trinoFolder === null)('Trino', () => {
  const server = new TrinoServer();
  beforeAll(async () => {
    if (trinoFolder === null) throw new Error('no Trino');
    await server.start(trinoFolder);
    await server.rows('CREATE TABLE pages (url BIGINT, rate DOUBLE, w DOUBLE)');
    for (let from = 0; from < pages.length; from += rowsAtOnce) {
      const rows = pages
        .slice(from, from + rowsAtOnce)
        .map(({ changeRate, ratio }, i) => [from + i, changeRate, changeRate * ratio]);
      const cells = `CAST(JSON '${JSON.stringify(rows)}' AS ARRAY(ROW(url BIGINT, rate DOUBLE, w DOUBLE)))`;
      await server.rows(`INSERT INTO pages SELECT * FROM UNNEST(${cells})`);
    }
  }, 240_000);
  afterAll(() => server.stop());

  it('has every page', async () => {
    expect(await server.rows('SELECT COUNT(*) AS n FROM pages')).toEqual([{ n: pages.length }]);
  });

  it('finds the rates of a log', { timeout: 300_000 }, async () => {
    await server.rows(`CREATE TABLE fetches AS SELECT * FROM ${logQuery(dialects.trino)}`);
    await expectRates(dialects.trino, '"fetches"', (statement) => server.rows(statement));
  });

  it('lets hosts pay prices of their own', async () => {
    await expectHostPrices(
      { dialect: dialects.trino, pages: table, rows: (statement) => server.rows(statement) },
      pages,
    );
  });

  it.each(statementObjectives)('prices and plans by %s as the formula does', async (objective) => {
    const rows = (statement: string) => server.rows(statement);
    await expectAgreement({ dialect: dialects.trino, pages: table, rows }, pages, objective, 3000);
  });
});
