/**
 * SQL of five databases where it differs: names, text literals, double precision, ln(1 + x).
 *
 * Names and texts get into a statement only through the dialect's `quoteName` and `quoteText`, which escape them.
 */

export const dialectNames = ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino'] as const;

export type DialectName = (typeof dialectNames)[number];

export interface Dialect {
  readonly name: DialectName;
  /** Quotes the name of a column. */
  readonly quoteName: (name: string) => string;
  /** Quotes a text literal. */
  readonly quoteText: (value: string) => string;
  /** The type of a column in double precision. */
  readonly double: string;
  /** The types of columns of texts and of whole numbers, which may be null. */
  readonly string: string;
  readonly integer: string;
  /** ln(1 + x), right to rounding for any x above −1. */
  readonly log1p: (x: string) => string;
  /** A query for literal rows, each a list of expressions, with these column names. */
  readonly rows: (names: readonly string[], rows: readonly (readonly string[])[]) => string;
  /** The keyword that makes a common table expression be computed once. */
  readonly asKeyword: string;
}

/** ln(1 + x) by the inverse hyperbolic tangent, which is accurate near 0. */
const byAtanh = (x: string): string => `2 * ATANH(${x} / (2 + ${x}))`;
/** ClickHouse accepts the function name only in lower case. */
const byLog1p = (x: string): string => `log1p(${x})`;
/** W. Kahan's form: the rounding of 1 + x cancels out. */
const byLog = (x: string): string => `CASE WHEN 1 + ${x} = 1 THEN ${x} ELSE LN(1 + ${x}) * ${x} / ((1 + ${x}) - 1) END`;

/** Standard SQL; thousands of rows are one node of the query. */
const byValues: Dialect['rows'] = (names, rows) =>
  `SELECT * FROM (VALUES ${rows.map((cells) => `(${cells.join(', ')})`).join(',\n  ')}) AS given(${names.join(', ')})`;
const byUnion: Dialect['rows'] = (names, rows) =>
  rows.map((cells) => `SELECT ${cells.map((cell, at) => `${cell} AS ${names[at]}`).join(', ')}`).join('\n  UNION ALL ');

const doubleQuotes = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const doubleBackticks = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const escapeBackticks = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

const doubleApostrophes = (value: string): string => `'${value.replaceAll("'", "''")}'`;
/** PostgreSQL reads backslashes in '…' by the setting standard_conforming_strings, in E'…' always. */
const escapeString = (value: string): string =>
  value.includes('\\') ? `E${doubleApostrophes(value.replaceAll('\\', '\\\\'))}` : doubleApostrophes(value);
const escapeApostrophes = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

/** The SQL of most engines. */
const standard = {
  quoteName: doubleQuotes,
  quoteText: doubleApostrophes,
  double: 'DOUBLE',
  string: 'VARCHAR',
  integer: 'INTEGER',
  log1p: byAtanh,
  rows: byValues,
  asKeyword: 'AS',
} satisfies Omit<Dialect, 'name'>;

/** By name, every dialect; its functions were tried on the engine where the engine could be run. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  duckdb: { ...standard, name: 'duckdb' },
  postgres: {
    ...standard,
    name: 'postgres',
    quoteText: escapeString,
    double: 'DOUBLE PRECISION',
    // without MATERIALIZED each reference is expanded, and the steps of Newton's method grow exponentially
    asKeyword: 'AS MATERIALIZED',
  },
  clickhouse: {
    ...standard,
    name: 'clickhouse',
    quoteName: escapeBackticks,
    quoteText: escapeApostrophes,
    double: 'Float64',
    string: 'Nullable(String)',
    integer: 'Nullable(Int64)',
    log1p: byLog1p,
    rows: byUnion,
  },
  spark: {
    ...standard,
    name: 'spark',
    quoteName: doubleBackticks,
    quoteText: escapeApostrophes,
    string: 'STRING',
    integer: 'INT',
    log1p: byLog1p,
  },
  trino: { ...standard, name: 'trino', log1p: byLog },
};

/** A number of double precision, to the bit. */
export function doubleLiteral(dialect: Dialect, value: number): string {
  return `CAST('${value}' AS ${dialect.double})`;
}

/** A table by its path: catalogue, schema and name, or fewer. */
export function tableName(dialect: Dialect, path: readonly string[]): string {
  return path.map(dialect.quoteName).join('.');
}
