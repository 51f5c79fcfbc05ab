/**
 * Refusing values in a check written by hand: one form for every operation, and never a flood of messages. The first
 * refusals become issues of zod's, the rest are only counted.
 */
import type * as z from 'zod';
import type { FieldCode } from './codes.ts';
import { type Fault, maxShownErrors } from './problem.ts';

/** Refuses the value at `path`. */
export type Refuse = (path: readonly PropertyKey[], code: FieldCode, message: string, input: unknown) => void;

/** Refusals on their way to zod's issues. */
export class Refusals {
  readonly #issues: z.core.$ZodRawIssue[];
  #last: Record<string, unknown> | null = null;
  /** How many values have been refused. */
  count = 0;

  constructor(issues: z.core.$ZodRawIssue[]) {
    this.#issues = issues;
  }

  /** Refuses a value by its fault. */
  fault(path: readonly PropertyKey[], { path: inside = [], code, message, more = 0 }: Fault, input: unknown): void {
    this.count += 1 + more;
    if (this.#last === null || this.#issues.length < maxShownErrors) {
      this.#last = { code };
      this.#issues.push({ code: 'custom', path: [...path, ...inside], message, input, params: this.#last });
      this.#last.more = more;
    } else this.#last.more = Number(this.#last.more) + more + 1;
  }

  /** Counts refusals that nobody will read: there are enough described ones. */
  add(count: number): void {
    if (this.#last === null) return;
    this.count += count;
    this.#last.more = Number(this.#last.more) + count;
  }

  readonly refuse: Refuse = (path, code, message, input) => this.fault(path, { code, message }, input);
}

/** Refusals of a check that hands them to `issues`. */
export function refusals(issues: z.core.$ZodRawIssue[]): Refuse {
  return new Refusals(issues).refuse;
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

/** What is wrong with the length of a list that must be within `least` and `most`, or null. */
export function lengthFault(
  length: number,
  { least, most, of }: { readonly least: number; readonly most: number; readonly of: 'items' | 'rows' },
): Fault | null {
  const counted = least === 1 ? of.slice(0, -1) : of;
  if (length < least) return { code: 'too_small', message: `must have at least ${least} ${counted}; got ${length}` };
  if (length > most) return { code: 'too_big', message: `must have at most ${most} ${of}; got ${length}` };
  return null;
}
