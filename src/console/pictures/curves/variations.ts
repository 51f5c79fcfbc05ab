/** The curve of a sweep, for every operation whose answers have one. */
import { figure } from '../../../schemas/words/numbers.ts';
import { listAt, numberAt, textAt, valueAt } from '../../api/read.ts';
import { spellName } from '../../contract/meaning.ts';
import { chart, Plot, palette } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

/** Numbers of a policy that a sweep draws in addition to the cost: the first of these that its rows have. */
const policyFields = [
  { label: 'crawlers active on average', path: ['activeCrawlers', 'mean'] },
  { label: 'crawlers active on average', path: ['measures', 'activeCrawlers'] },
  { label: 'crawlers', path: ['crawlers'] },
];

/** `/evaluate/thresholds/0` → `thresholds, number 1`. */
function parameterInWords(pointer: string): string {
  const steps = pointer.slice(1).split('/').map(spellName);
  const index = Number(steps.at(-1));
  return Number.isInteger(index) ? `${steps.at(-2)}, number ${index + 1}` : steps.join(' › ');
}

interface Point {
  readonly value: number;
  readonly y: number;
}

/** The points of a sweep, in the order of the parameter. */
const pointsOf = (answer: unknown, of: (row: unknown) => number): Point[] =>
  listAt(answer, 'sweep')
    .map((row) => ({ value: numberAt(row, 'value'), y: of(row) }))
    .filter(({ y }) => Number.isFinite(y))
    .sort((a, b) => a.value - b.value);

/** The cost and the policy along a sweep; empty for an answer without a sweep. */
export const sweepPictures: Pictures = ({ request, answer }) => {
  const parameter = parameterInWords(textAt(request, 'sweep', 'parameter'));
  const curve = (id: string, label: string, points: readonly Point[]): Picture[] =>
    points.length < 2
      ? []
      : [
          {
            id,
            title: `${label[0].toUpperCase()}${label.slice(1)}, by ${parameter}`,
            draw: (width) =>
              chart(width, {
                x: { label: parameter },
                y: { label, nice: true },
                marks: [
                  Plot.lineY(points, { x: 'value', y: 'y', stroke: palette.blue, strokeWidth: 1.75 }),
                  Plot.dot(points, {
                    x: 'value',
                    y: 'y',
                    fill: palette.blue,
                    r: points.length <= 60 ? 3 : 1.5,
                    title: ({ value, y }: Point) => `${parameter} ${figure(value)}\n${label} ${figure(y)}`,
                    tip: true,
                  }),
                ],
              }),
          },
        ];
  const policies = policyFields.map(({ label, path }) => ({
    label,
    points: pointsOf(answer, (row) => numberAt(valueAt(row, 'evaluation') ?? valueAt(row, 'solution'), ...path)),
  }));
  const policy = policies.find(({ points }) => points.length > 1);
  return [
    ...curve(
      'sweep-cost',
      'cost per time unit',
      pointsOf(answer, (row) => numberAt(row, 'objective', 'value')),
    ),
    ...(policy === undefined ? [] : curve('sweep-policy', policy.label, policy.points)),
  ];
};
