/**
 * Lists of pages or tasks on the wire: as rows (`[{…}, …]`) or as columns (`{"changeRate": […], …}`), checked once
 * here and turned into one typed array a property; and back, in the form they came in.
 */
import * as z from 'zod';
import { type CellFault, type Column, type ColumnStore, type JsonSchema, textColumn } from './column.ts';

/** The properties of a row, by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** What a list becomes: typed arrays by property, in input order, and what is needed to answer in the same form. */
export interface Table<C extends Columns> {
  readonly form: 'rows' | 'columns';
  readonly length: number;
  /** Ids by position; null when the list carried none. */
  readonly ids: readonly (string | undefined)[] | null;
  readonly columns: { readonly [Name in keyof C]: C[Name] extends Column<infer Values> ? Values : never };
}

type CellOf<Kind> = Kind extends Column<unknown, infer Cell> ? Cell : never;
type OptionalNames<C extends Columns> = {
  [Name in keyof C]: undefined extends CellOf<C[Name]> ? Name : never;
}[keyof C];

/** A row on the wire. */
export type RowInput<C extends Columns> = { readonly id?: string } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: CellOf<C[Name]>;
} & { readonly [Name in OptionalNames<C>]?: CellOf<C[Name]> };

/** One array, or one value for all rows; an array's optional cells may be null. */
type ColumnInput<Cell, Absent> = readonly (Cell | Absent)[] | (Cell extends readonly unknown[] ? never : Cell);

/** The columns on the wire. */
export type ColumnsInput<C extends Columns> = { readonly id?: readonly (string | null)[] } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: ColumnInput<CellOf<C[Name]>, never>;
} & { readonly [Name in OptionalNames<C>]?: ColumnInput<Exclude<CellOf<C[Name]>, undefined>, null> | null };

/** Size and naming of a list. */
export interface TableOptions {
  /** Most rows accepted. */
  readonly maxRows: number;
  /** Fewest rows accepted (default 1). */
  readonly minRows?: number;
  readonly description: string;
}

const shownFaults = 20;
const idColumn = textColumn('Name of the row, echoed in the answer', {
  optional: true,
  maxLength: 2048,
  broadcasts: false,
});

interface CustomIssue {
  readonly code: 'custom';
  readonly message: string;
  readonly path: PropertyKey[];
  readonly input: unknown;
  readonly params: Record<string, unknown>;
}

/** Collects at most twenty issues, counts all, and hands them to zod. */
class Faults {
  readonly issues: CustomIssue[] = [];
  count = 0;

  fault(path: readonly PropertyKey[], { path: inner = [], code, message }: CellFault, input: unknown): void {
    this.count++;
    if (this.issues.length >= shownFaults) return;
    this.issues.push({ code: 'custom', message, path: [...path, ...inner], input, params: { code } });
  }

  handOver(issues: z.core.$ZodRawIssue[]): void {
    for (const issue of this.issues) issues.push({ ...issue });
    const more = this.count - this.issues.length;
    const last = this.issues.at(-1);
    if (more > 0 && last) last.params.more = more;
  }
}

type Stores = Readonly<Record<string, ColumnStore<unknown>>>;

function createStores(columns: Columns, length: number): Stores {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.store(length)]));
}

/** The checked values by property: each store holds what its column's type says, which the record type cannot. */
function finish<C extends Columns>(
  stores: Stores,
  form: 'rows' | 'columns',
  length: number,
  ids: Table<C>['ids'],
): Table<C> {
  const values = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, store.values]));
  return { form, length, ids, columns: values as Table<C>['columns'] };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lengthFault(length: number, { minRows = 1, maxRows }: TableOptions): CellFault | null {
  if (length < minRows) return { code: 'too_small', message: `must have at least ${minRows} rows; got ${length}` };
  if (length > maxRows) return { code: 'too_big', message: `must have at most ${maxRows} rows; got ${length}` };
  return null;
}

const allowedNames = (columns: Columns): string =>
  ['id', ...Object.keys(columns).filter((name) => name !== 'id')].join(', ');
const unknownProperty = (name: string, allowed: string): CellFault => ({
  code: 'unrecognized_key',
  message: `unknown property ${JSON.stringify(name.slice(0, 80))}; allowed here: ${allowed}`,
});

/** Reads the list as rows. */
function readRows<C extends Columns>(
  rows: readonly unknown[],
  columns: C,
  options: TableOptions,
  report: Faults,
): Table<C> {
  const length = rows.length;
  const outside = lengthFault(length, options);
  if (outside) {
    report.fault([], outside, rows);
    return finish(createStores(columns, 0), 'rows', 0, null);
  }
  const stores = createStores(columns, length);
  const ids = idColumn.store(length);
  const allowed = allowedNames(columns);
  const names = Object.keys(columns);
  let anyId = false;
  for (let i = 0; i < length; i++) {
    const row = rows[i];
    if (!isRecord(row)) {
      report.fault([i], { code: 'invalid_type', message: `must be an object with ${allowed}` }, row);
      continue;
    }
    let known = 0;
    for (const name of names) {
      const cell = row[name];
      if (cell !== undefined) {
        known++;
        const fault = stores[name].set(i, cell);
        if (fault) report.fault([i, name], fault, cell);
      } else if (columns[name].required) {
        report.fault([i, name], { code: 'required', message: `is required: ${columns[name].description}` }, undefined);
      }
    }
    if (row.id !== undefined && !('id' in columns)) {
      known++;
      anyId = true;
      const fault = ids.set(i, row.id);
      if (fault) report.fault([i, 'id'], fault, row.id);
    }
    if (Object.keys(row).length > known) {
      for (const name of Object.keys(row)) {
        if (!Object.hasOwn(columns, name) && name !== 'id')
          report.fault([i, name], unknownProperty(name, allowed), row);
      }
    }
  }
  return finish(stores, 'rows', length, anyId ? ids.values : null);
}

/** Reads the list as columns: arrays of one length, or one value for all rows. */
function readColumns<C extends Columns>(
  given: Readonly<Record<string, unknown>>,
  columns: C,
  options: TableOptions,
  report: Faults,
): Table<C> {
  const withId: Columns = 'id' in columns ? columns : { ...columns, id: idColumn };
  const allowed = allowedNames(columns);
  let length = -1;
  let lengthFrom = '';
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(withId, name)) report.fault([name], unknownProperty(name, allowed), given);
  }
  for (const name in withId) {
    const cells = given[name];
    if (!Array.isArray(cells) || (withId[name].broadcasts && withId[name].cell.type === 'array')) continue;
    if (length === -1) {
      length = cells.length;
      lengthFrom = name;
    } else if (cells.length !== length) {
      const message = `must have the length of ${lengthFrom} (${length}); got ${cells.length}`;
      report.fault([name], { code: 'unequal_lengths', message }, cells);
      return finish(createStores(columns, 0), 'columns', 0, null);
    }
  }
  if (length === -1) {
    report.fault([], { code: 'no_length', message: 'at least one column must be an array' }, given);
    return finish(createStores(columns, 0), 'columns', 0, null);
  }
  const outside = lengthFault(length, options);
  if (outside) {
    report.fault([lengthFrom], outside, given);
    return finish(createStores(columns, 0), 'columns', 0, null);
  }
  const stores = createStores(columns, length);
  const ids = idColumn.store(length);
  for (const name in withId) {
    const column = withId[name];
    const store: ColumnStore<unknown> = name === 'id' && !('id' in columns) ? ids : stores[name];
    const cells = given[name];
    if (cells === undefined || cells === null) {
      if (column.required)
        report.fault([name], { code: 'required', message: `is required: ${column.description}` }, cells);
    } else if (Array.isArray(cells)) {
      readCells(name, column, cells, store, report);
    } else if (column.broadcasts) {
      broadcast(name, cells, store, length, report);
    } else {
      report.fault([name], { code: 'invalid_type', message: 'must be an array, one item a row' }, cells);
    }
  }
  return finish(stores, 'columns', length, given.id === undefined || 'id' in columns ? null : ids.values);
}

function readCells(
  name: string,
  column: Column<unknown>,
  cells: readonly unknown[],
  store: ColumnStore<unknown>,
  report: Faults,
) {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (cell === null && !column.required) continue;
    const fault = store.set(i, cell);
    if (fault) report.fault([name, i], fault, cell);
  }
}

function broadcast(name: string, cell: unknown, store: ColumnStore<unknown>, length: number, report: Faults): void {
  for (let i = 0; i < length; i++) {
    const fault = store.set(i, cell);
    if (fault) {
      report.fault([name], fault, cell);
      return;
    }
  }
}

function rowsJsonSchema(columns: Columns, options: TableOptions): JsonSchema {
  const properties: Record<string, unknown> = {};
  if (!('id' in columns)) properties.id = { ...idColumn.cell, description: idColumn.description };
  for (const name in columns) properties[name] = { ...columns[name].cell, description: columns[name].description };
  const required = Object.keys(columns).filter((name) => columns[name].required);
  return {
    type: 'array',
    title: 'Rows',
    minItems: options.minRows ?? 1,
    maxItems: options.maxRows,
    items: { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
  };
}

function columnsJsonSchema(columns: Columns, options: TableOptions): JsonSchema {
  const properties: Record<string, unknown> = {};
  const withId: Columns = 'id' in columns ? columns : { id: idColumn, ...columns };
  for (const name in withId) {
    const { cell, required, broadcasts, description } = withId[name];
    const items = required ? cell : { anyOf: [cell, { type: 'null' }] };
    const array = { type: 'array', items, minItems: options.minRows ?? 1, maxItems: options.maxRows };
    const forms = [array, ...(broadcasts ? [cell] : []), ...(required ? [] : [{ type: 'null' }])];
    properties[name] = forms.length === 1 ? { ...array, description } : { anyOf: forms, description };
  }
  const required = Object.keys(columns).filter((name) => columns[name].required);
  return {
    type: 'object',
    title: 'Columns',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

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
