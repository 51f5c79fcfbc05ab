/**
 * Lists of pages or tasks on the wire: as rows (`[{…}, …]`) or as columns (`{"changeRate": […], …}`, each an array or
 * one value for all rows). The properties are zod schemas; what is read is one array a property.
 */
import * as z from 'zod';
import { type Field, fieldOf, id, withoutAnnotations } from '../contract/field.ts';
import { type ListSize, list } from '../contract/list.ts';
import { quoteValue } from '../contract/problem.ts';
import { nameText } from '../contract/range.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { closedObject, strictObject } from '../contract/strict-object.ts';

/** The properties of a row, by name; each has its description, its default and whether it may be left out. */
export type Columns = Readonly<Record<string, z.ZodType>>;

/** The type of a parsed column: an absent number becomes its default or NaN, any other absent cell undefined. */
type Values<Cell extends z.ZodType> =
  NonNullable<z.output<Cell>> extends number ? Float64Array : readonly z.output<Cell>[];

/** The form of a list in a request, in which its answer is given. */
export interface Form {
  readonly form: 'rows' | 'columns';
  readonly length: number;
  /** Ids by position; null when the list carried none. */
  readonly ids: readonly (string | undefined)[] | null;
}

/** A list of objects as columns, one array per property: the form in which solvers take it. */
export interface Table<C extends Columns> extends Form {
  /** By property, in input order. Absent columns may share an array: copy before writing. */
  readonly columns: { readonly [Name in keyof C]: Values<C[Name]> };
}

type OptionalNames<C extends Columns> = {
  [Name in keyof C]: undefined extends z.input<C[Name]> ? Name : never;
}[keyof C];

type RowInput<C extends Columns> = { readonly id?: string } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: z.input<C[Name]>;
} & { readonly [Name in OptionalNames<C>]?: z.input<C[Name]> };

/** One array, or one value for all rows; an array's optional cells may be null. */
type ColumnInput<Cell, Absent> =
  | readonly (Cell | Absent)[]
  | (number extends Cell ? Float64Array | Float32Array | Int32Array : never)
  | (Cell extends readonly unknown[] ? never : Cell);

type ColumnsInput<C extends Columns> = { readonly id?: readonly (string | null)[] } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: ColumnInput<z.input<C[Name]>, never>;
} & { readonly [Name in OptionalNames<C>]?: ColumnInput<Exclude<z.input<C[Name]>, undefined>, null> | null };

/**
 * A list accepted as rows with the properties `rows` or as columns with the properties `columns`, which are the same
 * but where large lists come in another form as columns.
 *
 * @param rowName the name of a row, where operations share it; left out: the list's
 */
export function table<R extends Columns, C extends Columns = R>(
  name: string,
  maxRows: number,
  description: string | Field,
  rows: R,
  columns?: C,
  rowName?: string,
): z.ZodType<Table<R> | Table<C>, readonly RowInput<R>[] | ColumnsInput<C>>;
export function table(
  name: string,
  maxRows: number,
  description: string | Field,
  rows: Columns,
  columns = rows,
  rowName = name,
) {
  const size = { minItems: 1, maxItems: maxRows };
  const row = strictObject(rowName, { id: nameText.optional().meta(id()), ...rows });
  const ids = { id: z.union([list(nameText.nullable(), size), z.null()]).optional() };
  const arrays = Object.entries(columns).map(([name, cell]) => {
    const column = columnOf(cell, size);
    return [name, name in rows ? column : column.meta(cell.meta() ?? {})];
  });
  return z
    .union([
      list(row, size).meta({ title: 'Rows' }),
      closedObject({ ...ids, ...Object.fromEntries(arrays) }).meta({ id: `${name}Columns`, title: 'Columns' }),
    ])
    .transform((value, context): Table<Columns> => {
      if (Array.isArray(value)) return tableOfRows(value, rows);
      return tableOfColumns(value, columns, refusals(context.issues)) ?? z.NEVER;
    })
    .meta(fieldOf(description));
}

/**
 * The property of a request or of a solution that is a list which may come as columns; null where there is none.
 */
export function listIn(schema: z.core.$ZodType): string | null {
  if (schema instanceof z.ZodPipe) return listIn(schema.in);
  if (!(schema instanceof z.ZodObject)) return null;
  return Object.entries<z.core.$ZodType>(schema.shape).find(([, property]) => isTable(property))?.[0] ?? null;
}

/** Whether a schema is of a list that may come as columns. */
export function isTable(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isTable(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isTable(schema.in);
  return schema instanceof z.ZodUnion && schema.options.some((form) => z.globalRegistry.get(form)?.title === 'Columns');
}

/** The schema of a present cell: that of an optional cell or of one with a default, without this wrapper. */
function presentCell(cell: z.ZodType): z.ZodType {
  const inner = cell instanceof z.ZodOptional || cell instanceof z.ZodDefault ? cell.unwrap() : cell;
  return inner instanceof z.ZodType ? inner : cell;
}

function columnOf(cell: z.ZodType, size: ListSize): z.ZodType {
  const inner = presentCell(cell);
  const isOptional = inner !== cell;
  const present = isOptional ? inner : withoutAnnotations(cell);
  const array = list(isOptional ? present.nullable() : present, size);
  // lists, choices, flags and required names have a value for each row; one value for all rows is refused
  const isOwn = [z.ZodArray, z.ZodUnion, z.ZodLiteral].some((kind) => present instanceof kind);
  const isShared = !isOwn && (isOptional || !(present instanceof z.ZodString));
  const forms = [array, ...(isShared ? [present] : []), ...(isOptional ? [z.null()] : [])];
  const column = forms.length === 1 ? array : z.union(forms);
  return isOptional ? column.optional() : column;
}

/** The cells of a column in the form that a table gives them. */
function valuesOf(cell: z.ZodType, length: number, cells: ArrayLike<unknown>): Float64Array | readonly unknown[] {
  const absent: unknown = cell instanceof z.ZodDefault ? cell.def.defaultValue : undefined;
  const isNumbers = presentCell(cell) instanceof z.ZodNumber;
  const values = isNumbers ? new Float64Array(length).fill(Number(absent)) : new Array<unknown>(length).fill(absent);
  for (let i = 0; i < cells.length; i++) {
    const value = cells[i];
    if (value !== undefined && value !== null) values[i] = value;
  }
  return values;
}

function tableOfRows(rows: readonly Readonly<Record<string, unknown>>[], cells: Columns): Table<Columns> {
  const { length } = rows;
  const cellsOf = (name: string): unknown[] => rows.map((row) => row[name]);
  const columns = Object.entries(cells).map(([name, cell]) => [name, valuesOf(cell, length, cellsOf(name))]);
  const ids = rows.map(({ id }) => (typeof id === 'string' ? id : undefined));
  return {
    form: 'rows',
    length,
    ids: ids.every((id) => id === undefined) ? null : ids,
    columns: Object.fromEntries(columns),
  };
}

/** The table of columns whose cells are right; null where their lengths are not one. */
function tableOfColumns(
  wireColumns: Readonly<Record<string, unknown>>,
  cells: Columns,
  refuse: Refuse,
): Table<Columns> | null {
  const arrays = Object.entries(wireColumns).filter((entry): entry is [string, readonly unknown[]] =>
    Array.isArray(entry[1]),
  );
  if (arrays.length === 0) {
    refuse([], 'no-length', 'at least one column must be an array', wireColumns);
    return null;
  }
  const [[first, { length }]] = arrays;
  const unequal = arrays.find(([, array]) => array.length !== length);
  if (unequal !== undefined) {
    const message = `must have the length of ${first} (${length}); got ${unequal[1].length}`;
    refuse([unequal[0]], 'unequal-lengths', message, unequal[1]);
    return null;
  }
  // most columns are absent, and share an array
  const absent = new Map<string, Float64Array | readonly unknown[]>();
  const columns = Object.entries(cells).map(([name, cell]) => {
    const column = wireColumns[name] ?? null;
    if (Array.isArray(column)) return [name, valuesOf(cell, length, column)];
    if (column !== null) return [name, valuesOf(cell, length, new Array(length).fill(column))];
    const kind = presentCell(cell) instanceof z.ZodNumber;
    const key = `${kind} ${cell instanceof z.ZodDefault ? cell.def.defaultValue : ''}`;
    const values = absent.get(key) ?? valuesOf(cell, length, []);
    absent.set(key, values);
    return [name, values];
  });
  const ids = Array.isArray(wireColumns.id) ? wireColumns.id.map((each: string | null) => each ?? undefined) : null;
  return { form: 'columns', length, ids, columns: Object.fromEntries(columns) };
}

/** The path of a row's property in the request. */
export const placeIn =
  (name: string, { form }: { readonly form: 'rows' | 'columns' }) =>
  (i: number, property: string, ...inside: readonly (string | number)[]): (string | number)[] =>
    form === 'rows' ? [name, i, property, ...inside] : [name, property, i, ...inside];

/** The position of each page's host among those of the request, −1 for none; hosts listed twice are refused. */
export function hostPositions(
  names: readonly (string | undefined)[],
  hosts: readonly { readonly host: string }[],
  refuse: Refuse,
): Int32Array {
  const list = hosts.map(({ host }) => host);
  const positions = positionsOf(list, (h) => ['hosts', h, 'host'], refuse);
  return Int32Array.from(names, (name) => positions.get(name ?? '') ?? -1);
}

/** Refuses pages whose id an earlier one has. */
export const refuseDuplicateIds = (pages: Form, refuse: Refuse): void => {
  positionsOf(pages.ids ?? [], (i) => placeIn('pages', pages)(i, 'id'), refuse);
};

/** Refuses rows in which the second of two numbers is less than the first; NaN is no limit. */
export function refuseUnordered<Name extends string>(
  { length, columns }: { readonly length: number; readonly columns: Readonly<Record<Name, Float64Array>> },
  [low, high]: readonly [low: Name, high: Name],
  at: ReturnType<typeof placeIn>,
  refuse: Refuse,
): void {
  for (let i = 0; i < length; i++) {
    const [minimum, maximum] = [columns[low][i], columns[high][i]];
    if (minimum > maximum)
      refuse(at(i, high), 'out-of-range', `must be at least ${low}, ${minimum}; got ${maximum}`, maximum);
  }
}

/** The position of each name, by its first appearance; one that comes again is refused at its place. */
export function positionsOf(
  names: readonly (string | undefined)[],
  placeOf: (i: number) => readonly PropertyKey[],
  refuse: Refuse,
): Map<string, number> {
  const positions = new Map<string, number>();
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name === undefined) continue;
    const first = positions.get(name);
    if (first === undefined) positions.set(name, i);
    else refuse(placeOf(i), 'duplicate', `${quoteValue(name)} is already the name of number ${first}`, name);
  }
  return positions;
}
