/**
 * Lists of pages or tasks on the wire: as rows (`[{…}, …]`) or as columns (`{"changeRate": […], …}`). They are checked
 * once here and turned into one typed array a property; and back, in the form they came in.
 */
import * as z from 'zod';
import { fieldOf } from '../contract/field.ts';
import { Refusals } from '../contract/refusals.ts';
import { lazily } from './json-schema.ts';
import { columnsJsonSchema, readColumns } from './table-columns.ts';
import { isRecord } from './table-reading.ts';
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
  const forms = lazily(() => [rowsJsonSchema(rowColumns, options), columnsJsonSchema(columnColumns, options)]);
  return z
    .any()
    .meta({
      ...fieldOf(options.description),
      get anyOf() {
        return forms();
      },
    })
    .transform((value: unknown, context): Table<R> | Table<C> => {
      const report = new Refusals(context.issues);
      let table: Table<R> | Table<C> | null = null;
      if (Array.isArray(value)) table = readRows(value, rowColumns, options, report);
      else if (isRecord(value)) table = readColumns(value, columnColumns, options, report);
      else {
        const code = value === undefined ? 'required' : 'invalid_type';
        report.fault([], { code, message: 'must be an array of rows or an object of columns' }, value);
      }
      if (report.count === 0 && table !== null) return table;
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
    .meta({ ...fieldOf(options.description), ...rowsJsonSchema(columns, options) })
    .transform((value: unknown, context): Table<C> => {
      const report = new Refusals(context.issues);
      if (Array.isArray(value)) {
        const read = readRows(value, columns, options, report);
        if (report.count === 0) return read;
      } else {
        const code = value === undefined ? 'required' : 'invalid_type';
        report.fault([], { code, message: 'must be an array of rows' }, value);
      }
      return z.NEVER;
    });
}
