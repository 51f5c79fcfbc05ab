/** The list of an answer (pages, tasks) as columns that people read: names, units, text of a cell, order. */
import type { JsonObject } from '../api/json.ts';
import type { Answered } from '../pictures/answered.ts';
import { at, cells, column, list, nameOf, number, rowCount } from '../pictures/read.ts';
import { columnPlace, describeColumn } from './column-kinds.ts';
import { crawlersOf } from './events.ts';

export interface ResultColumn {
  /** The name on the wire. */
  readonly name: string;
  readonly label: string;
  /** What the cells are in, for the heading and the CSV. */
  readonly unit: string;
  /** By this a column is sorted; NaN comes last. */
  readonly values: Float64Array | readonly string[];
  readonly text: (row: number) => string;
  /** What a cell says beside its text, such as an interval; left out on narrow screens. */
  readonly aside?: (row: number) => string;
  /** What a machine reads in the CSV. */
  readonly raw: (row: number) => string | number | null;
}

export interface ResultTable {
  /** What a row is, in the plural. */
  readonly subject: string;
  readonly length: number;
  readonly names: (row: number) => string;
  readonly hosts: (row: number) => string;
  readonly columns: readonly ResultColumn[];
}

const subjects = ['pages', 'tasks'] as const;
const shownNumbers = 4;

/** A URL's host; empty for an id that is no URL. */
export function hostOf(id: string): string {
  const found = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(id);
  return found ? found[1] : '';
}

const rawCell = (cell: unknown): string | number | null =>
  typeof cell === 'number' || typeof cell === 'string' ? cell : cell == null ? null : JSON.stringify(cell);

/** A column of lists, such as ideal times: sorted by its first number. */
function nested(name: string, values: readonly unknown[]): ResultColumn {
  const { label, unit, text } = describeColumn(name);
  return {
    name,
    label,
    unit,
    values: Float64Array.from(values, (cell) => number(cell, 0)),
    text: (row) => {
      const items = list(values[row]);
      const shown = items.slice(0, shownNumbers).map((item) => (typeof item === 'number' ? text(item) : String(item)));
      return shown.join(', ') + (items.length > shownNumbers ? `, … (${items.length})` : '');
    },
    raw: (row) => rawCell(values[row]),
  };
}

function columnOf(name: string, table: unknown, isClock: boolean): ResultColumn | undefined {
  const values = cells(table, name);
  const first = values.find((cell) => cell !== null && cell !== undefined);
  if (first === undefined) return undefined;
  if (Array.isArray(first)) return nested(name, values);
  const { label, unit, text } = describeColumn(name, isClock);
  if (typeof first === 'number' || typeof first === 'boolean') {
    const numbers = column(table, name);
    return {
      name,
      label,
      unit,
      values: numbers,
      text: (row) => text(numbers[row]),
      raw: (row) => rawCell(values[row]),
    };
  }
  if (typeof first !== 'string') return undefined;
  const words = values.map((cell) => (typeof cell === 'string' ? cell : ''));
  return { name, label, unit, values: words, text: (row) => words[row], raw: (row) => words[row] };
}

const namesIn = (table: unknown): string[] =>
  Array.isArray(table) ? Object.keys(Object(table[0])) : Object.keys(Object(table));

/** A rate and its interval are one column. */
function withInterval(column: ResultColumn, bounds: ResultColumn | undefined, table: unknown): ResultColumn {
  if (bounds === undefined) return column;
  const intervals = cells(table, bounds.name);
  const { text } = describeColumn(column.name);
  const end = (value: unknown): string => (typeof value === 'number' ? text(value) : '∞');
  return {
    ...column,
    aside: (row) =>
      Array.isArray(intervals[row]) ? ` (${end(at(intervals[row], 0))} – ${end(at(intervals[row], 1))})` : '',
  };
}

const intervals: Readonly<Record<string, string>> = { changeRate: 'changeRateInterval', rate: 'interval' };

/** The crawler that makes a task is called as in the schedule: by its id, not by its position. */
function withCrawlers(column: ResultColumn, request: JsonObject): ResultColumn {
  const crawlers = crawlersOf(request, 0);
  const { name, values } = column;
  if (name !== 'crawler' || !(values instanceof Float64Array)) return column;
  return { ...column, text: (row) => crawlers[values[row]] ?? column.text(row) };
}

/** The table of an answer; undefined where it has no list of pages or tasks. */
export function resultTable({ request, answer }: Answered): ResultTable | undefined {
  const subject = subjects.find((name) => rowCount(at(answer.solution, name)) > 0);
  if (subject === undefined) return undefined;
  const answered = at(answer.solution, subject);
  const asked = request[subject];
  const length = rowCount(answered);
  // Epoch seconds, as crawl-plan speaks; elsewhere times have no unit of their own.
  const isClock = typeof request.now === 'number';
  const given = cells(asked, 'host');
  const ids = cells(rowCount(asked) === length ? asked : answered, 'id');
  const names = (row: number): string => {
    const id = ids[row];
    return typeof id === 'string' ? id : nameOf(asked, row);
  };
  const found = namesIn(answered).flatMap((name) => (name === 'id' ? [] : (columnOf(name, answered, isClock) ?? [])));
  const merged = found.flatMap((each) => {
    if (Object.values(intervals).includes(each.name) && found.some(({ name }) => intervals[name] === each.name))
      return [];
    return [
      withInterval(
        each,
        found.find(({ name }) => name === intervals[each.name]),
        answered,
      ),
    ];
  });
  const beside = ['weight', 'idealTime'].flatMap((name) => columnOf(name, asked, isClock) ?? []);
  return {
    subject,
    length,
    names,
    hosts: (row) => {
      const host = given[row];
      return typeof host === 'string' ? host : hostOf(names(row));
    },
    columns: [...merged.map((each) => withCrawlers(each, request)), ...beside].sort(
      (a, b) => columnPlace(a.name) - columnPlace(b.name),
    ),
  };
}
