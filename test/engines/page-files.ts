/** Pages as Parquet: one file, or a folder of partitions as clusters have them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { dialects } from '../../src/statements/index.ts';
import type { Page } from '../solvers/crawl-price/tables-of-pages.ts';

/** Columns `u"rl`, `rate`, `w`, and `part` of the partitions. */
export async function writePages(
  pages: readonly Page[],
  folder: string,
): Promise<{ file: string; partitioned: string }> {
  const csv = join(folder, 'pages.csv');
  const rows = pages.map(({ changeRate, ratio }, i) => `${i},${changeRate},${changeRate * ratio},${i % 8}`);
  writeFileSync(csv, `url,rate,w,part\n${rows.join('\n')}\n`);
  const files = { file: join(folder, 'pages.parquet'), partitioned: join(folder, 'partitioned') };
  const { quoteText: text } = dialects.duckdb;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const read = `SELECT url, CAST(rate AS DOUBLE) AS rate, CAST(w AS DOUBLE) AS w, part FROM read_csv(${text(csv)})`;
  await connection.run(`COPY (${read}) TO ${text(files.file)} (FORMAT parquet)`);
  await connection.run(`COPY (${read}) TO ${text(files.partitioned)} (FORMAT parquet, PARTITION_BY (part))`);
  connection.closeSync();
  instance.closeSync();
  return files;
}
