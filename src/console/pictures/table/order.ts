/** Which rows are shown, and in which order. */
import type { ResultTable } from './result-table.ts';

export interface Sorting {
  /** The column's name; `id` for the rows' names. */
  readonly column: string;
  readonly descending: boolean;
}

/** Rows whose name, host or text contains every word. */
function matching(table: ResultTable, filter: string): Int32Array {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rows = new Int32Array(table.length);
  let count = 0;
  for (let row = 0; row < table.length; row++) {
    if (words.length > 0) {
      const text = `${table.names(row)} ${table.hosts(row)}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
    }
    rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Rows in the order asked for; equal ones stay in the order of the request, rows without a value come last. */
export function orderedRows(table: ResultTable, filter: string, sorting: Sorting | undefined): Int32Array {
  const rows = matching(table, filter);
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
