/** The list of an answer (pages, tasks) as columns that people read: names, units, text of a cell, order. */
import type { Exchange } from '../../api/answer.ts';
import type { JsonObject, Schema } from '../../api/json.ts';
import { columnValues, listAt, numberAt, numericColumn, rowCount, valueAt } from '../../api/read.ts';
import { columnsOf, propertyOf } from '../../contract/answer-fields.ts';
import { cellText, type Meaning, unitInWords } from '../../contract/meaning.ts';
import { crawlerNames, rowName } from '../frame/names.ts';

export interface ResultColumn {
  /** The field name in the contract. */
  readonly name: string;
  readonly label: string;
  /** Unit of the cells, for the heading and the CSV. */
  readonly unit: string;
  /** Sort key; NaN comes last. */
  readonly values: Float64Array | readonly string[];
  readonly text: (row: number) => string;
  /** Text after the value of a cell, such as an interval; hidden on narrow screens. */
  readonly note?: (row: number) => string;
  /** The value in the CSV. */
  readonly raw: (row: number) => string | number | null;
}

export interface ResultTable {
  /** Plural noun for the rows: pages, tasks. */
  readonly subject: string;
  readonly length: number;
  readonly names: (row: number) => string;
  readonly hosts: (row: number) => string;
  readonly columns: readonly ResultColumn[];
}

export interface Schemas {
  readonly schema: Schema;
  readonly answer: () => Schema;
}

const subjects = ['pages', 'tasks'] as const;
const shownNumbers = 4;

/** A URL's host; empty for an id that is no URL. */
export function hostOf(id: string): string {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(id);
  return host ? host[1] : '';
}

const rawCell = (cell: unknown): string | number | null =>
  typeof cell === 'number' || typeof cell === 'string' ? cell : cell == null ? null : JSON.stringify(cell);

interface Column {
  readonly name: string;
  readonly meaning: Meaning;
}

/** A column of lists, such as ideal times: sorted by its first number. */
function listColumn({ name, meaning }: Column, values: readonly unknown[]): ResultColumn {
  return {
    name,
    label: meaning.label,
    unit: unitInWords(meaning),
    values: Float64Array.from(values, (cell) => numberAt(cell, 0)),
    text: (row) => {
      const items = listAt(values[row]);
      const text = (item: unknown): string => (typeof item === 'number' ? cellText(item, meaning) : String(item));
      return (
        items.slice(0, shownNumbers).map(text).join(', ') + (items.length > shownNumbers ? `, … (${items.length})` : '')
      );
    },
    raw: (row) => rawCell(values[row]),
  };
}

function columnOf(column: Column, table: unknown): ResultColumn | undefined {
  const { name, meaning } = column;
  const values = columnValues(table, name);
  const first = values.find((cell) => cell !== null && cell !== undefined);
  if (first === undefined) return undefined;
  if (Array.isArray(first)) return typeof first[0] === 'object' ? undefined : listColumn(column, values);
  const head = { name, label: meaning.label, unit: unitInWords(meaning) };
  if (typeof first === 'number' || typeof first === 'boolean') {
    const numbers = numericColumn(table, name);
    return {
      ...head,
      values: numbers,
      text: (row) => cellText(numbers[row], meaning),
      raw: (row) => rawCell(values[row]),
    };
  }
  if (typeof first !== 'string') return undefined;
  const words = values.map((cell) => (typeof cell === 'string' ? cell : ''));
  return { ...head, values: words, text: (row) => words[row], raw: (row) => words[row] };
}

/** The column to which a column of intervals belongs: its name without `Interval`, or the column before it. */
function estimateOf(i: number, columns: readonly Column[], table: unknown): Column | undefined {
  const { name, meaning } = columns[i];
  const first = columnValues(table, name).find((cell) => cell !== null && cell !== undefined);
  if (!Array.isArray(first) || first.length !== 2) return undefined;
  const estimate = columns.find((each) => name === `${each.name}Interval`) ?? columns[i - 1];
  return estimate?.meaning.quantity === meaning.quantity && estimate.meaning.unit === meaning.unit
    ? estimate
    : undefined;
}

/** Merges a number and its interval into one column. */
function withInterval(column: ResultColumn, { name, meaning }: Column, table: unknown): ResultColumn {
  const intervals = columnValues(table, name);
  const end = (value: unknown): string => (typeof value === 'number' ? cellText(value, meaning) : '∞');
  return {
    ...column,
    note: (row) =>
      Array.isArray(intervals[row]) ? ` (${end(valueAt(intervals[row], 0))} – ${end(valueAt(intervals[row], 1))})` : '',
  };
}

/** The column of crawlers shows ids, as the schedule does, in place of positions. */
function withCrawlers(column: ResultColumn, request: JsonObject): ResultColumn {
  const crawlers = crawlerNames(request, 0);
  const { name, values } = column;
  if (name !== 'crawler' || !(values instanceof Float64Array)) return column;
  return { ...column, text: (row) => crawlers[values[row]] ?? column.text(row) };
}

/** The columns of a list, those marked as read first in front, each number with its interval. */
function columnsIn(columns: readonly Column[], table: unknown): ResultColumn[] {
  const shownColumns = columns.filter(({ meaning }) => meaning.quantity !== 'id');
  const estimates = shownColumns.map((_, i) => estimateOf(i, shownColumns, table));
  const resultColumns = shownColumns.flatMap((column, i) => {
    if (estimates[i] !== undefined) return [];
    const own = columnOf(column, table);
    if (own === undefined) return [];
    const intervals = shownColumns[estimates.indexOf(column)];
    const whole = intervals === undefined ? own : withInterval(own, intervals, table);
    return [{ whole, isFirst: column.meaning.role === 'first' }];
  });
  return [...resultColumns.filter(({ isFirst }) => isFirst), ...resultColumns.filter(({ isFirst }) => !isFirst)].map(
    ({ whole }) => whole,
  );
}

/** Properties of the request that the table shows in addition to the answer. */
const requestColumns = ['weight', 'idealTime'];

/** The table of an answer; undefined where it has no list of pages or tasks. */
export function resultTable({ schema, answer: answerSchema }: Schemas, exchange: Exchange): ResultTable | undefined {
  const { request, answer } = exchange;
  const subject = subjects.find((name) => rowCount(valueAt(answer.solution, name)) > 0);
  if (subject === undefined) return undefined;
  const table = valueAt(answer.solution, subject);
  const requestTable = request[subject];
  const length = rowCount(table);
  const solution = propertyOf(answerSchema(), 'solution');
  const answerColumns = columnsOf((solution && propertyOf(solution, subject)) ?? {});
  const requestFieldColumns = columnsOf(propertyOf(schema, subject) ?? {}).filter(
    ({ name }) => requestColumns.includes(name) && !answerColumns.some((each) => each.name === name),
  );
  const hosts = columnValues(requestTable, 'host');
  const ids = columnValues(rowCount(requestTable) === length ? requestTable : table, 'id');
  const answerIds = listAt(answer.solution, 'ids');
  const names = (row: number): string => {
    const id = ids[row] ?? answerIds[row];
    return typeof id === 'string' ? id : rowName(requestTable, row);
  };
  const extraColumns = rowCount(requestTable) === length ? columnsIn(requestFieldColumns, requestTable) : [];
  return {
    subject,
    length,
    names,
    hosts: (row) => {
      const host = hosts[row];
      return typeof host === 'string' ? host : hostOf(names(row));
    },
    columns: [...columnsIn(answerColumns, table).map((each) => withCrawlers(each, request)), ...extraColumns],
  };
}

export interface Sorting {
  /** Name of the column to sort by; `id` for the names of the rows. */
  readonly column: string;
  readonly descending: boolean;
}

/** Rows whose name or host contains every word. */
function filterRows(table: ResultTable, filter: string): Int32Array {
  const words = filter.toLowerCase().match(/\S+/g) ?? [];
  const hasWords = (row: number): boolean => {
    const text = `${table.names(row)} ${table.hosts(row)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rows = Int32Array.from({ length: table.length }, (_, row) => row);
  return words.length === 0 ? rows : rows.filter(hasWords);
}

/** Rows in the chosen order; the sort is stable, and rows without a value come last. */
export function orderedRows(table: ResultTable, filter: string, sorting: Sorting | undefined): Int32Array {
  const rows = filterRows(table, filter);
  if (sorting === undefined) return rows;
  const sign = sorting.descending ? -1 : 1;
  const column = table.columns.find(({ name }) => name === sorting.column);
  const values = column?.values ?? Array.from({ length: table.length }, (_, row) => table.names(row));
  return rows.sort((a, b) => {
    const x = values[a];
    const y = values[b];
    if (typeof x === 'string' || typeof y === 'string') return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
}
