/** Finds the lists of an operation's requests and answers that can be sent as columns, from its schemas. */
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { isRecord } from '../schemas/contract/strict-object.ts';

/** What a column's cells are; a flag is true or false, or 1 or 0. */
export type CellKind = 'number' | 'text' | 'flag' | 'nested';

/** A list of the request that may come as columns. */
export interface ColumnList {
  readonly name: string;
  readonly columns: ReadonlyMap<string, CellKind>;
}

interface ColumnLists {
  /** Null where the operation has none. */
  readonly request: ColumnList | null;
  /** The property of `solution` that answers it. */
  readonly answer: string | null;
}

const at = (schema: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), schema);

/** The schema itself, or the first of its forms. */
function firstForm(schema: unknown): unknown {
  const forms = at(schema, 'anyOf');
  return Array.isArray(forms) ? forms[0] : schema;
}

const kinds: Readonly<Record<string, CellKind>> = {
  number: 'number',
  integer: 'number',
  boolean: 'flag',
  string: 'text',
};

const kindOf = (column: unknown): CellKind =>
  kinds[String(at(firstForm(at(firstForm(column), 'items')), 'type'))] ?? 'nested';

/** The property that has a form titled so in its schema. */
function listOf(properties: unknown): ColumnList | null {
  for (const [name, property] of Object.entries(Object(properties))) {
    const forms: unknown = at(property, 'anyOf');
    const form: unknown = Array.isArray(forms) ? forms.find((each) => at(each, 'title') === 'Columns') : undefined;
    const columns = Object.entries(Object(at(form, 'properties')));
    if (form !== undefined) return { name, columns: new Map(columns.map(([column, each]) => [column, kindOf(each)])) };
  }
  return null;
}

const cache = new WeakMap<Operation, ColumnLists>();

export function columnLists(operation: Operation): ColumnLists {
  const cachedLists = cache.get(operation);
  if (cachedLists !== undefined) return cachedLists;
  const request = z.toJSONSchema(operation.requestSchema, { io: 'input', unrepresentable: 'any' });
  const answer = z.toJSONSchema(operation.answerSchema, { unrepresentable: 'any' });
  const lists = {
    request: listOf(request.properties),
    answer: listOf(at(answer, 'properties', 'solution', 'properties'))?.name ?? null,
  };
  cache.set(operation, lists);
  return lists;
}
