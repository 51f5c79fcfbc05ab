/** How times are written in a table, and as epoch seconds. */
import type { Dialect } from './dialects.ts';

/** How a time is written; without an offset of its own it is UTC. */
export const timeFormats = ['epoch-seconds', 'epoch-milliseconds', 'utc'] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** In a session of this zone, times without an offset of their own are UTC. */
export const sessionInUtc = "SET TimeZone = 'UTC'";

/** Epoch seconds of a column; `utc` in a session as {@link sessionInUtc} makes it. */
export function epochSeconds(dialect: Dialect, column: string, format: TimeFormat): string {
  const name = dialect.quoted(column);
  // DuckDB and PostgreSQL only
  if (format === 'utc') return `CAST(EXTRACT(EPOCH FROM CAST(${name} AS TIMESTAMPTZ)) AS ${dialect.double})`;
  const value = `CAST(${name} AS ${dialect.double})`;
  return format === 'epoch-seconds' ? value : `${value} / 1000`;
}
