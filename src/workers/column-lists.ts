/** Finds the lists of an operation's request and answer that can be sent as columns, from its schemas. */
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { isRecord } from '../schemas/contract/strict-object.ts';

/** Names of the lists; null where there is none. */
interface ColumnLists {
  /** Property of the request. */
  readonly request: string | null;
  /** Property of `solution` that answers it. */
  readonly answer: string | null;
}

const at = (schema: unknown, name: string): unknown => (isRecord(schema) ? schema[name] : undefined);

/** The property that has a form titled so in its schema. */
function listOf(schema: unknown): string | null {
  const properties = Object.entries(Object(at(schema, 'properties')));
  const isList = (forms: unknown): boolean =>
    Array.isArray(forms) && forms.some((form) => at(form, 'title') === 'Columns');
  return properties.find(([, property]) => isList(at(property, 'anyOf')))?.[0] ?? null;
}

const cache = new WeakMap<Operation, ColumnLists>();

export function columnLists(operation: Operation): ColumnLists {
  const cachedLists = cache.get(operation);
  if (cachedLists !== undefined) return cachedLists;
  const request = z.toJSONSchema(operation.requestSchema, { io: 'input', unrepresentable: 'any' });
  const answer = z.toJSONSchema(operation.answerSchema, { unrepresentable: 'any' });
  const lists = { request: listOf(request), answer: listOf(at(answer.properties, 'solution')) };
  cache.set(operation, lists);
  return lists;
}
