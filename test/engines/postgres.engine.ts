/** `crawl-optimizer tables` on a PostgreSQL server, against the same pages through DuckDB and the plan by the formulas. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stalenessCost } from '../../src/solvers/objectives/index.ts';
import { dialects } from '../../src/statements/index.ts';
import { runTables } from '../../src/tables/index.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { expectAgreement } from './agreement.ts';
import { postgresPrograms, type Server, startPostgres } from './postgres-server.ts';

const pages = lognormalPages(100_000, 29);
const names = [
  '--id',
  'u"rl',
  '--rate',
  'rate',
  '--rate-unit',
  'day',
  '--weight',
  'w',
  '--crawls',
  '30000',
  '--per',
  'day',
];

async function run(...words: string[]) {
  const said = { out: '', err: '' };
  const code = await runTables(words, { write: (text) => (said.out += text) }, { write: (text) => (said.err += text) });
  return { code, ...said };
}

describe.skipIf(postgresPrograms === undefined)('PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  let server: Server;
  let client: pg.Client;
  beforeAll(async () => {
    server = startPostgres(postgresPrograms ?? '');
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('CREATE TABLE "pa ges" ("u""rl" text, rate double precision, w double precision)');
    const column = (of: (page: (typeof pages)[number]) => number) => pages.map(of);
    await client.query(
      'INSERT INTO "pa ges" SELECT \'p\' || (i - 1), r, w FROM unnest($1::float8[], $2::float8[]) WITH ORDINALITY t(r, w, i)',
      [column(({ changeRate }) => changeRate), column(({ changeRate, ratio }) => changeRate * ratio)],
    );
  });
  afterAll(async () => {
    await client.end();
    server.stop();
    rmSync(folder, { recursive: true });
  });

  it('prices as DuckDB does, and gives every page the rate of the formula', async () => {
    const file = join(folder, 'pages.csv');
    const rows = pages.map(({ changeRate, ratio }, i) => `p${i},${changeRate},${changeRate * ratio}`);
    writeFileSync(file, `"u""rl",rate,w\n${rows.join('\n')}\n`);
    const byFile = JSON.parse((await run('price', file, ...names)).out);
    for (const objective of ['freshness', 'delay', 'harmonic'] as const) {
      const words = [server.url, '--table', 'pa ges', ...names, '--objective', objective, '--out', 'plan'];
      const { code, out, err } = await run('plan', ...words);
      expect(code, err).toBe(0);
      const answer = JSON.parse(out);
      if (objective === 'freshness') {
        expect(answer.price / byFile.price - 1).toBeCloseTo(0, 9);
        expect(answer.objective.value / byFile.objective.value - 1).toBeCloseTo(0, 9);
        expect(answer.withoutCrawl).toBe(byFile.withoutCrawl);
      }
      expect(answer.objective.gap).toBeLessThan(1e-9);
      const plan = await client.query('SELECT "u""rl" AS id, rate FROM plan');
      expect(plan.rows.length).toBe(pages.length);
      let worst = 0;
      for (const { id, rate } of plan.rows) {
        const { changeRate, ratio } = pages[Number(id.slice(1))];
        const right =
          (changeRate / stalenessCost(objective).byChanges.changesBetween(ratio, answer.price)) * answer.scale;
        worst = Math.max(worst, right === 0 ? rate : Math.abs(rate / right - 1));
      }
      expect(worst, objective).toBeLessThan(1e-9);
    }
  });

  it('prices and plans by age as the formula does', async () => {
    const few = pages.slice(0, 20_000);
    await client.query('CREATE VIEW few AS SELECT split_part("u""rl", \'p\', 2) AS url, rate, w FROM "pa ges"');
    const from = 'few WHERE CAST(url AS integer) < 20000';
    const table = { from: `(SELECT * FROM ${from}) few_pages`, id: 'url', changeRate: 'rate', weight: 'w' };
    const rows = async (statement: string) => (await client.query(statement)).rows;
    await expectAgreement({ dialect: dialects.postgres, pages: table, rows }, few, 'age', 6000);
  });

  it('keeps the old plan where a page is faulty, and says which', async () => {
    await client.query('CREATE TABLE faulty AS SELECT * FROM "pa ges" LIMIT 5');
    await client.query('UPDATE faulty SET rate = \'NaN\' WHERE "u""rl" = \'p3\'');
    await client.query('CREATE TABLE kept AS SELECT 1 AS one');
    const { code, err } = await run('plan', server.url, '--table', 'faulty', ...names, '--out', 'kept');
    expect(code).toBe(2);
    expect(err).toContain('1 of 5 pages have a not finite "rate", as "p3"');
    expect((await client.query('SELECT one FROM kept')).rows).toEqual([{ one: 1 }]);
  });

  it('does not say the password of a URL that cannot be reached', async () => {
    const { code, err } = await run('price', 'postgres://u:secret@127.0.0.1:1/x', '--table', 't', ...names);
    expect(code).toBe(2);
    expect(err).not.toContain('secret');
  });
});
