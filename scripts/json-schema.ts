/** The schemas of an operation as JSON Schema, named parts in their places. */
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parts that several operations share: fields name them, and they are listed once. */
const sharedParts =
  /^(Check|CheckCounts|FreshnessTarget|Objective|Observation|Options|SignalledCheck|Statistics|Status|Sweep|Target|Warning|LawWithPhases|\w*Law)$/;

/** What a request must look like on the wire. */
export const requestJsonSchema = (schema: z.ZodType): JsonSchema => written(schema, 'input');

/** What an answer looks like on the wire. */
export const answerJsonSchema = (schema: z.ZodType): JsonSchema => written(schema, 'output');

function written(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (!isSchema(value)) return value;
    const { $ref, ...own } = value;
    const members = Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, inPlace(inner)]));
    if ($ref === undefined) return members;
    const name = String($ref).replace('#/$defs/', '');
    const part = { ...Object(inPlace($defs[name])), ...members };
    return sharedParts.test(name) ? { ...part, 'x-component': name } : part;
  };
  const result = inPlace(root);
  if (!isSchema(result)) throw new Error('a schema is an object');
  return result;
}
