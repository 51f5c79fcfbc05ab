/** `tables rates`: a look at the log, then one row a page, written when it is whole. */
import { usualColumns } from '../logs/formats/columns.ts';
import { type LogTable, previewStatement } from '../statements/index.ts';
import { columnName } from './command.ts';
import { type Engine, numberOf, TablesError } from './engine.ts';
import { listed, noColumn } from './no-column.ts';
import type { NamedColumns } from './rates-command.ts';

/** What a log holds, before anything long is begun. */
export interface LogPreview {
  readonly fetches: number;
  readonly pages: number;
  readonly failed: number;
  /** Of the first and the last fetch, ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Times outside of these are not epoch seconds of a crawl: the format is another. */
const earliest = Date.UTC(1990) / 1000;
const latest = Date.UTC(2100) / 1000;

const columnOptions = [
  { column: 'page', option: 'id' },
  { column: 'time', option: 'time' },
  { column: 'changed', option: 'changed' },
  { column: 'signature', option: 'signature' },
  { column: 'status', option: 'status' },
] as const;

/**
 * The log with all its columns named. Nothing is guessed, but a refusal says which columns of the log have usual names.
 *
 * @param names the columns that the log has; undefined where only the statement is asked for
 * @throws TablesError where a column that is needed was not named, or is not there
 */
export function logWith(columns: NamedColumns, from: string, names: readonly string[] | undefined): LogTable {
  const { page, time } = columns;
  for (const { column, option } of columnOptions) {
    const told = columns[column];
    const needed = column === 'page' || column === 'time';
    if (told === undefined ? !needed : names === undefined || names.includes(told)) continue;
    throw new TablesError(noColumn(told, option, names ?? [], usualColumns(column, names ?? [])));
  }
  if (columns.changed === undefined && columns.signature === undefined) {
    const [near] = [...usualColumns('signature', names ?? []), ...usualColumns('changed', names ?? [])];
    throw new TablesError(`rates needs --changed or --signature, one of the two${listed(names ?? [], near)}`);
  }
  return { ...columns, page: columnName(page, 'id'), time: columnName(time, 'time'), from };
}

/** @throws TablesError where the log is empty, or its times cannot be meant */
export async function previewLog(engine: Engine, log: LogTable): Promise<LogPreview> {
  const [row] = await engine.rows(previewStatement(engine.dialect, log));
  const [fetches, pages, failed, incomplete] = ['fetches', 'pages', 'failed', 'incomplete'].map((name) =>
    numberOf(row[name]),
  );
  if (fetches === 0) throw new TablesError('the log has no fetches');
  if (incomplete > 0) {
    throw new TablesError(`${incomplete} of ${fetches} fetches have no page or no time; nothing is written`);
  }
  const [first, last] = [numberOf(row.first_time), numberOf(row.last_time)];
  if (!(first >= earliest && last <= latest)) {
    throw new TablesError(
      `read as ${log.timeFormat}, the times go from ${first} to ${last} epoch seconds, which lie outside of 1990 to 2100: --time-format is another`,
    );
  }
  const iso = (seconds: number): string => new Date(1000 * seconds).toISOString();
  return { fetches, pages, failed, from: iso(first), to: iso(last) };
}
