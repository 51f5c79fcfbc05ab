/** Refusing values in a check written by hand: one form for every operation, and never a flood of messages. */
import type * as z from 'zod';
import type { FieldCode } from './codes.ts';
import { maxShownErrors } from './strict-object.ts';

/** Refuses the value at `path`. */
export type Refuse = (path: readonly PropertyKey[], code: FieldCode, message: string, input: unknown) => void;

/** Collects refusals as issues of a zod check: the first ones are described, further ones only counted. */
export function refusals(issues: z.core.$ZodRawIssue[]): Refuse {
  let last: { readonly code: FieldCode; more: number } | null = null;
  return (path, code, message, input) => {
    if (last !== null && issues.length >= maxShownErrors) last.more++;
    else {
      last = { code, more: 0 };
      issues.push({ code: 'custom', path: [...path], message, input, params: last });
    }
  };
}

/**
 * A check over several properties of an object, as zod's `.check` takes it. The check runs only if each property is
 * valid by itself: it computes with valid values only, and refuses none a second time. Unknown properties do not stop
 * it, as they do not stop zod: without it a transform would get values that were not checked.
 */
export function conditions<Value>(
  check: (value: Value, refuse: Refuse) => void,
): (context: z.core.ParsePayload<Value>) => void {
  return ({ value, issues }) => {
    if (issues.every(({ code }) => code === 'unrecognized_keys')) check(value, refusals(issues));
  };
}
