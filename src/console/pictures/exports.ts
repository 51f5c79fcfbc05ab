/** The plan as CSV. */
import { csvCell } from '../../schemas/words/csv-cell.ts';
import type { Events } from './lanes/events.ts';
import type { ResultTable } from './table/result-table.ts';

const csvLines = (lines: readonly (readonly (string | number | null)[])[]): string =>
  lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');

/** The table as CSV (RFC 4180) in the given row order, with the field names and units of the contract. */
export function tableCsv(table: ResultTable, rows: Int32Array): string {
  const body = Array.from(rows, (row) => [table.names(row), ...table.columns.map((column) => column.raw(row))]);
  return csvLines([['id', ...table.columns.map(({ name }) => name)], ...body]);
}

/** The fetches as CSV, in order of time. */
export function scheduleCsv(table: ResultTable, events: Events): string {
  const lines = Array.from(events.time, (time, event) => [
    events.clock === 'epoch' ? new Date(time * 1000).toISOString() : time,
    events.crawlers[events.crawler[event]] ?? String(events.crawler[event]),
    table.names(events.row[event]),
  ]);
  return csvLines([['time', 'crawler', 'id'], ...lines]);
}
