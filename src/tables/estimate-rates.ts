/** `tables rates`: checks the log, then writes one row a page. */
import { usualColumns } from '../logs/formats/columns.ts';
import { type LogTable, plausibleTimes, previewStatement } from '../statements/index.ts';
import { columnName } from './command.ts';
import { columnHint, type Engine, missingColumn, parseNumber, TablesError } from './engine.ts';
import type { NamedColumns } from './rates-command.ts';

/** Counts and time range of a log, shown before the long query runs. */
export interface LogPreview {
  readonly fetches: number;
  readonly pages: number;
  readonly failedFetches: number;
  /** Fetches without a page or a plausible time; they are left out. */
  readonly unreadableFetches: number;
  /** Times of the first and the last fetch, ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Share of fetches without a page or a plausible time above which a log is refused. */
const maxUnreadableShare = 0.1;

const columnOptions = [
  { column: 'page', option: 'id' },
  { column: 'time', option: 'time' },
  { column: 'changed', option: 'changed' },
  { column: 'signature', option: 'signature' },
  { column: 'status', option: 'status' },
] as const;

/**
 * The log table with its columns. Columns are never guessed; an error suggests columns with usual names.
 *
 * @param names columns of the log; undefined if only the statement is printed
 * @throws TablesError if a required column is not named or does not exist
 */
export function logTable(columns: NamedColumns, from: string, names: readonly string[] | undefined): LogTable {
  const { page, time } = columns;
  for (const { column, option } of columnOptions) {
    const name = columns[column];
    const isRequired = column === 'page' || column === 'time';
    if (name === undefined ? !isRequired : names === undefined || names.includes(name)) continue;
    throw new TablesError(missingColumn(name, option, names ?? [], usualColumns(column, names ?? [])));
  }
  if (columns.changed === undefined && columns.signature === undefined) {
    const [suggestion] = [...usualColumns('signature', names ?? []), ...usualColumns('changed', names ?? [])];
    throw new TablesError(`rates needs --changed or --signature, one of the two${columnHint(names ?? [], suggestion)}`);
  }
  return { ...columns, page: columnName(page, 'id'), time: columnName(time, 'time'), from };
}

/** @throws TablesError if the log is empty or too many times are implausible */
export async function previewLog(engine: Engine, log: LogTable): Promise<LogPreview> {
  const [row] = await engine.rows(previewStatement(engine.dialect, log));
  const [fetches, pages, failedFetches, unreadableFetches] = ['fetches', 'pages', 'failed', 'odd'].map((name) =>
    parseNumber(row[name]),
  );
  if (fetches === 0) throw new TablesError('the log has no fetches');
  if (unreadableFetches > maxUnreadableShare * fetches) {
    const [minTime, maxTime] = [row.least_time, row.most_time];
    const range =
      minTime === null ? 'no time could be read' : `the times go from ${minTime} to ${maxTime} epoch seconds`;
    const [from, to] = plausibleTimes.map((time) => new Date(1000 * time).getUTCFullYear());
    throw new TablesError(
      `${unreadableFetches} of ${fetches} fetches have no page, or no time from ${from} to ${to}; read as ${log.timeFormat}, ${range}: is --time-format another? Nothing is written`,
    );
  }
  const toIso = (seconds: unknown): string => new Date(1000 * parseNumber(seconds)).toISOString();
  return { fetches, pages, failedFetches, unreadableFetches, from: toIso(row.first_time), to: toIso(row.last_time) };
}
