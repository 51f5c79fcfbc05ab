/** The marks of the pictures in variations.ts, from an answer. */

import { figure } from '../../../words/numbers.ts';
import { list, number } from '../../api/read.ts';

/** The points of a sweep, in the order of the parameter. */
export function sweepPoints(answer: unknown, of: (row: unknown) => number): { value: number; y: number }[] {
  return list(answer, 'sweep')
    .map((row) => ({ value: number(row, 'value'), y: of(row) }))
    .filter(({ y }) => Number.isFinite(y))
    .sort((a, b) => a.value - b.value);
}

/** The points of a front between two criteria, which are undefined where none was asked for. */
export function frontPoints(request: unknown, answer: unknown) {
  const [first, second] = list(request, 'front', 'criteria').map(String);
  const points = list(answer, 'front').map((point) => {
    const [x, y] = [first, second].map((name) => number(point, 'criteria', name ?? ''));
    return { x, y, title: `${first} ${figure(x)}\n${second} ${figure(y)}` };
  });
  return { first, second, points };
}
