/** The range of a number: how it is checked, said in words, and written as JSON Schema. */

import { atLeastInWords, type Fault, quoted } from '../contract/problem.ts';
import type { NumberRange } from '../contract/range.ts';
import { suggestNumber } from '../words/suggest-number.ts';
import type { JsonSchema } from './json-schema.ts';

/** What is wrong with a value that must be a finite number in a range, or null. */
export function numberFault(value: unknown, range: NumberRange): Fault | null {
  const { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity, integer = false } = range;
  const fault = (code: Fault['code']): Fault => ({
    code,
    message: `must be ${rangeInWords(range)}; got ${quoted(value)}${suggestNumber(value)}`,
  });
  if (typeof value !== 'number' || !Number.isFinite(value)) return fault('invalid_type');
  if (integer && !Number.isSafeInteger(value)) return fault('invalid_type');
  if (value < atLeast || value <= above) return fault('too_small');
  if (value > atMost || value >= below) return fault('too_big');
  return null;
}

function rangeInWords(range: NumberRange): string {
  const parts: string[] = [];
  if (range.above !== undefined) parts.push(`greater than ${range.above}`);
  if (range.atLeast !== undefined) parts.push(atLeastInWords(range.atLeast));
  if (range.below !== undefined) parts.push(`less than ${range.below}`);
  if (range.atMost !== undefined) parts.push(`at most ${range.atMost}`);
  const kind = range.integer ? 'an integer' : 'a finite number';
  return parts.length > 0 ? `${kind} ${parts.join(' and ')}` : kind;
}

export function rangeJsonSchema(range: NumberRange): JsonSchema {
  return {
    type: range.integer ? 'integer' : 'number',
    ...(range.above !== undefined && { exclusiveMinimum: range.above }),
    ...(range.atLeast !== undefined && { minimum: range.atLeast }),
    ...(range.below !== undefined && { exclusiveMaximum: range.below }),
    ...(range.atMost !== undefined && { maximum: range.atMost }),
  };
}
