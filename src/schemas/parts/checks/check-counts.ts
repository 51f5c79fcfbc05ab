/** Regular checks as counts, `{checks, changes, gap}`, expanded to single checks. */

import { changed, unchanged } from '../../../solvers/estimation/index.ts';
import { count, plain, time } from '../../contract/field.ts';
import { type Fault, quoted } from '../../contract/problem.ts';
import type { JsonSchema } from '../../table/json-schema.ts';
import { objectFault, propertiesOf } from '../cell-objects.ts';
import { type ChecksReader, longestTime, shortestSeconds } from './checks-reader.ts';

export interface CheckCounts {
  readonly checks: number;
  readonly changes: number;
  /** Seconds. */
  readonly gap: number;
}

const countNames = ['checks', 'changes', 'gap'];

export const checkCounts = (most: number): JsonSchema => ({
  type: 'object',
  ...plain('Regular checks by their counts', { component: 'CheckCounts' }),
  properties: {
    checks: { type: 'integer', minimum: 0, maximum: most, ...count('How many checks were made', { unit: 'checks' }) },
    changes: {
      type: 'integer',
      minimum: 0,
      maximum: most,
      ...count('How many of them found a change', { unit: 'checks' }),
    },
    gap: {
      type: 'number',
      minimum: shortestSeconds,
      maximum: longestTime,
      ...time('From one to the next', { unit: 'seconds' }),
    },
  },
  required: countNames,
  additionalProperties: false,
});

/** Maximum checks that counts expand to, over all pages. */
const maxExpandedChecks = 20_000_000;

/** Spreads the changes evenly over the checks; for a constant rate only the counts matter. */
export function addCounts(values: ChecksReader, position: number, cell: object, most: number): Fault | null {
  const fault = objectFault(cell, countNames);
  if (fault !== null) return fault;
  const { checks, changes, gap } = propertiesOf(cell);
  if (typeof checks !== 'number' || !(Number.isInteger(checks) && checks >= 0 && checks <= most)) {
    const message = `must be how many checks were made, 0 to ${most}; got ${quoted(checks)}`;
    return { path: ['checks'], code: 'invalid_type', message };
  }
  if (typeof changes !== 'number' || !(Number.isInteger(changes) && changes >= 0 && changes <= most)) {
    const message = `must be how many checks found a change, 0 to ${most}; got ${quoted(changes)}`;
    return { path: ['changes'], code: 'invalid_type', message };
  }
  if (typeof gap !== 'number' || !(gap >= shortestSeconds && gap <= longestTime)) {
    const message = `must be the seconds between checks, at least ${shortestSeconds}; got ${quoted(gap)}`;
    return { path: ['gap'], code: 'invalid_type', message };
  }
  if (changes > checks) {
    const message = `must be at most the ${checks} checks; got ${changes}`;
    return { path: ['changes'], code: 'out-of-range', message };
  }
  values.counted += checks;
  if (values.counted > maxExpandedChecks) {
    const message = `the counts of all pages together may stand for ${maxExpandedChecks} checks; use fewer or longer gaps`;
    return { path: ['checks'], code: 'too-large', message };
  }
  values.counts[position] = 0;
  values.unordered[position] = 1;
  for (let k = 0; k < checks; k++) {
    const seen = Math.floor(((k + 1) * changes) / checks) > Math.floor((k * changes) / checks);
    values.add(position, gap, seen ? changed : unchanged);
  }
  return null;
}
