/** The statements in ClickHouse, embedded by chdb: npm install --prefix test/engines. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, it } from 'vitest';
import { dialects, statementObjectives } from '../../src/statements/index.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectAgreement, expectHostPrices, type Rows } from './agreement.ts';
import { findPackage } from './find-package.ts';
import { writePages } from './page-files.ts';
import { expectRates, loggedFetches } from './rates-agreement.ts';

const chdb = findPackage('chdb', 'index.mjs');
const pages = lognormalPages(50_000, 31);

describe.skipIf(chdb === null)('ClickHouse', () => {
  const folder = temporaryFolder();
  let ask = (_: string): string => '';
  let file = '';
  beforeAll(async () => {
    const module: unknown = chdb === null ? null : await import(chdb);
    const query: unknown = Reflect.get(Object(module), 'query');
    if (typeof query !== 'function') throw new Error('chdb has no query');
    ask = (statement) => String(query(statement, 'JSONEachRow'));
    ({ file } = await writePages(pages, folder));
  });

  const rows = (statement: string): Rows =>
    ask(`${statement}\nSETTINGS output_format_json_quote_64bit_integers = 0`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const engine = () => {
    const table = { from: `file(${dialects.clickhouse.quoteText(file)})`, id: 'url', changeRate: 'rate', weight: 'w' };
    return { dialect: dialects.clickhouse, pages: table, rows };
  };

  it.each(statementObjectives)('prices and plans by %s as the formula does', async (objective) => {
    await expectAgreement(engine(), pages, objective, 15_000);
  });

  it('finds the rates of a log', async () => {
    const log = join(folder, 'log.csv');
    const lines = loggedFetches.map((fetch) => fetch.map((cell) => cell ?? '\\N').join(','));
    writeFileSync(log, `url,at,changed,version,status\n${lines.join('\n')}\n`);
    const { quoteText: text } = dialects.clickhouse;
    const columns = 'url String, at Float64, changed Bool, version Nullable(String), status Int32';
    await expectRates(dialects.clickhouse, `file(${text(log)}, 'CSVWithNames', ${text(columns)})`, (statement) =>
      ask(`${statement}, output_format_json_quote_64bit_integers = 0`)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    );
  });

  it('lets hosts pay prices of their own', async () => {
    await expectHostPrices(engine(), pages);
  });
});
