/** The coin in SQL, by DuckDB, against the golden vectors of scripts/reference/coin.py. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { coinExpression, dialectNames, dialects } from '../../src/statements/index.ts';

const { coins }: { coins: readonly { seed: string; unit: string; period: number; arm: string }[] } = JSON.parse(
  readFileSync('test/fixtures/coin.json', 'utf8'),
);

describe('the coin in SQL', () => {
  it('falls as in every other language', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const { duckdb } = dialects;
    const statements = coins.map(
      ({ seed, unit, period }) => `SELECT ${coinExpression(duckdb, seed, duckdb.text(unit), `'${period}'`)} AS arm`,
    );
    const rows = (await connection.runAndReadAll(statements.join('\nUNION ALL '))).getRows();
    expect(rows.map(([arm]) => arm)).toEqual(coins.map(({ arm }) => arm));
  });

  it('escapes the seed in each dialect, and names its own functions', () => {
    for (const name of dialectNames) {
      const text = coinExpression(dialects[name], "o'clock", 'page', 'period');
      expect(text).toContain(dialects[name].text("o'clock/"));
      expect(text).toMatch(/md5/i);
    }
  });
});
