/** How times are written in a table, and as epoch seconds. */
import type { Dialect } from './dialects.ts';

/** How a time is written; without an offset of its own it is UTC. */
export const timeFormats = ['epoch-seconds', 'epoch-milliseconds', 'utc'] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** Epoch seconds of a column. */
export function epochSeconds(dialect: Dialect, column: string, format: TimeFormat): string {
  const name = dialect.quoted(column);
  // DuckDB and PostgreSQL only
  if (format === 'utc') return `CAST(EXTRACT(EPOCH FROM CAST(${name} AS TIMESTAMP)) AS ${dialect.double})`;
  const value = `CAST(${name} AS ${dialect.double})`;
  return format === 'epoch-seconds' ? value : `${value} / 1000`;
}
