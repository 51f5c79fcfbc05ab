/** Crawling by a price in DuckDB, against the golden vectors of scripts/reference/price.py. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { priceFunctions } from '../../src/statements/index.ts';
import { checkPriceFunctions } from './price-vectors.ts';

describe('crawling by a price in DuckDB', () => {
  it('is held to the golden vectors of every language', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(priceFunctions('duckdb'));
    const list = (values: readonly number[]): string => `[${values.map((each) => `${each}::DOUBLE`).join(', ')}]`;
    const ask = async (expression: string, columns: readonly string[], rows: readonly (readonly string[])[]) => {
      const values = rows.map((cells, at) => `(${[at, ...cells].join(', ')})`).join(',');
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE given AS FROM (VALUES ${values}) AS t(place, ${columns.join(', ')})`,
      );
      const found = await connection.runAndReadAll(`SELECT ${expression} FROM given ORDER BY place`);
      return found.getRows().map(([value]) => value);
    };
    await checkPriceFunctions({ list, ask }, readFileSync('test/fixtures/price.json', 'utf8'), expect);
  }, 120_000);
});
