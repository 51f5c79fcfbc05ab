/** Writes examples/tables: a table of two thousand pages as Parquet, and the log from which its rates could be had. */
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { dialects } from '../src/statements/index.ts';

const folder = new URL('../examples/tables/', import.meta.url);
const file = (name: string): string => dialects.duckdb.quoteText(fileURLToPath(new URL(name, folder)));

/** A number from 0 to 1 that looks random and is the same in every run. */
const chance = (salt: number, of = 'i'): string => `((HASH(${of} * 1000 + ${salt}) % 1000003) / 1000003.0)`;
const normal = (salt: number): string => `SQRT(-2 * LN(1 - ${chance(salt)})) * COS(2 * PI() * ${chance(salt + 1)})`;

const pages = `SELECT 'https://host' || (i % 40) || '.example/' || i AS url, EXP(1.5 * ${normal(1)}) AS changes_per_day,
  EXP(${normal(3)}) AS importance, 1767225600 + FLOOR(86400 * ${chance(5)}) AS last_crawl FROM RANGE(2000) t(i)`;
const log = `SELECT url, CAST(1764633600 + 86400 * day AS BIGINT) AS fetched_at,
  ${chance(7, '(i * 40 + day)')} < 1 - EXP(-changes_per_day) AS changed, 200 AS status
  FROM (SELECT *, CAST(regexp_extract(url, '[0-9]+$') AS BIGINT) AS i FROM (${pages})), RANGE(30) d(day) WHERE i < 200 ORDER BY url, day`;

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
for (const [query, name] of [
  [`${pages} ORDER BY url`, 'pages.parquet'],
  [log, 'log.parquet'],
]) {
  await connection.run(`COPY (${query}) TO ${file(name)} (FORMAT parquet, COMPRESSION zstd)`);
}
connection.closeSync();
instance.closeSync();
