/** JSON values, and reading them without trusting their shape. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** A JSON Schema, read property by property. */
export type Schema = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Only for values from JSON.parse (or one property of them): there, not null and not an array means an object. */
export const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** A member of a JSON object; undefined where there is none. */
export const propertyAt = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** No request of the contract nests its parts deeper; what does is nonsense, and would overflow the stack. */
const maxDepth = 64;

/** Whether a value nests its parts no deeper than requests do; looked at level by level, without recursion. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((each) => {
      if (Array.isArray(each)) return each.filter((item) => typeof item === 'object' && item !== null);
      return isRecord(each) ? Object.values(each).filter((item) => typeof item === 'object' && item !== null) : [];
    });
  }
  return true;
}
