/** JSON values, and reading them without trusting their shape. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** A JSON Schema, read property by property. */
export type Schema = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For values that JSON.parse gave, or a field: what is not an array and not null is an object of JSON. */
export const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** A member of a JSON object; undefined where there is none. */
export const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;
