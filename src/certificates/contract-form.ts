/** Requests and answers of queues by the schemas of the contract, which refuse what is not of their form. */
import type * as z from 'zod';
import { isObject, MalformedInput } from './wire.ts';

/** The value as the schema reads it; typed arrays stand for lists of numbers. */
export function parseByContract<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(withLists(value));
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues;
  throw new MalformedInput(`${what} is not of the contract's form at /${path.join('/')}: ${message}`);
}

function withLists(value: unknown): unknown {
  if (ArrayBuffer.isView(value) && 'length' in value) return Array.from(Object.values(value));
  if (Array.isArray(value)) return value.map(withLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withLists(inner)]));
}
