/** Crawling by a price inside PostgreSQL, held to the golden vectors of every language. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { priceFunctions } from '../../src/statements/index.ts';
import { checkPriceFunctions } from '../statements/price-vectors.ts';
import { postgresPrograms, startPostgres } from './postgres-server.ts';

if (postgresPrograms === undefined) console.log('PostgreSQL by a price is skipped: it is not installed');

describe.skipIf(postgresPrograms === undefined)('crawling by a price in PostgreSQL', () => {
  it('is held to the golden vectors of every language', async () => {
    const server = startPostgres(postgresPrograms ?? '');
    const client = new pg.Client({ connectionString: server.url });
    try {
      await client.connect();
      await client.query(priceFunctions('postgres'));
      const list = (values: readonly number[]): string => `ARRAY[${values.join(', ')}]::float8[]`;
      const ask = async (expression: string, columns: readonly string[], rows: readonly (readonly string[])[]) => {
        const values = rows.map((cells, at) => `(${[at, ...cells].join(', ')})`).join(',');
        const text = expression.replace(/(?<=\()AS VARCHAR/, 'AS text');
        const { rows: found } = await client.query<{ value: unknown }>(
          `SELECT ${text} AS value FROM (VALUES ${values}) AS given(place, ${columns.join(', ')}) ORDER BY place`,
        );
        return found.map(({ value }) => value);
      };
      await checkPriceFunctions({ list, ask }, readFileSync('test/fixtures/price.json', 'utf8'), expect);
    } finally {
      await client.end();
      server.stop();
    }
  });
});
