/** A list of pages or tasks as the form edits it, whether it comes as rows or as columns. */
import { isJsonObject, isList, isRecord, type Json, propertyAt } from '../api/json.ts';
import { rowCount } from '../api/read.ts';
import { meaningOf } from '../contract/meaning.ts';
import type { Property } from '../contract/schema.ts';
import { sampleOf } from './field-kind.ts';
import { type Path, withValue } from './pointer.ts';

/** Whether the list comes as columns: `{rate: [1, 2], weight: [3, 4]}`. */
export const isColumns = (value: Json | undefined): boolean => isRecord(value);

/** The value of a cell; a column given as a single value has it in every cell. */
export function cellOf(value: Json | undefined, row: number, name: string): Json | undefined {
  if (isList(value)) return propertyAt(value[row], name);
  const cells = propertyAt(value, name);
  return isList(cells) ? cells[row] : cells;
}

/** Path of a cell relative to its list. */
export function cellPath(value: Json | undefined, row: number, name: string): Path {
  if (!isJsonObject(value)) return [row, name];
  return value[name] !== undefined && !isList(value[name]) ? [name] : [name, row];
}

/** Rows that are examined to decide whether a column is used. */
const sampledRows = 300;

/** The columns on display: required ones, and those that some row has. */
export function usedColumns(value: Json | undefined, columns: readonly Property[]): Property[] {
  if (isJsonObject(value)) return columns.filter(({ name, required }) => required || value[name] !== undefined);
  const sample = isList(value) ? value.slice(0, sampledRows) : [];
  const isUsed = (name: string): boolean => sample.some((row) => (propertyAt(row, name) ?? null) !== null);
  return columns.filter(({ name, required }) => required || isUsed(name));
}

/** The list with another value in a cell; undefined deletes the value. */
export function withCell(value: Json | undefined, row: number, name: string, cell: Json | undefined): Json {
  const path = cellPath(value, row, name);
  // A column keeps its length: an empty cell is null.
  const next = cell === undefined && path.length === 2 && isJsonObject(value) ? null : cell;
  if (isJsonObject(value) && value[name] === undefined)
    return withColumn(value, name, (at) => (at === row ? next : null));
  return withValue(value, path, next) ?? [];
}

/** The list with a column added, one value for each row. */
export function withColumn(value: Json | undefined, name: string, cell: (row: number) => Json | undefined): Json {
  const length = rowCount(value);
  if (isJsonObject(value)) return { ...value, [name]: Array.from({ length }, (_, row) => cell(row) ?? null) };
  return (isList(value) ? value : []).map((row, position): Json => {
    const newCell = cell(position);
    return isJsonObject(row) && newCell !== undefined ? { ...row, [name]: newCell } : row;
  });
}

export function withoutColumn(value: Json | undefined, name: string): Json {
  const removeFrom = (record: Json): Json => {
    if (!isJsonObject(record)) return record;
    const { [name]: _, ...remaining } = record;
    return remaining;
  };
  return isList(value) ? value.map(removeFrom) : removeFrom(value ?? {});
}

/** `news/7` → `news/8`, `home` → `home-2`: an id that no row has. */
export function nextId(ids: ReadonlySet<string>, last: string): string {
  const match = /^(.*?)(\d+)$/.exec(last);
  const stem = match ? match[1] : `${last === '' ? 'new' : last}-`;
  let next = match ? Number(match[2]) + 1 : 2;
  while (ids.has(`${stem}${next}`)) next++;
  return `${stem}${next}`;
}

/** The list with one more row: a copy of the last row with a new id, or a sample in an empty list. */
export function withNewRow(value: Json | undefined, columns: readonly Property[], idName: string | undefined): Json {
  const length = rowCount(value);
  const fresh = (name: string, last: Json | undefined): Json | undefined => {
    if (name !== idName || typeof last !== 'string') return last;
    const ids = Array.from({ length }, (_, row) => String(cellOf(value, row, name)));
    return nextId(new Set(ids), last);
  };
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, cells]) =>
        isList(cells) ? [name, [...cells, fresh(name, cells[cells.length - 1]) ?? null]] : [name, cells],
      ),
    );
  }
  const rows = isList(value) ? value : [];
  const last = rows[rows.length - 1];
  const sample = Object.fromEntries(
    columns.filter(({ required }) => required).map((each) => [each.name, sampleOf(each.schema)]),
  );
  const row = isJsonObject(last)
    ? Object.fromEntries(Object.entries(last).map(([name, cell]) => [name, fresh(name, cell) ?? null]))
    : sample;
  return [...rows, row];
}

/** The column that identifies rows: the first one of strings; undefined without one. */
export const identityOf = (columns: readonly Property[]): string | undefined =>
  columns.find(({ name, schema }) => meaningOf(name, schema).quantity === 'id')?.name;

export function withoutRow(value: Json | undefined, row: number): Json {
  const removeFrom = (cells: readonly Json[]): Json => cells.filter((_, position) => position !== row);
  if (isList(value)) return removeFrom(value);
  if (!isJsonObject(value)) return [];
  return Object.fromEntries(
    Object.entries(value).map(([name, cells]) => [name, isList(cells) ? removeFrom(cells) : cells]),
  );
}
