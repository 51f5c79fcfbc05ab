/** JSON objects, one a line or in one array: logs of one's own, and Scrapy's feeds (jsonlines, json). */
import { type LogOptions, LogRefusal, RecordCollector, shown } from '../log-record.ts';
import { columnNote, columnsOf, mostColumns, recordOf } from './columns.ts';
import { firstLine, type LogFormat, numberedLines } from './format.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a text with their positions; what is none goes to the collector as a fault. */
export function jsonRows(text: string, collected: RecordCollector): (readonly [number, JsonRow])[] {
  const rows: (readonly [number, JsonRow])[] = [];
  const take = (number: number, value: unknown): void => {
    if (isRow(value)) rows.push([number, value]);
    else collected.fault(number, `no JSON object: ${shown(value)}`);
  };
  if (text.trimStart().startsWith('[')) {
    let list: unknown;
    try {
      list = JSON.parse(text);
    } catch (error) {
      throw new LogRefusal(`no JSON array: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (Array.isArray(list)) for (const [at, value] of list.entries()) take(at + 1, value);
    return rows;
  }
  for (const [number, line] of numberedLines(text)) {
    try {
      take(number, JSON.parse(line));
    } catch {
      collected.fault(number, `no JSON: ${shown(line)}`);
    }
  }
  return rows;
}

function read(text: string, options: LogOptions): RecordCollector {
  const collected = new RecordCollector();
  const rows = jsonRows(text, collected);
  const names = new Set<string>();
  for (const [, row] of rows) {
    for (const name of Object.keys(row)) names.add(name);
    // One more than a log may have: the rest need not be known for it to be refused.
    if (names.size > mostColumns) break;
  }
  if (rows.length === 0) return collected;
  const columns = columnsOf([...names], options, rows[0][1]);
  collected.notes.push(...columnNote(columns));
  for (const [number, row] of rows) {
    const record = recordOf(row, columns);
    if (typeof record === 'string') collected.fault(number, record);
    else collected.records.push(record);
  }
  return collected;
}

export const jsonLog: LogFormat = {
  name: 'json',
  title: 'JSON objects',
  hasColumns: true,
  recognises: (beginning) => /^[[{]/.test(firstLine(beginning)),
  read,
};
