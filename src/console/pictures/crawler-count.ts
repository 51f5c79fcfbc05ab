/** crawler-count: what each number of crawlers costs, and what that cost is made of. */
import { figure, percent } from '../format.ts';
import { chart, ink, Plot, rule } from './chart.ts';
import type { Answered, FollowUp, Illustrator, Key, Picture } from './picture.ts';
import { list, number } from './read.ts';
import { frontPicture, type SweptNumber, sweepPictures } from './variations.ts';

/**
 * The stretch of counts to show: from one crawler to twice the best number, or a window around it when that is large.
 */
function windowAround(crawlers: number, also: number): { from: number; to: number } {
  const far = Math.max(crawlers, Number.isFinite(also) ? also : 0);
  if (far <= 150) return { from: 1, to: Math.max(8, 2 * far) };
  const half = Math.min(150, Math.ceil(0.5 * crawlers));
  return { from: Math.max(1, crawlers - half), to: crawlers + half };
}

/** A curve shorter than this is asked for again around the optimum: five points show no valley. */
const fewestPoints = 20;

function curveOf({ answer, extras }: Answered): readonly unknown[] {
  const own = list(answer, 'curve');
  const asked = list(extras.get('curve')?.answer, 'curve');
  return asked.length > own.length ? asked : own;
}

function costCurve(answered: Answered, curve: readonly unknown[]): Picture {
  const { answer } = answered;
  const best = number(answer.solution, 'crawlers');
  const value = number(answer, 'objective', 'value');
  const approximate = number(answer.solution, 'largeCapacityApproximation', 'crawlers');
  const evaluated = number(answer, 'evaluation', 'crawlers');
  const keys: Key[] = [
    { label: 'cost', color: ink.blue, shape: 'line' },
    { label: 'optimum', color: ink.green, shape: 'dot' },
  ];
  const costAt = (crawlers: number): number =>
    number(
      curve.find((point) => number(point, 'crawlers') === Math.round(crawlers)),
      'cost',
    );
  const marked: { crawlers: number; cost: number; color: string }[] = [];
  // A ring: the approximation is often the optimum itself, and both should be seen.
  const rings: typeof marked = [];
  if (Number.isFinite(approximate)) {
    keys.push({ label: `large-capacity approximation (${figure(approximate)})`, color: ink.orange, shape: 'ring' });
    const cost = number(answer.solution, 'largeCapacityApproximation', 'cost');
    rings.push({
      crawlers: approximate,
      cost: Number.isFinite(cost) ? cost : costAt(approximate),
      color: ink.orange,
    });
  }
  if (Number.isFinite(evaluated)) {
    keys.push({ label: `your count (${figure(evaluated)})`, color: ink.violet, shape: 'dot' });
    marked.push({ crawlers: evaluated, cost: number(answer, 'evaluation', 'cost'), color: ink.violet });
  }
  const isOptimum = answer.status !== 'evaluated';
  if (isOptimum) marked.push({ crawlers: best, cost: value, color: ink.green });
  const points = curve.map((point) => ({ crawlers: number(point, 'crawlers'), cost: number(point, 'cost') }));
  return {
    id: 'cost-curve',
    title: 'Cost by number of crawlers',
    keys,
    draw: (width) =>
      chart(width, {
        x: { label: 'crawlers' },
        y: { label: 'cost per time unit', nice: true },
        marks: [
          ...(isOptimum ? rule(best, `optimum: ${figure(best)}`, ink.green) : []),
          Plot.lineY(points, { x: 'crawlers', y: 'cost', stroke: ink.blue, strokeWidth: 1.75 }),
          ...(points.length <= 80 ? [Plot.dot(points, { x: 'crawlers', y: 'cost', fill: ink.blue, r: 2.2 })] : []),
          Plot.dot(marked, {
            x: 'crawlers',
            y: 'cost',
            fill: 'color',
            stroke: ink.surface,
            strokeWidth: 1.5,
            r: 6,
            className: 'marked',
          }),
          Plot.dot(rings, { x: 'crawlers', y: 'cost', stroke: 'color', strokeWidth: 2.5, r: 9, className: 'rings' }),
          Plot.tip(
            points,
            Plot.pointerX({
              x: 'crawlers',
              y: 'cost',
              title: (point: { crawlers: number; cost: number }) =>
                `${figure(point.crawlers)} crawlers\ncost ${figure(point.cost, 5)}`,
            }),
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

function starvationAndLoss({ request, answer }: Answered, curve: readonly unknown[]): Picture {
  const rate = number(request, 'crawlerRate');
  const best = number(answer.solution, 'crawlers');
  const points = curve.flatMap((point) => {
    const crawlers = number(point, 'crawlers');
    return [
      { crawlers, share: number(point, 'starvationProbability'), color: ink.orange },
      { crawlers, share: number(point, 'lossRate') / (rate * crawlers), color: ink.red },
    ];
  });
  return {
    id: 'starvation-and-loss',
    title: 'What it trades: an idle index against lost pages',
    keys: [
      { label: 'time the indexing queue is empty', color: ink.orange, shape: 'line' },
      { label: 'pages lost', color: ink.red, shape: 'line' },
    ],
    draw: (width) =>
      chart(width, {
        x: { label: 'crawlers' },
        y: { label: 'share', tickFormat: (share: number) => percent(share), domain: [0, 1] },
        marks: [
          ...(answer.status === 'evaluated' ? [] : rule(best, '', ink.green)),
          Plot.lineY(points, { x: 'crawlers', y: 'share', stroke: 'color', z: 'color', strokeWidth: 1.75 }),
          Plot.ruleY([0], { stroke: ink.muted }),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** Along a sweep: the count, as Figure 1.2 of Liu & Nain (2006) has it, and the best load of Figures 1.3 and 1.4. */
const swept: readonly SweptNumber[] = [
  { id: 'sweep-policy', title: 'Crawlers', label: 'crawlers', of: (solution) => number(solution, 'crawlers') },
  {
    id: 'sweep-offered-load',
    title: 'Offered load of the best real number of crawlers',
    label: 'offered load',
    of: (solution) => number(solution, 'continuous', 'offeredLoad'),
  },
];

export const crawlerCount: Illustrator = {
  followUps(request, answer): FollowUp[] {
    if (list(answer, 'curve').length >= fewestPoints) return [];
    const best = number(answer.solution, 'crawlers');
    if (!Number.isFinite(best)) return [];
    const { crawlers: _, sweep: _sweep, front: _front, ...rest } = request;
    const curve = windowAround(best, number(answer, 'evaluation', 'crawlers'));
    return [{ key: 'curve', operation: 'crawler-count', request: { ...rest, curve } }];
  },
  pictures(answered) {
    const curve = curveOf(answered);
    const beside = [...sweepPictures(answered, ...swept), ...frontPicture(answered)];
    return curve.length > 0 ? [costCurve(answered, curve), starvationAndLoss(answered, curve), ...beside] : beside;
  },
  headline: ({ answer: { solution } }) => [
    ['crawlers', figure(number(solution, 'crawlers'))],
    ['offered load', figure(number(solution, 'offeredLoad'))],
    ['queue empty', percent(number(solution, 'starvationProbability'))],
    ['pages lost', percent(number(solution, 'lossProbability'))],
    ['mean in system', figure(number(solution, 'meanQueueLength'))],
  ],
};
