/** The marks of the pictures in variations.ts, from an answer. */

import { list, number } from '../../api/read.ts';

/** The points of a sweep, in the order of the parameter. */
export function sweepPoints(answer: unknown, of: (row: unknown) => number): { value: number; y: number }[] {
  return list(answer, 'sweep')
    .map((row) => ({ value: number(row, 'value'), y: of(row) }))
    .filter(({ y }) => Number.isFinite(y))
    .sort((a, b) => a.value - b.value);
}
