import * as z from 'zod';
import { maxShownErrors, unknownProperty } from './unknown-property.ts';

/**
 * `z.strictObject` whose "unrecognized keys" issue names the keys that are allowed, and the one that was meant. It has
 * a line for each unknown key, in their order, as far as anybody reads them.
 */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const allowed = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, maxShownErrors)
            .map((key: string) => unknownProperty(key, allowed))
            .join('\n')
        : undefined,
  });
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
