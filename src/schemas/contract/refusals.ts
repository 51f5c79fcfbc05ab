/** Refusing values in a check written by hand: one form for every operation, and never a flood of messages. */
import type * as z from 'zod';
import type { FieldCode } from './codes.ts';
import { maxShownErrors } from './strict-object.ts';

/** Refuses the value at `path`. */
export type Refuse = (path: readonly PropertyKey[], code: FieldCode, message: string, input: unknown) => void;

/** Refuses by issues of a check: the first are described, the others only counted. */
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
 * A check over several properties of an object, as zod's `.check` takes it. It runs only where each property is right
 * by itself. So it never meets a value it cannot compute with, nor refuses one a second time under another name.
 */
export function conditions<Value>(
  check: (value: Value, refuse: Refuse) => void,
): (context: z.core.ParsePayload<Value>) => void {
  return ({ value, issues }) => {
    if (issues.length === 0) check(value, refusals(issues));
  };
}
