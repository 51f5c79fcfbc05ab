/** A JSON Schema fragment. */
export type JsonSchema = Readonly<Record<string, unknown>>;
