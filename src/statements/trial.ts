/**
 * The coin of a trial in SQL (src/solvers/freshness/coin.ts): MD5 is in every database, so that arms need no service.
 */
import type { Dialect, DialectName } from './dialects.ts';

/** How each dialect writes the hexadecimal MD5 of a text in UTF-8. */
const hexMd5: Readonly<Record<DialectName, (text: string) => string>> = {
  duckdb: (text) => `MD5(${text})`,
  postgres: (text) => `MD5(${text})`,
  clickhouse: (text) => `lower(hex(MD5(${text})))`,
  spark: (text) => `MD5(${text})`,
  trino: (text) => `LOWER(TO_HEX(MD5(TO_UTF8(${text}))))`,
  bigquery: (text) => `TO_HEX(MD5(${text}))`,
  snowflake: (text) => `MD5(${text})`,
};

/**
 * The expression that says a unit's arm in a period: `plan` or `incumbent`.
 *
 * @param seed of the trial, a text
 * @param unit an expression for the page or host, a text
 * @param period an expression for the number of the period, a text of digits
 */
export function coinExpression(dialect: Dialect, seed: string, unit: string, period: string): string {
  const text = `CONCAT(${dialect.text(`${seed}/`)}, ${period}, '/', ${unit})`;
  return `CASE WHEN SUBSTR(${hexMd5[dialect.name](text)}, 1, 1) < '8' THEN 'plan' ELSE 'incumbent' END`;
}
