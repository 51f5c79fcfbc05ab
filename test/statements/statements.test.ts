/** What gets into a statement gets there escaped, in each dialect's own way. That engines agree is in test/engines. */
import { describe, expect, it } from 'vitest';
import {
  dialectNames,
  dialects,
  doubleLiteral,
  histogramStatement,
  planStatement,
  ratesStatement,
  tableName,
} from '../../src/statements/index.ts';

const hostile = [
  'a"b',
  'a`b',
  "a'b",
  'a\\',
  'a\\`b',
  'a"; DROP TABLE pages; --',
  "x' OR '1'='1",
  '"',
  '`',
  "'",
  '\\',
  'é 漢',
];

/** Reads one quoted token by the dialect's rules: doubled quotes, and backslashes where they escape. */
function unquoted(token: string, backslashes: boolean): { value: string; rest: string } {
  const quote = token[0];
  let value = '';
  for (let i = 1; i < token.length; i++) {
    if (backslashes && token[i] === '\\') value += token[++i];
    else if (token[i] === quote && token[i + 1] === quote && !backslashes) value += token[++i];
    else if (token[i] === quote) return { value, rest: token.slice(i + 1) };
    else value += token[i];
  }
  throw new Error(`${token} is not closed`);
}

describe('a statement', () => {
  it.each(dialectNames)('in %s keeps a hostile name one name, and a hostile text one text', (name) => {
    const dialect = dialects[name];
    const namesBackslash = name === 'clickhouse';
    const textsBackslash = ['clickhouse', 'spark'].includes(name);
    for (const word of hostile) {
      expect(unquoted(dialect.quoteName(word), namesBackslash)).toEqual({ value: word, rest: '' });
      const text = dialect.quoteText(word);
      if (name === 'postgres' && word.includes('\\')) {
        expect(text.startsWith("E'")).toBe(true);
        expect(unquoted(text.slice(1).replaceAll("''", "\\'"), true)).toEqual({ value: word, rest: '' });
      } else expect(unquoted(text, textsBackslash)).toEqual({ value: word, rest: '' });
    }
  });

  it.each(dialectNames)('in %s has every name only in quotes, and numbers to the bit', (name) => {
    const dialect = dialects[name];
    const pages = {
      from: tableName(dialect, ['we b', 'Pages"`']),
      id: 'i d',
      changeRate: 'ra te',
      weight: 'wei ght',
      host: 'ho st',
    };
    const price = 0.1 + 0.2;
    const histogram = histogramStatement(dialect, { pages, objective: 'freshness', width: 0.001, groupBy: 'host' });
    const hosts = [{ host: "o'neill.example", price: 2 * price, scale: 0.5 }];
    const plan = planStatement(dialect, { pages, objective: 'freshness', price, scale: 1, hosts });
    for (const [statement, column] of [
      [histogram, 'ra te'],
      [histogram, 'ho st'],
      [plan, 'i d'],
      [plan, 'wei ght'],
    ]) {
      expect(statement).toContain(dialect.quoteName(column));
      expect(statement.replaceAll(dialect.quoteName(column), '')).not.toContain(column);
    }
    expect(plan).toContain(doubleLiteral(dialect, price));
    expect(Number(/'([^']*)'/.exec(doubleLiteral(dialect, price))?.[1])).toBe(price);
    expect(plan).toContain(dialect.quoteText("o'neill.example"));
  });

  it('of rates reads the checks once in Spark, which writes every reference to a subquery out again', () => {
    const log = { from: 'log', page: 'url', time: 'at', timeFormat: 'epoch-seconds', changed: 'changed' } as const;
    const reads = (name: 'spark' | 'trino'): number =>
      ratesStatement(dialects[name], log, 86_400).match(/\b(?:FROM|JOIN) gaps\b/g)?.length ?? Number.NaN;
    expect(reads('spark')).toBe(1);
    expect(reads('trino')).toBe(10);
  });
});
