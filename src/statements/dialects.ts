/**
 * How five databases write what the statements need: names, texts, numbers of double precision, ln(1 + x).
 *
 * Names and texts never get into a statement but through `quoted` and `text` of the dialect, which escape by its own
 * rule.
 */

export const dialectNames = ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino'] as const;

export type DialectName = (typeof dialectNames)[number];

export interface Dialect {
  readonly name: DialectName;
  /** A name of a column, quoted. */
  readonly quoted: (name: string) => string;
  /** A text literal. */
  readonly text: (value: string) => string;
  /** The type of double precision. */
  readonly double: string;
  /** The types of texts and whole numbers, NULL among them. */
  readonly string: string;
  readonly integer: string;
  /** ln(1 + x), right to rounding for any x above −1. */
  readonly log1p: (x: string) => string;
  /** A query of rows that are written out, each a list of expressions, under the names of columns. */
  readonly rows: (names: readonly string[], rows: readonly (readonly string[])[]) => string;
  /** The keyword that makes a common table expression be computed once. */
  readonly once: string;
}

/** ln(1 + x) by the inverse hyperbolic tangent, which is accurate near 0. */
const byAtanh = (x: string): string => `2 * ATANH(${x} / (2 + ${x}))`;
/** ClickHouse accepts the function name only in lower case. */
const byLog1p = (x: string): string => `log1p(${x})`;
/** W. Kahan's form: the rounding of 1 + x cancels out. */
const byLog = (x: string): string => `CASE WHEN 1 + ${x} = 1 THEN ${x} ELSE LN(1 + ${x}) * ${x} / ((1 + ${x}) - 1) END`;

/** Of the standard: thousands of rows are one node of the query. */
const byValues: Dialect['rows'] = (names, rows) =>
  `SELECT * FROM (VALUES ${rows.map((cells) => `(${cells.join(', ')})`).join(',\n  ')}) AS given(${names.join(', ')})`;
const byUnion: Dialect['rows'] = (names, rows) =>
  rows.map((cells) => `SELECT ${cells.map((cell, at) => `${cell} AS ${names[at]}`).join(', ')}`).join('\n  UNION ALL ');

const doubledQuotes = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const doubledBackticks = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const escapedBackticks = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

const doubledApostrophes = (value: string): string => `'${value.replaceAll("'", "''")}'`;
/** PostgreSQL reads backslashes in '…' by the setting standard_conforming_strings, in E'…' always. */
const escapeString = (value: string): string =>
  value.includes('\\') ? `E${doubledApostrophes(value.replaceAll('\\', '\\\\'))}` : doubledApostrophes(value);
const escapedApostrophes = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

/** What most engines write alike. */
const standard = {
  quoted: doubledQuotes,
  text: doubledApostrophes,
  double: 'DOUBLE',
  string: 'VARCHAR',
  integer: 'INTEGER',
  log1p: byAtanh,
  rows: byValues,
  once: 'AS',
} satisfies Omit<Dialect, 'name'>;

/** Every dialect; the functions each has were found by running them where an engine could be run. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  duckdb: { ...standard, name: 'duckdb' },
  postgres: {
    ...standard,
    name: 'postgres',
    text: escapeString,
    double: 'DOUBLE PRECISION',
    // without it each reference is written out again, and the steps of Newton's method grow exponentially
    once: 'AS MATERIALIZED',
  },
  clickhouse: {
    ...standard,
    name: 'clickhouse',
    quoted: escapedBackticks,
    text: escapedApostrophes,
    double: 'Float64',
    string: 'Nullable(String)',
    integer: 'Nullable(Int64)',
    log1p: byLog1p,
    rows: byUnion,
  },
  spark: {
    ...standard,
    name: 'spark',
    quoted: doubledBackticks,
    text: escapedApostrophes,
    string: 'STRING',
    integer: 'INT',
    log1p: byLog1p,
  },
  trino: { ...standard, name: 'trino', log1p: byLog },
};

/** A number of double precision, to the bit. */
export function double(dialect: Dialect, value: number): string {
  return `CAST('${value}' AS ${dialect.double})`;
}

/** A table by its path: catalogue, schema and name, or fewer. */
export function tableName(dialect: Dialect, path: readonly string[]): string {
  return path.map(dialect.quoted).join('.');
}
