/** Time formats of a table, and their conversion to epoch seconds. */
import type { Dialect } from './dialects.ts';

/** Formats of a time column; a time of format `utc` without an offset is UTC. */
export const timeFormats = ['epoch-seconds', 'epoch-milliseconds', 'utc'] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** A statement that sets the time zone of the session, so that times without an offset are UTC. */
export const sessionInUtc = "SET TimeZone = 'UTC'";

/**
 * SQL for a time column in epoch seconds; format `utc` needs a session with {@link sessionInUtc}. In files, whose
 * columns may be texts, a value that is not a time is null.
 */
export function epochSeconds(dialect: Dialect, column: string, format: TimeFormat): string {
  const name = dialect.quoteName(column);
  const cast = dialect.name === 'duckdb' ? 'TRY_CAST' : 'CAST';
  // format utc is offered for DuckDB and PostgreSQL only
  if (format === 'utc') return `CAST(EXTRACT(EPOCH FROM ${cast}(${name} AS TIMESTAMPTZ)) AS ${dialect.double})`;
  const value = `${cast}(${name} AS ${dialect.double})`;
  return format === 'epoch-seconds' ? value : `${value} / 1000`;
}
