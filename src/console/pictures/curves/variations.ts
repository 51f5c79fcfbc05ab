/**
 * What an answer says beside its one point: the curve of a sweep, for every operation whose answers have one.
 */

import { figure } from '../../../words/numbers.ts';
import { at, list, number, text } from '../../api/read.ts';
import { spelled } from '../../contract/meaning.ts';
import { chart, ink, Plot } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { sweepPoints } from './variation-points.ts';

/** A number of the policy that a sweep is drawn by, beside the cost. */
interface SweptNumber {
  readonly id: string;
  readonly label: string;
  readonly path: readonly string[];
}

/** The first that the swept policies have is drawn, and the load where it is known. */
const swept: readonly SweptNumber[] = [
  { id: 'sweep-policy', label: 'crawlers active on average', path: ['activeCrawlers', 'mean'] },
  { id: 'sweep-policy', label: 'crawlers active on average', path: ['measures', 'activeCrawlers'] },
  { id: 'sweep-policy', label: 'crawlers', path: ['crawlers'] },
  {
    id: 'sweep-offered-load',
    label: 'offered load of the best real number of crawlers',
    path: ['continuous', 'offeredLoad'],
  },
];

/** `/evaluate/thresholds/0` → `thresholds, number 1`. */
function parameterInWords(pointer: string): string {
  const steps = pointer.slice(1).split('/').map(spelled);
  const index = Number(steps.at(-1));
  return Number.isInteger(index) ? `${steps.at(-2)}, number ${index + 1}` : steps.join(' › ');
}

/** The cost and the policy along a sweep; nothing without one. */
export const sweepPictures: Pictures = ({ request, answer }) => {
  if (list(answer, 'sweep').length < 2) return [];
  const parameter = parameterInWords(text(request, 'sweep', 'parameter'));
  const curve = (id: string, label: string, of: (row: unknown) => number): Picture => ({
    id,
    title: `${label[0].toUpperCase()}${label.slice(1)}, by ${parameter}`,
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
  const known = swept
    .map(({ id, label, path }) => ({
      id,
      label,
      of: (row: unknown) => number(at(row, 'evaluation') ?? at(row, 'solution'), ...path),
    }))
    .filter(({ of }) => sweepPoints(answer, of).length > 1);
  const first = known.filter(({ id }, i) => known.findIndex((each) => each.id === id) === i);
  return [
    curve('sweep-cost', 'cost per time unit', (row) => number(row, 'objective', 'value')),
    ...first.map(({ id, label, of }) => curve(id, label, of)),
  ];
};
