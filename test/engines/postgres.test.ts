/**
 * `crawl-optimizer tables` on a PostgreSQL server, against the same pages through DuckDB and the plan by the formulas.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stalenessCost } from '../../src/solvers/pages/objectives/index.ts';
import { dialects } from '../../src/statements/index.ts';
import { runTables } from '../../src/tables/index.ts';
import { requireDefined } from '../require-defined.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { boundedOptimum } from '../tables/bounded-optimum.ts';
import { likeliestRate, simulatedLog } from '../tables/simulated-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectAgreement, expectHostPrices } from './agreement.ts';
import { postgresPrograms, type Server, startPostgres } from './postgres-server.ts';

const pages = lognormalPages(40_000, 29);
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
  '12000',
  '--per',
  'day',
];

async function run(...words: string[]) {
  const output = { out: '', err: '' };
  const code = await runTables(
    words,
    { write: (text) => (output.out += text) },
    { write: (text) => (output.err += text) },
  );
  return { code, ...output };
}

describe.skipIf(postgresPrograms === undefined)('PostgreSQL', () => {
  const folder = temporaryFolder();
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
        const right = (changeRate / stalenessCost(objective).intervalAt(1, ratio, answer.price)) * answer.scale;
        worst = Math.max(worst, right === 0 ? rate : Math.abs(rate / right - 1));
      }
      expect(worst, objective).toBeLessThan(1e-9);
    }
  });

  it('prices and plans by delay as the formula does, and by the prices of hosts', async () => {
    const few = pages.slice(0, 20_000);
    await client.query('CREATE VIEW few AS SELECT split_part("u""rl", \'p\', 2) AS url, rate, w FROM "pa ges"');
    const from = 'few WHERE CAST(url AS integer) < 20000';
    const table = { from: `(SELECT * FROM ${from}) aged`, id: 'url', changeRate: 'rate', weight: 'w' };
    const rows = async (statement: string) => (await client.query(statement)).rows;
    await expectAgreement({ dialect: dialects.postgres, pages: table, rows }, few, 'delay', 6000);
    const numbered =
      '(SELECT CAST(url AS integer) AS url, rate, w FROM few WHERE CAST(url AS integer) < 20000) numbered';
    await expectHostPrices({ dialect: dialects.postgres, pages: { ...table, from: numbered }, rows }, few);
  });

  it('keeps intervals within bounds as the best plan by bisection does', async () => {
    const few = pages.slice(0, 3000);
    await client.query(
      'CREATE TABLE few_pages AS SELECT * FROM "pa ges" WHERE CAST(substr("u""rl", 2) AS integer) < 3000',
    );
    const words = [
      server.url,
      '--table',
      'few_pages',
      '--id',
      'u"rl',
      '--rate',
      'rate',
      '--rate-unit',
      'day',
      '--weight',
      'w',
    ];
    for (const objective of ['freshness', 'delay', 'harmonic'] as const) {
      const bounds = ['--min-interval', '36hours', '--max-interval', '5days'];
      const options = [...bounds, '--crawls', '900', '--per', 'day', '--objective', objective, '--out', 'bounded'];
      const { code, out, err } = await run('plan', ...words, ...options);
      expect(code, err).toBe(0);
      const answer = JSON.parse(out);
      const best = boundedOptimum(few, { objective, min: 1.5, max: 5, rate: 900 });
      expect(Math.abs(answer.objective.value / best - 1), objective).toBeLessThan(1e-9);
      const { rows } = await client.query(
        'SELECT SUM(rate) AS spent, MIN("interval") AS least, MAX("interval") AS most FROM bounded',
      );
      expect(rows[0].spent / answer.spent, objective).toBeCloseTo(1, 9);
      expect(answer.spent, objective).toBeLessThanOrEqual(900 * (1 + 1e-12));
      expect(rows[0].least, objective).toBeGreaterThan(1.5 * (1 - 1e-12));
      expect(rows[0].most, objective).toBeLessThan(5 * (1 + 1e-12));
    }
  });

  it('makes the table of pages from a log, each rate the likeliest one', async () => {
    const { checks, lines } = simulatedLog();
    const fetches = lines.map((line) => line.split(','));
    await client.query('CREATE TABLE log (url text, at timestamptz, changed boolean, status integer)');
    await client.query(
      'INSERT INTO log SELECT u, to_timestamp(t), c, s FROM unnest($1::text[], $2::float8[], $3::bool[], $4::int[]) x(u, t, c, s)',
      [0, 1, 2, 3].map((at) => fetches.map((fetch) => fetch[at])),
    );
    const words = ['--id', 'url', '--time', 'at', '--time-format', 'utc', '--changed', 'changed', '--status', 'status'];
    const options = [server.url, '--table', 'log', ...words, '--rate-unit', 'day', '--out', 'rates'];
    const { code, out, err } = await run('rates', ...options);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ fetches: lines.length, pages: 200 });
    const { rows } = await client.query('SELECT * FROM rates');
    expect(rows.length).toBe(200);
    let changing = 0;
    for (const row of rows) {
      const own = requireDefined(checks.get(row.id));
      expect([Number(row.checks), Number(row.changes)]).toEqual([
        own.length,
        own.filter(({ changed }) => changed).length,
      ]);
      const rate = likeliestRate(own);
      if (rate === null) continue;
      changing++;
      expect(Math.abs(row.rate / rate - 1), row.id).toBeLessThan(1e-9);
    }
    expect(changing).toBeGreaterThan(150);
    const priceRun = await run(
      ...['price', server.url, '--table', 'rates', '--id', 'id', '--rate', 'rate', '--rate-unit', 'day'],
      ...['--crawls', '50', '--per', 'day'],
    );
    expect(priceRun.code, priceRun.err).toBe(0);
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

  it('treats a hostile table name as a name only', async () => {
    await client.query('CREATE TABLE victim AS SELECT 1 AS one');
    for (const name of ['victim"; DROP TABLE victim; --', 'victim; DROP TABLE victim']) {
      const { code, err } = await run('price', server.url, '--table', name, ...names);
      expect(code).toBe(2);
      expect(err).toContain('does not exist');
    }
    expect((await client.query('SELECT one FROM victim')).rows).toEqual([{ one: 1 }]);
  });

  it('does not say the password of a URL that cannot be reached', async () => {
    const { code, err } = await run('price', 'postgres://u:secret@127.0.0.1:1/x', '--table', 't', ...names);
    expect(code).toBe(2);
    expect(err).not.toContain('secret');
  });
});
