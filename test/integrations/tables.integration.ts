/** Plan tables as Parquet and in PostgreSQL, written by `tables plan` and read as Scrapy's add-on reads them. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres } from '../engines/postgres-server.ts';

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
    const server = startPostgres(postgresPrograms ?? '');
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
    } finally {
      server.stop();
    }
  });
});
