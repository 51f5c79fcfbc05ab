/** A table of a PostgreSQL database, through `pg`. */
import type { Client } from 'pg';
import { dialects, sessionInUtc, tableName } from '../statements/index.ts';
import { type Engine, loadPackage, TablesError } from './engine.ts';

const dialect = dialects.postgres;

/** Object ids of the column types of numbers. */
const numberTypes = new Set([20, 21, 23, 700, 701, 1700]);

/** @param table name of the table, or `schema.table` */
export async function openPostgres(url: string, table: string): Promise<Engine> {
  const { default: pg } = await loadPackage(() => import('pg'), 'pg', 'a postgres:// URL');
  let client: Client;
  try {
    client = new pg.Client({ connectionString: url, application_name: 'crawl-optimizer' });
    await client.connect();
    await client.query(sessionInUtc);
  } catch (error) {
    // the URL may contain a password, so only the server's message is shown
    throw new TablesError(
      `the database cannot be reached: ${error instanceof Error ? error.message : 'no reason given'}`,
    );
  }
  const from = tableName(dialect, table.split('.'));
  const rows = async (statement: string) => (await client.query(statement)).rows;
  const sources = [from];
  const isSource = async (path: string): Promise<boolean> => {
    const { rowCount } = await client.query(
      'SELECT 1 FROM unnest($2::text[]) source WHERE to_regclass(source) = to_regclass($1)',
      [path, sources],
    );
    return rowCount !== 0;
  };
  return {
    dialect,
    from,
    table(name) {
      const source = tableName(dialect, name.split('.'));
      sources.push(source);
      return source;
    },
    async columns() {
      const { fields } = await client.query(`SELECT * FROM ${from} LIMIT 0`);
      return fields.map(({ name, dataTypeID }) => ({ name, isNumber: numberTypes.has(dataTypeID) }));
    },
    rows,
    async write(query, target) {
      const path = tableName(dialect, target.split('.'));
      if (await isSource(path)) throw new TablesError(`--out ${target} is a table that is read; write to another`);
      try {
        await client.query('BEGIN');
        await client.query(`DROP TABLE IF EXISTS ${path}`);
        await client.query(`CREATE TABLE ${path} AS ${query}`);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
    progress: () => null,
    // closing the connection rolls back the open transaction
    interrupt: () => void client.end(),
    close: () => client.end(),
  };
}
