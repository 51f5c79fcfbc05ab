/**
 * The statements for Trino, which is not had everywhere, parsed by a grammar that knows them.
 */
import { describe, expect, it } from 'vitest';
import {
  certificateStatement,
  dialects,
  histogramStatement,
  planStatement,
  ratesStatement,
  statementObjectives,
  tableName,
} from '../../src/statements/index.ts';
import { findPackage } from './find-package.ts';

const parser = findPackage('node-sql-parser', 'index.js');

async function parse(statement: string, database: string): Promise<void> {
  const module: unknown = parser === null ? null : await import(parser);
  const { Parser } = Object(Reflect.get(Object(module), 'default') ?? module);
  new Parser().astify(statement, { database });
}

describe.skipIf(parser === null)('grammars', () => {
  for (const [name, database] of [['trino', 'Trino']] as const) {
    it(`of ${database} take every statement, and not one that is cut short`, async () => {
      const dialect = dialects[name];
      const from = tableName(dialect, ['db', 'pages']);
      const pages = { from, id: 'url', changeRate: 'rate', weight: 'w', host: 'host' };
      const hosts = [{ host: "o'neill.example", price: 2, scale: 1 }];
      const nextFetch = { lastCrawl: 'at', format: 'epoch-seconds', secondsPerUnit: 86_400 } as const;
      const log = { from, page: 'url', time: 'at', timeFormat: 'epoch-seconds', status: 'status' } as const;
      for (const evidence of [{ changed: 'changed' }, { signature: 'version' }]) {
        await parse(ratesStatement(dialect, { ...log, ...evidence }, 86_400), database);
      }
      for (const objective of statementObjectives) {
        const statements = [
          histogramStatement(dialect, { pages, objective, width: 0.001, groupBy: 'host' }),
          certificateStatement(dialect, { pages, objective, price: 1, scale: 1, hosts: [] }),
          planStatement(dialect, { pages, objective, price: 1.5, scale: 1, hosts, nextFetch }),
        ];
        for (const statement of statements) {
          await parse(statement, database);
          await expect(parse(statement.slice(0, -20), database)).rejects.toThrow();
        }
      }
    });
  }
});
