/** Reading requests and answers: numbers at paths, and lists whether they came as rows or as columns. */
import { isRecord } from './json.ts';

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let inner = value;
  for (const step of path) {
    if (Array.isArray(inner) && typeof step === 'number') inner = inner[step];
    else if (isRecord(inner)) inner = inner[step];
    else return undefined;
  }
  return inner;
}

/** The number at a path; NaN where there is none. */
export function numberAt(value: unknown, ...path: (string | number)[]): number {
  const number = valueAt(value, ...path);
  return typeof number === 'number' ? number : Number.NaN;
}

export const textAt = (value: unknown, ...path: (string | number)[]): string => {
  const text = valueAt(value, ...path);
  return typeof text === 'string' ? text : '';
};

/** The array at a path; empty where there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** The numbers of an array; NaN for everything else in it. */
export const numbersAt = (value: unknown, ...path: (string | number)[]): number[] =>
  listAt(value, ...path).map((item) => (typeof item === 'number' ? item : Number.NaN));

/** How many rows a list has, in either form. */
export function rowCount(table: unknown): number {
  if (Array.isArray(table)) return table.length;
  if (!isRecord(table)) return 0;
  return Math.max(0, ...Object.values(table).map((cells) => (Array.isArray(cells) ? cells.length : 0)));
}

/** One property of every row: from rows, from a column, or from the one value that stands for all. */
export function columnValues(table: unknown, name: string): unknown[] {
  if (Array.isArray(table)) return table.map((row) => valueAt(row, name));
  const column = valueAt(table, name);
  if (Array.isArray(column)) return column;
  return new Array(rowCount(table)).fill(column);
}

/** One numeric property of every row; NaN where a row has none. */
export function numericColumn(table: unknown, name: string, absent = Number.NaN): Float64Array {
  return Float64Array.from(columnValues(table, name), (cell) =>
    typeof cell === 'number' ? cell : typeof cell === 'boolean' ? Number(cell) : absent,
  );
}
