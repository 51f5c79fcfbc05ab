/**
 * Lists of pages or tasks on the wire: as rows (`[{…}, …]`) or as columns (`{"changeRate": […], …}`), checked once
 * here and turned into one typed array a property; and back, in the form they came in.
 */
import * as z from 'zod';
import { columnsJsonSchema, readColumns } from './table-columns.ts';
import { Faults, isRecord } from './table-reading.ts';
import { readRows, rowsJsonSchema } from './table-rows.ts';
import type { Columns, ColumnsInput, RowInput, Table, TableOptions } from './table-types.ts';

export type { Columns, ColumnsInput, RowInput, Table, TableOptions } from './table-types.ts';

/**
 * A list accepted as rows with `rowColumns` or as columns with `columnColumns` (the same unless the two forms differ,
 * as where rows carry nested objects). The parsed value is a {@link Table}.
 */
export function rowsOrColumns<R extends Columns, C extends Columns>(
  rowColumns: R,
  columnColumns: C,
  options: TableOptions,
): z.ZodType<Table<R> | Table<C>, readonly RowInput<R>[] | ColumnsInput<C>> {
  return z
    .any()
    .meta({
      description: options.description,
      anyOf: [rowsJsonSchema(rowColumns, options), columnsJsonSchema(columnColumns, options)],
    })
    .transform((value: unknown, context): Table<R> | Table<C> => {
      const faults = new Faults();
      let table: Table<R> | Table<C> | null = null;
      if (Array.isArray(value)) table = readRows(value, rowColumns, options, faults);
      else if (isRecord(value)) table = readColumns(value, columnColumns, options, faults);
      else {
        const code = value === undefined ? 'required' : 'invalid_type';
        faults.fault([], { code, message: 'must be an array of rows or an object of columns' }, value);
      }
      if (faults.count === 0 && table !== null) return table;
      faults.handOver(context.issues);
      return z.NEVER;
    });
}

/** A list whose rows and columns carry the same properties. */
export function table<C extends Columns>(
  columns: C,
  options: TableOptions,
): z.ZodType<Table<C>, readonly RowInput<C>[] | ColumnsInput<C>> {
  return rowsOrColumns(columns, columns, options).transform((value): Table<C> => value);
}

/** A list that comes as rows only. */
export function rowsOnly<C extends Columns>(
  columns: C,
  options: TableOptions,
): z.ZodType<Table<C>, readonly RowInput<C>[]> {
  return z
    .any()
    .meta({ description: options.description, ...rowsJsonSchema(columns, options) })
    .transform((value: unknown, context): Table<C> => {
      const faults = new Faults();
      if (Array.isArray(value)) {
        const read = readRows(value, columns, options, faults);
        if (faults.count === 0) return read;
      } else {
        const code = value === undefined ? 'required' : 'invalid_type';
        faults.fault([], { code, message: 'must be an array of rows' }, value);
      }
      faults.handOver(context.issues);
      return z.NEVER;
    });
}
