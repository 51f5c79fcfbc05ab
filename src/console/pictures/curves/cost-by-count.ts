/** The cost of each number of crawlers, and the loss and idle time it trades against each other. */

import { figure, share } from '../../../schemas/words/numbers.ts';
import type { Exchange } from '../../api/answer.ts';
import { listAt, numberAt, valueAt } from '../../api/read.ts';
import { chart, Plot, palette, verticalRule } from '../frame/chart.ts';
import type { FollowUp, Key, Picture, Pictures } from '../frame/picture.ts';

const operation = 'crawler-count';

/** The counts to show: from one to twice the best, or a window around it when that is large. */
function windowAround(crawlers: number, otherCount: number): { from: number; to: number } {
  const far = Math.max(crawlers, Number.isFinite(otherCount) ? otherCount : 0);
  if (far <= 150) return { from: 1, to: Math.max(8, 2 * far) };
  const half = Math.min(150, Math.ceil(0.5 * crawlers));
  return { from: Math.max(1, crawlers - half), to: crawlers + half };
}

/** A curve of fewer points is requested again around the optimum: it would not show the valley. */
const minPoints = 20;

function curveOf({ answer, extras }: Exchange): readonly unknown[] {
  const own = listAt(answer, 'evaluation');
  const extra = listAt(extras.get('curve')?.answer, 'evaluation');
  return extra.length > own.length ? extra : own;
}

/** The follow-up request for the curve around the best count. */
export function countCurve(name: string, { request, answer }: Exchange): FollowUp[] {
  const best = numberAt(answer.solution, 'crawlers');
  if (name !== operation || listAt(answer, 'evaluation').length >= minPoints || !Number.isFinite(best)) return [];
  const { evaluate: _, sweep: _sweep, ...rest } = request;
  const evaluate = windowAround(best, numberAt(listAt(answer, 'evaluation')[0], 'crawlers'));
  return [{ key: 'curve', operation, request: { ...rest, evaluate } }];
}

interface MarkedCount {
  readonly label: string;
  readonly crawlers: number;
  readonly cost: number;
  readonly color: string;
  readonly shape: 'dot' | 'ring';
}

/** The counts that the curve marks: the optimum and the approximation. */
function markedCounts({ answer }: Exchange): MarkedCount[] {
  const { solution } = answer;
  const best = { crawlers: numberAt(solution, 'crawlers'), cost: numberAt(answer, 'objective', 'value') };
  const approximate = valueAt(solution, 'largeCapacityApproximation');
  const counts = listAt(answer, 'evaluation');
  const own = counts.length === 1 ? counts[0] : undefined;
  const place = (point: unknown) => ({ crawlers: numberAt(point, 'crawlers'), cost: numberAt(point, 'cost') });
  const markers: MarkedCount[] = [
    ...(answer.status === 'evaluated'
      ? []
      : [{ label: 'optimum', ...best, color: palette.green, shape: 'dot' as const }]),
    { label: 'your count', ...place(own), color: palette.violet, shape: 'dot' },
    // A ring: the approximation is often the optimum itself, and both should be seen.
    { label: 'large-capacity approximation', ...place(approximate), color: palette.orange, shape: 'ring' },
  ];
  return markers.filter(({ crawlers, cost }) => Number.isFinite(crawlers) && Number.isFinite(cost));
}

function costCurve(exchange: Exchange, curve: readonly unknown[]): Picture {
  const points = curve.map((point) => ({ crawlers: numberAt(point, 'crawlers'), cost: numberAt(point, 'cost') }));
  const markers = markedCounts(exchange);
  const best = markers.find(({ label }) => label === 'optimum');
  const keys: Key[] = markers.map(({ label, crawlers, color, shape }) => ({
    label: `${label}: ${figure(crawlers)}`,
    color,
    shape,
  }));
  const round = markers.filter(({ shape }) => shape === 'dot');
  const rings = markers.filter(({ shape }) => shape === 'ring');
  const place = { x: 'crawlers', y: 'cost' } as const;
  return {
    id: 'cost-curve',
    title: 'Cost by number of crawlers',
    keys: [{ label: 'cost', color: palette.blue, shape: 'line' }, ...keys],
    draw: (width) =>
      chart(width, {
        x: { label: 'crawlers' },
        y: { label: 'cost per time unit', nice: true },
        marks: [
          ...(best === undefined
            ? []
            : verticalRule(best.crawlers, `optimum: ${figure(best.crawlers)}`, palette.green)),
          Plot.lineY(points, { ...place, stroke: palette.blue, strokeWidth: 1.75 }),
          ...(points.length <= 80 ? [Plot.dot(points, { ...place, fill: palette.blue, r: 2.2 })] : []),
          Plot.dot(rings, { ...place, stroke: 'color', strokeWidth: 2, r: 8 }),
          Plot.dot(round, { ...place, fill: 'color', stroke: palette.surface, strokeWidth: 1.5, r: 5.5 }),
          Plot.tip(
            points,
            Plot.pointerX({
              ...place,
              title: (point: { crawlers: number; cost: number }) =>
                `${figure(point.crawlers)} crawlers\ncost ${figure(point.cost, 5)}`,
            }),
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

function starvationAndLoss({ request, answer }: Exchange, curve: readonly unknown[]): Picture {
  const rate = numberAt(request, 'crawlerRate');
  const best = numberAt(answer.solution, 'crawlers');
  const points = curve.flatMap((point) => {
    const crawlers = numberAt(point, 'crawlers');
    return [
      { crawlers, share: numberAt(point, 'starvationProbability'), color: palette.orange },
      { crawlers, share: numberAt(point, 'lossRate') / (rate * crawlers), color: palette.red },
    ];
  });
  return {
    id: 'starvation-and-loss',
    title: 'What it trades: an idle indexer against lost pages',
    keys: [
      { label: 'time without a page to index', color: palette.orange, shape: 'line' },
      { label: 'pages lost', color: palette.red, shape: 'line' },
    ],
    draw: (width) =>
      chart(width, {
        x: { label: 'crawlers' },
        y: { label: 'share', tickFormat: (value: number) => share(value, 3), domain: [0, 1] },
        marks: [
          ...(answer.status === 'evaluated' ? [] : verticalRule(best, `optimum: ${figure(best)}`, palette.green)),
          Plot.lineY(points, { x: 'crawlers', y: 'share', stroke: 'color', z: 'color', strokeWidth: 1.75 }),
          Plot.ruleY([0], { stroke: palette.muted }),
        ],
        color: { type: 'identity' },
      }),
  };
}

export const costByCount: Pictures = (exchange) => {
  const curve = curveOf(exchange);
  return curve.length > 0 ? [costCurve(exchange, curve), starvationAndLoss(exchange, curve)] : [];
};
