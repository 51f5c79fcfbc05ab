/** Plan tables as Parquet and in PostgreSQL, written by `tables plan` and read as Scrapy's add-on, URLFrontier's client and Nutch read them. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres } from '../engines/postgres-server.ts';
import { maven } from './maven.ts';
import { freePort } from './wait-for.ts';

const run = promisify(execFile);
const python = resolve('artefacts/python-client/bin/python');
const has = (module: string): boolean =>
  existsSync(python) && spawnSync(python, ['-c', `import ${module}`]).status === 0;
const work = mkdtempSync(join(tmpdir(), 'plan-tables-'));
afterAll(() => rmSync(work, { recursive: true }));

const pages = 25_000;
const source = join(work, 'rates.csv');
const rows = Array.from({ length: pages }, (_, n) => `http://site.example/${n},${(n + 1) / pages},1700000000`);
writeFileSync(source, `id,rate,lastCrawl\n${rows.join('\n')}\n`);
const plan = ['--id', 'id', '--rate', 'rate', '--rate-unit', 'day', '--last-crawl', 'lastCrawl'];
const crawls = ['--crawls', String(pages / 5), '--per', 'day'];
const commandLine = (...words: string[]) => run(process.execPath, [resolve('src/cli.ts'), ...words]);

/** What the add-on reads: number of rows, fetches a day, and the page of the first fetch. */
async function read(table: string, name: string | null): Promise<readonly [number, number, string]> {
  const code = `import json, sys
from table import read_table
rows = list(read_table(sys.argv[1], "day", "id", sys.argv[2] or None))
made = [row for row in rows if row[1] is not None]
print(json.dumps([len(rows), sum(86400 / row[1] for row in made), min(made, key=lambda row: row[2])[0]]))`;
  const environment = {
    ...process.env,
    PYTHONPATH: resolve('integrations/scrapy/scrapy_crawl_optimizer'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = await run(python, ['-c', code, table, name ?? ''], { env: environment });
  return JSON.parse(stdout);
}

/** What Nutch is injected, a page a line; null without Maven's artifacts. */
function seedsOf(words: readonly string[]): string[] | null {
  const program = ['-Dexec.mainClass=org.crawloptimizer.nutch.PlanSeeds', '-Dexec.classpathScope=test'];
  const pom = [
    '-f',
    'integrations/nutch/pom.xml',
    'compile',
    'org.codehaus.mojo:exec-maven-plugin:3.1.0:java',
    `-Dexec.args=${words.join(' ')}`,
  ];
  const made = maven([...pom, ...program]);
  if (made.kind === 'unavailable') {
    console.log(`the plan table in PostgreSQL as Nutch reads it is skipped: ${made.why}`);
    return null;
  }
  if (!made.passed) throw new Error(made.output);
  // Maven begins its first line with the words of a terminal
  return made.output.split('\n').flatMap((line) => /http.*/.exec(line)?.[0] ?? []);
}

const hasParquet = has('pyarrow');
if (!hasParquet) console.log('the plan table as Parquet is skipped: no artefacts/python-client with pyarrow');
it.skipIf(!hasParquet)('a plan as Parquet is read in batches', async () => {
  const out = join(work, 'plan.parquet');
  await commandLine('tables', 'plan', source, ...plan, ...crawls, '--out', out);
  const [found, fetches] = await read(out, null);
  expect(found).toBe(pages);
  expect(fetches).toBeCloseTo(pages / 5, 3);
});

const hasPostgres = has('psycopg') && postgresPrograms !== undefined;
if (!hasPostgres) console.log('the plan table in PostgreSQL is skipped: no PostgreSQL, or no psycopg');
describe.skipIf(!hasPostgres)('a plan in PostgreSQL', () => {
  it('is read by a cursor, and is the plan of the file', async () => {
    const port = await freePort();
    const server = startPostgres(postgresPrograms ?? '', port);
    try {
      const made = join(work, 'load.py');
      writeFileSync(
        made,
        `import csv, psycopg, sys
with psycopg.connect(sys.argv[1]) as connection, connection.cursor() as cursor, open(sys.argv[2]) as lines:
    cursor.execute("CREATE TABLE rates (id text, rate float8, \\"lastCrawl\\" float8)")
    with cursor.copy("COPY rates FROM STDIN") as copy:
        for row in csv.DictReader(lines): copy.write_row((row["id"], row["rate"], row["lastCrawl"]))`,
      );
      await run(python, [made, server.url, source]);
      await commandLine('tables', 'plan', server.url, '--table', 'rates', ...plan, ...crawls, '--out', 'public.plan');
      const file = join(work, 'plan.ndjson');
      await commandLine('tables', 'plan', source, ...plan, ...crawls, '--out', file);
      const [found, fetches, first] = await read(server.url, 'public.plan');
      const [rowsOfFile, fetchesOfFile, firstOfFile] = await read(file, null);
      expect([found, first]).toEqual([rowsOfFile, firstOfFile]);
      expect(fetches).toBeCloseTo(fetchesOfFile, 6);
      const address = `jdbc:postgresql://127.0.0.1:${port}/postgres?user=tester`;
      const put = maven([
        ...['-f', 'integrations/urlfrontier/pom.xml', 'test', '-Dtest=PlanTableInDatabase#is*'],
        ...[`-Dplan.jdbc=${address}`, `-Dplan.pages=${pages}`],
      ]);
      if (put.kind !== 'unavailable') expect(put.passed, put.output).toBe(true);
      const seeds = seedsOf([address, '86400', 'public.plan']);
      if (seeds === null) return;
      const planned = new Map(seeds.map((line) => [line.split('\t', 1)[0], line.split(/\t[\w.]+=/).slice(1)]));
      const rowsOf = readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const others = rowsOf.filter(({ id, interval, nextFetch }) => {
        const seconds = interval === null ? null : 86_400 * interval;
        // the last digit of a number is the engine's own
        const same = (text: string, k: number): boolean => {
          const value = [nextFetch, seconds, seconds][k];
          return value === null ? text === '' : Math.abs(Number(text) / value - 1) < 1e-9;
        };
        const told = planned.get(id);
        return told?.length !== 3 || !told.every(same);
      });
      expect([planned.size, others]).toEqual([pages, []]);
    } finally {
      server.stop();
    }
  });
});
