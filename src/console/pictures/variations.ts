/**
 * What an answer says beside its one point: the curve of a sweep, and the front between two criteria. For every
 * operation whose answers have them.
 */
import { figure } from '../format.ts';
import { chart, ink, Plot } from './chart.ts';
import type { Answered, Picture } from './picture.ts';
import { at, list, number, text } from './read.ts';
import { frontPoints, sweepPoints } from './variation-points.ts';

/** A number of the policy that a sweep is drawn by, beside the cost. */
export interface SweptNumber {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly of: (solution: unknown) => number;
}

/**
 * The cost and the policy along a sweep; nothing without one, and no curve of a number that the policies do not have.
 */
export function sweepPictures({ request, answer }: Answered, ...swept: readonly SweptNumber[]): Picture[] {
  if (list(answer, 'sweep').length < 2) return [];
  const parameter = text(request, 'sweep', 'parameter').slice(1).replaceAll('/', ' › ');
  const curve = (id: string, title: string, label: string, of: (row: unknown) => number): Picture => ({
    id,
    title,
    draw: (width) => {
      const points = sweepPoints(answer, of);
      return chart(width, {
        x: { label: parameter },
        y: { label, nice: true },
        marks: [
          Plot.lineY(points, { x: 'value', y: 'y', stroke: ink.blue, strokeWidth: 1.75 }),
          Plot.dot(points, {
            x: 'value',
            y: 'y',
            fill: ink.blue,
            r: points.length <= 60 ? 3 : 1.5,
            title: ({ value, y }: { value: number; y: number }) =>
              `${parameter} ${figure(value)}\n${label} ${figure(y)}`,
            tip: true,
          }),
        ],
      });
    },
  });
  return [
    curve('sweep-cost', `Cost by ${parameter}`, 'cost per time unit', (row) => number(row, 'objective', 'value')),
    ...swept
      .map(({ id, title, label, of }) => ({ id, title, label, of: (row: unknown) => of(at(row, 'solution')) }))
      .filter(({ of }) => sweepPoints(answer, of).length > 1)
      .map(({ id, title, label, of }) => curve(id, `${title} by ${parameter}`, label, of)),
  ];
}

/** What can be had of the first criterion for how much of the second; nothing without a front of at least two. */
export function frontPicture({ request, answer }: Answered): Picture[] {
  const { first, second, points } = frontPoints(request, answer);
  if (first === undefined || second === undefined || points.length < 2) return [];
  return [
    {
      id: 'front',
      title: `The front: ${second} for ${first}`,
      draw: (width) =>
        chart(width, {
          x: { label: first, nice: true },
          y: { label: second, nice: true },
          marks: [
            Plot.line(points, { x: 'x', y: 'y', stroke: ink.faint, strokeWidth: 1.5 }),
            Plot.dot(points, { x: 'x', y: 'y', fill: ink.blue, r: 3.5, title: 'title', tip: true }),
          ],
        }),
    },
  ];
}
