/**
 * Lists of values with a schema of their own. A zod array parses every item before it checks the length, and makes an issue
 * of every fault. This checks the length first and reports at most twenty faults, so that a million bad items cost a
 * plain loop.
 */
import * as z from 'zod';
import { countFaults, describeIssue, type Fault, maxShownErrors, quoted } from '../contract/problem.ts';
import { lengthFault, Refusals } from '../contract/refusals.ts';
import { jsonSchemaOf, lazily } from '../table/json-schema.ts';

export interface ListSize {
  readonly minItems: number;
  readonly maxItems: number;
}

/** The fault of a list's type or length; null if there is none. */
export function listFault(value: unknown, size: ListSize, of: string): Fault | null {
  if (value === undefined) return { code: 'required', message: `is required: an array of ${of}` };
  if (!Array.isArray(value)) {
    return { code: 'invalid_type', message: `must be an array of ${of}; got ${quoted(value)}` };
  }
  return lengthFault(value.length, { least: size.minItems, most: size.maxItems, of: 'items' });
}

/** A list of items with the schema `item`; `of` names them in messages. */
export function list<Item extends z.ZodType>(
  item: Item,
  size: ListSize,
  of: string,
): z.ZodType<z.output<Item>[], readonly z.input<Item>[]> {
  const items = lazily(() => jsonSchemaOf(item));
  return z
    .any()
    .meta({
      type: 'array',
      get items() {
        return items();
      },
      ...size,
    })
    .transform((value: unknown, context): z.output<Item>[] => {
      const report = new Refusals(context.issues);
      const fault = listFault(value, size, of);
      if (fault !== null || !Array.isArray(value)) {
        if (fault !== null) report.fault([], fault, value);
        return z.NEVER;
      }
      const read: z.output<Item>[] = [];
      for (let i = 0; i < value.length; i++) {
        if (report.count >= maxShownErrors) {
          report.add(countFaults(item, value[i]));
          continue;
        }
        const result = item.safeParse(value[i], { reportInput: true });
        if (result.success) read.push(result.data);
        else {
          for (const issue of result.error.issues) {
            for (const each of describeIssue(issue)) report.fault([i], each, issue.input);
          }
        }
      }
      return report.count === 0 ? read : z.NEVER;
    });
}
