/** Refusing values in a check over several properties: one form for every operation, and never a flood of messages. */
import type * as z from 'zod';

const shownRefusals = 20;

/** Refuses a value: its place, a kebab-case code of its own, what is wrong and what would be accepted. */
export type Refuse = (path: readonly PropertyKey[], code: string, message: string, input: unknown) => void;

/** Refusals that go to zod's issues: the first twenty with their messages, the rest counted (`params.more` of the last). */
export function refusals(issues: z.core.$ZodRawIssue[]): Refuse {
  let count = 0;
  let last: Record<string, unknown> = {};
  return (path, code, message, input) => {
    count++;
    if (count > shownRefusals) {
      last.more = count - shownRefusals;
      return;
    }
    last = { code };
    issues.push({ code: 'custom', path: [...path], message, input, params: last });
  };
}
