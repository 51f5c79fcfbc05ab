/** Lists in answers: in the order and the form (rows or columns) of the request, ids echoed. */
import * as z from 'zod';
import { type Field, fieldOf, id, withoutAnnotations } from '../contract/field.ts';
import { nameText } from '../contract/range.ts';
import { object } from '../contract/strict-object.ts';
import { type Form, isTable } from './table.ts';

/** One value a row, as a solver has it: NaN stands for null; undefined leaves the property out of a row. */
export type AnswerColumn =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | readonly (number | string | boolean | null | object | undefined)[];

/** Columns by property name, in the types that solvers return; undefined or null leaves the property out. */
type SolverColumns = Readonly<Record<string, AnswerColumn | Pairs | ListsByRow | null | undefined>>;

/** A pair [low, high] a row; an end at infinity is null. */
interface Pairs {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** A list of times a row: row i has times[offsets[i]..offsets[i + 1] − 1]. */
interface ListsByRow {
  readonly offsets: Int32Array;
  readonly times: Float64Array;
}

type RowOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A list in an answer: rows, or columns whose cells are null where a row has no value. */
type TableAnswer<Shape extends z.ZodRawShape> =
  | ({ id?: string } & RowOf<Shape>)[]
  | ({ id?: (string | null)[] } & { [Name in keyof RowOf<Shape>]: (Exclude<RowOf<Shape>[Name], undefined> | null)[] });

/**
 * The schema of a list in an answer, from the properties of a row. What it describes is made by {@link tableAnswer}.
 */
export function tableAnswerSchema<Shape extends z.ZodRawShape>(
  name: string,
  description: string | Field,
  shape: Shape,
): z.ZodType<TableAnswer<Shape>, object>;
export function tableAnswerSchema(
  rowName: string,
  description: string | Field,
  shape: z.ZodRawShape,
): z.ZodType<unknown, object> {
  const columns: Record<string, z.ZodType> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const isOptional = schema instanceof z.ZodOptional;
    const cell = isOptional ? schema.unwrap() : schema;
    if (!(cell instanceof z.ZodType)) continue;
    const column = z.array(withoutAnnotations(cell).nullable());
    columns[name] = isOptional ? column.optional() : column;
  }
  return z
    .union([
      z.array(object(rowName, { id: nameText.optional().meta(id()), ...shape })).meta({ title: 'Rows' }),
      z
        .object({ id: z.array(nameText.nullable()).optional(), ...columns })
        .meta({ id: `${rowName}Columns`, title: 'Columns' }),
    ])
    .meta(fieldOf(description));
}

/**
 * The solution with its lists in the form of the request. A solver gives them as columns, or few ones as rows, whatever
 * the form. The list called like the request's has its ids.
 */
export function listsInRequestForm<Solution>(request: unknown, schema: z.ZodType, solution: Solution): Solution {
  const [list, listForm] =
    Object.entries(Object(request)).find((entry): entry is [string, Form] => isForm(entry[1])) ?? [];
  if (listForm === undefined || !(schema instanceof z.ZodObject)) return solution;
  const listsInForm: Record<string, object> = {};
  for (const [name, property] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const value: unknown = Reflect.get(Object(solution), name);
    const columns = Array.isArray(value) ? columnsOf(value) : value;
    if (!isTable(property) || !isColumns(columns)) continue;
    const [first = []] = Object.values<unknown>(columns).filter(isListLike);
    const own = name === list ? listForm : { form: listForm.form, length: first.length, ids: null };
    listsInForm[name] = tableAnswer(own, columns);
  }
  return Object.assign({}, solution, listsInForm);
}

const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && 'form' in value && 'length' in value && 'ids' in value;

const columnsOf = (rows: readonly object[]): SolverColumns =>
  Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => Reflect.get(row, name))]));

const isColumns = (value: unknown): value is SolverColumns =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The list in the request's form: columns or rows. Columns left undefined or null are left out; NaN in a
 * typed array becomes null.
 */
export function tableAnswer(request: Form, columns: SolverColumns): object {
  const columnCells = Object.entries(columns).flatMap(([name, column]) =>
    column === undefined || column === null ? [] : [{ name, cells: cellsIn(column) }],
  );
  if (request.form === 'columns') {
    const answer: Record<string, unknown> = {};
    if (request.ids) answer.id = request.ids.map((id) => id ?? null);
    for (const { name, cells } of columnCells) answer[name] = nullForNaN(cells);
    return answer;
  }
  return Array.from({ length: request.length }, (_, i) => {
    const row: Record<string, unknown> = {};
    const id = request.ids?.[i];
    if (id !== undefined) row.id = id;
    for (const { name, cells } of columnCells) {
      const value = cells[i];
      row[name] = typeof value === 'number' && Number.isNaN(value) ? null : value;
    }
    return row;
  });
}

function cellsIn(column: AnswerColumn | Pairs | ListsByRow): AnswerColumn {
  if ('low' in column) return Array.from(column.low, (low, i) => [finite(low), finite(column.high[i])]);
  if (!('offsets' in column)) return column;
  const { offsets, times } = column;
  return Array.from({ length: offsets.length - 1 }, (_, i) => times.subarray(offsets[i], offsets[i + 1]));
}

const finite = (end: number): number | null => (Number.isFinite(end) ? end : null);

/** The cells of a property of a list that {@link tableAnswer} made, in either form; NaN or null where a row has none. */
export function cellsOf(list: object, name: string): ArrayLike<unknown> {
  if (Array.isArray(list)) return list.map((row) => row[name]);
  const cells: unknown = Reflect.get(list, name);
  return isListLike(cells) ? cells : [];
}

const isListLike = (value: unknown): value is ArrayLike<unknown> => Array.isArray(value) || ArrayBuffer.isView(value);

function nullForNaN(column: AnswerColumn): AnswerColumn {
  if (!(column instanceof Float64Array || column instanceof Float32Array)) return column;
  let missing = false;
  for (let i = 0; i < column.length && !missing; i++) missing = Number.isNaN(column[i]);
  if (!missing) return column;
  return Array.from(column, (value) => (Number.isNaN(value) ? null : value));
}
