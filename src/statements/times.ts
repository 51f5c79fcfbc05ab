/** Time formats of a table, and their conversion to epoch seconds. */
import type { Dialect } from './dialects.ts';

/** Format of a time; UTC if it has no offset. */
export const timeFormats = ['epoch-seconds', 'epoch-milliseconds', 'utc'] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** Sets the session's zone, so that times without an offset are UTC. */
export const sessionInUtc = "SET TimeZone = 'UTC'";

/**
 * Epoch seconds of a column; `utc` in a session as {@link sessionInUtc} makes it. In files, whose columns may be text, a
 * value that is no time is null.
 */
export function epochSeconds(dialect: Dialect, column: string, format: TimeFormat): string {
  const name = dialect.quoteName(column);
  const cast = dialect.name === 'duckdb' ? 'TRY_CAST' : 'CAST';
  // DuckDB and PostgreSQL only
  if (format === 'utc') return `CAST(EXTRACT(EPOCH FROM ${cast}(${name} AS TIMESTAMPTZ)) AS ${dialect.double})`;
  const value = `${cast}(${name} AS ${dialect.double})`;
  return format === 'epoch-seconds' ? value : `${value} / 1000`;
}
