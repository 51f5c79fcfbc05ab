/** Where the lists that come as columns stand in the requests and answers of an operation, read off its schemas. */
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { isRecord } from '../schemas/contract/strict-object.ts';

/** What a column's cells are; a flag is true or false, or 1 or 0. */
export type CellKind = 'number' | 'text' | 'flag' | 'nested';

export interface ColumnLists {
  /** The property of the request that is a list; null where the operation has none. */
  readonly request: {
    readonly name: string;
    readonly columns: ReadonlyMap<string, CellKind>;
  } | null;
  /** The property of `solution` that answers it. */
  readonly answer: string | null;
}

type Json = Readonly<Record<string, unknown>>;

const child = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The form of a list that is titled so in its schema. */
function columnsForm(property: unknown): Json | null {
  const forms = child(property, 'anyOf');
  if (!Array.isArray(forms)) return null;
  return forms.filter(isRecord).find((form) => form.title === 'Columns') ?? null;
}

function listOf(schema: unknown, path: readonly string[]): { name: string; form: Json } | null {
  const properties = path.reduce<unknown>(child, schema);
  if (!isRecord(properties)) return null;
  for (const [name, property] of Object.entries(properties)) {
    const form = columnsForm(property);
    if (form !== null) return { name, form };
  }
  return null;
}

/** The schema of a cell. */
function cellOf(column: unknown): Json {
  const forms = child(column, 'anyOf');
  const array = Array.isArray(forms) ? forms[0] : column;
  const items = child(array, 'items');
  const itemForms = child(items, 'anyOf');
  const cell: unknown = Array.isArray(itemForms) ? itemForms[0] : items;
  return isRecord(cell) ? cell : {};
}

function kindOf(column: unknown): CellKind {
  const { type } = cellOf(column);
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'string' ? 'text' : 'nested';
}

const known = new WeakMap<Operation, ColumnLists>();

export function columnLists(operation: Operation): ColumnLists {
  const found = known.get(operation);
  if (found !== undefined) return found;
  const request = listOf(z.toJSONSchema(operation.requestSchema, { io: 'input', unrepresentable: 'any' }), [
    'properties',
  ]);
  const columns = Object.entries(child(request?.form, 'properties') ?? {});
  const answerSchema = z.toJSONSchema(operation.answerSchema, { unrepresentable: 'any' });
  const lists: ColumnLists = {
    request: request && {
      name: request.name,
      columns: new Map(columns.map(([name, each]) => [name, kindOf(each)])),
    },
    answer: listOf(answerSchema, ['properties', 'solution', 'properties'])?.name ?? null,
  };
  known.set(operation, lists);
  return lists;
}
