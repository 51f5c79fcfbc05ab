/** JSON Schema of what is sent, made when a document is first asked for: a service that starts has no use for it. */
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the schema takes, as a fragment of a larger JSON Schema. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

/** The value of `make`, made when it is asked for and once. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
