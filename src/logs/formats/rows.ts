/**
 * Rows of JSON or of a delimited text, read by the names of their columns: custom logs, Scrapy's feeds, and the logs of
 * servers in these forms.
 */
import { LogRefusal } from '../log-record.ts';
import { flattenRow, normaliseName, RowColumns, suggestivePatterns, usualColumns } from './columns.ts';
import { DelimitedRowReader, delimiterOf } from './delimited.ts';
import { chooseReader, type FaultCounter, type LogFormat, type LogReader } from './format.ts';
import { isRow, isRowList, type JsonRow, JsonRowReader, type RowHandlers } from './json-rows.ts';

/**
 * Reads the rows of a text.
 *
 * @param isJson whether it is JSON or delimited; by its first character if left out
 */
export function openRowReader(faults: FaultCounter, handlers: RowHandlers, isJson?: boolean): LogReader {
  // an object around a list of rows, such as the answer of a server, stands for these
  const onRow = (row: JsonRow, number: number, depth = 0): void => {
    const list = depth > maxWrappers ? undefined : rowListIn(row);
    if (list === undefined || isFetch(row)) handlers.onRow(row, number);
    else for (const innerRow of list) onRow(innerRow, number, depth + 1);
  };
  return chooseReader((text) =>
    (isJson ?? /^[[{]/.test(text.trimStart().replace(recordSeparator, '')))
      ? new JsonRowReader(faults, { ...handlers, onRow })
      : new DelimitedRowReader(faults, handlers),
  );
}

/** The character that may precede each JSON value of a sequence (RFC 7464). */
export const recordSeparator = '\x1e';

/** Objects around a list of rows at most: `responses`, `hits`, `hits`. */
const maxWrappers = 3;

/** The longest list of rows in an object, or in one of its objects. */
function rowListIn(row: JsonRow): readonly JsonRow[] | undefined {
  let longest: readonly JsonRow[] | undefined;
  for (const name in row) {
    const value = row[name];
    if (typeof value !== 'object' || value === null) continue;
    for (const list of isRow(value) ? Object.values(value) : [value]) {
      if (isRowList(list) && list.length > (longest?.length ?? 0)) longest = list;
    }
  }
  return longest;
}

function isFetch(row: JsonRow): boolean {
  const names = Object.keys(row);
  const isEntry = names.some((name) => normaliseName(name).includes('feed'));
  return (
    (isEntry || usualColumns('page', names).length > 0) &&
    names.some((name) => suggestivePatterns.time.test(normaliseName(name)))
  );
}

/** The names of the columns at the beginning of a text; those of nested properties are paths. */
export function columnNames(beginning: string): readonly string[] {
  let names: readonly string[] | undefined;
  const setNames = (firstNames: readonly string[]): void => {
    names ??= firstNames;
  };
  const reader = openRowReader(
    { fault: () => {}, passOver: () => {} },
    {
      onRow: (row) => setNames(Object.keys(flattenRow(row))),
      onList: (list) => setNames(list.map(String)),
      onEnd: setNames,
    },
  );
  try {
    reader.push(beginning);
    reader.end();
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
  }
  return names ?? [];
}

const open =
  (isJson: boolean): LogFormat['open'] =>
  (options, fetches) => {
    const columns = new RowColumns(options, fetches);
    const onRow = (row: JsonRow, number: number): void => columns.take(row, number);
    return openRowReader(fetches, { onRow, onEnd: (names) => columns.end(names) }, isJson);
  };

export const jsonLog: LogFormat = {
  name: 'json',
  aliases: ['ndjson', 'jsonl', 'jsonlines', 'jl'],
  title: 'JSON objects',
  hasColumns: true,
  recognises: ({ line }) => /^[[{]/.test(line),
  open: open(true),
};

export const delimitedText: LogFormat = {
  name: 'csv',
  aliases: ['tsv'],
  title: 'CSV',
  hasColumns: true,
  recognises: ({ line, text }) =>
    line.startsWith('#')
      ? /^#fields:?\s/im.test(text)
      : !/^[[{]/.test(line) && delimiterOf(line) !== undefined && /^["\p{L}\p{N}_ .\-,;|\t@#%$*()/]+$/u.test(line),
  open: open(false),
};
