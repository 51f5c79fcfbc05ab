/** Parses requests and answers of queue operations with the schemas of the contract. */
import type * as z from 'zod';
import { isObject, MalformedInput } from './wire.ts';

/** Parses a value, in which lists of numbers may be typed arrays. @throws MalformedInput */
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
