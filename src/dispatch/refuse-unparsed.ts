/** Refuses a body by what parsing it would allocate, before it is parsed. */
import type { Operation } from '../operations/operation.ts';
import { conditionNotMet, type Problem, problem } from '../schemas/contract/problem.ts';
import {
  countElements,
  type ElementBounds,
  type ElementCount,
  type Excess,
  maxDepth,
  maxMembers,
  maxNames,
  parsedBytes,
} from './count-elements.ts';

/**
 * The longest arrays an operation takes, from the sizes it publishes. A list at the top level (or a column of it) has
 * the size published under its name. Any other array has at most the largest size of all. One more than that, since a
 * policy has a count for each queue length from 0 to the capacity.
 */
export function elementBounds(limits: Readonly<Record<string, number>>): ElementBounds {
  const largest = Math.max(0, ...Object.values(limits)) + 1;
  return { largest, most: (property) => (Object.hasOwn(limits, property) ? limits[property] : largest) };
}

/**
 * The refusal of a body that would allocate too much, or null where it may be parsed.
 * @param maxParsedBytes heap that the parsed body may take
 */
export function refuseUnparsed(
  body: Uint8Array,
  { limits }: Pick<Operation, 'limits'>,
  maxParsedBytes: number,
): Problem | null {
  return refuseCounted(countElements(body, elementBounds(limits)), maxParsedBytes);
}

/** The same of a body that has been counted. */
export function refuseCounted(count: ElementCount, maxParsedBytes: number): Problem | null {
  if (count.excess !== null) return conditionNotMet(count.excess.path, 'too_big', inWords(count.excess));
  if (count.depth > maxDepth) {
    return conditionNotMet(
      [],
      'too-deep',
      `must not nest arrays and objects deeper than ${maxDepth} levels; goes deeper`,
    );
  }
  if (count.names > maxNames) {
    return conditionNotMet([], 'too-many-names', `must not use more than ${maxNames} names of properties; uses more`);
  }
  const needed = parsedBytes(count);
  if (needed <= maxParsedBytes) return null;
  const detail = `parsed, the body would take about ${mebibytes(needed)} MiB, more than the ${mebibytes(maxParsedBytes)} MiB that this server gives a request; send fewer rows, or columns in place of rows`;
  return problem('too-large', detail);
}

function inWords({ kind, items, most }: Excess): string {
  if (kind === 'array') return `must have at most ${most} items; got ${items}`;
  return `must have at most ${maxMembers} properties; got ${items}`;
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
