/** Simulated measures, a row each: the mean, its interval, and the exact value where the model has one. */

import { figure } from '../../../words/numbers.ts';
import type { Answered } from '../../api/answered.ts';
import { at, number } from '../../api/read.ts';
import { chart, ink, isNarrow, Plot } from '../frame/chart.ts';
import type { FollowUp, Picture, Pictures } from '../frame/picture.ts';

interface Measure {
  readonly title: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** NaN where none is known. */
  readonly exact: number;
}

const titles: Readonly<Record<string, string>> = {
  arrivalRate: 'pages per time unit',
  lossProbability: 'pages lost (share)',
  obsolescenceProbability: 'pages expired (share)',
  successProbability: 'pages indexed (share)',
  starvationProbability: 'time empty (share)',
  activeCrawlers: 'active crawlers',
  queueLength: 'pages in the system',
  meanQueueLength: 'pages in the system',
  responseTime: 'response time',
  obsoleteSojournTime: 'time of expired pages',
  sojournTime: 'time of all pages',
  lossRate: 'pages lost per time unit',
  freshness: 'fresh (share of time)',
  staleness: 'stale (share of time)',
  embarrassment: 'Σ weight × stale share',
  age: 'age of the copy',
  delay: 'delay of a change',
  fetches: 'fetches',
  changes: 'changes',
  changesSeen: 'changes seen',
};

/** What a row is scaled by: its mean shows how precise each is, its interval where the exact value lies in it. */
type Scale = 'mean' | 'interval';

const axisLabels = {
  mean: 'distance from the simulated mean (%)',
  interval: 'distance from the simulated mean, in half-widths of the interval',
} as const;
const notes = {
  mean: 'Each row is scaled by its own mean.',
  interval: 'Each row is scaled by its own interval; one exact value in twenty may fall outside.',
} as const;
const furthestExact = 4;

function measuresPicture(measures: readonly Measure[], scale: Scale): Picture {
  const rows = measures.map((each) => {
    const half = (each.high - each.low) / 2;
    const unit = scale === 'interval' ? Math.max(half, 1e-300) : Math.abs(each.mean) / 100;
    const end = unit > 0 ? half / unit : 0;
    return { ...each, half, end, exactAt: unit > 0 ? (each.exact - each.mean) / unit : Number.NaN };
  });
  const known = rows.filter(({ exactAt }) => Number.isFinite(exactAt));
  const furthest = Math.max(1e-4, ...rows.map(({ end }) => end));
  const reach = Math.max(
    furthest * (scale === 'interval' ? 1.8 : 1.15),
    ...known.map(({ exactAt }) => Math.min(furthestExact * furthest, Math.abs(exactAt)) + 0.2 * furthest),
  );
  return {
    id: 'measures',
    title: 'Simulated measures with their 95% intervals',
    wide: true,
    keys: [
      { label: '95% interval', color: ink.blue, shape: 'line' },
      ...(known.length > 0 ? [{ label: 'exact value of the model', color: ink.orange, shape: 'dot' as const }] : []),
    ],
    note: notes[scale],
    draw: (width) =>
      chart(width, {
        height: 66 + 26 * rows.length,
        marginLeft: Math.min(168, width * 0.45),
        marginRight: Math.min(known.length > 0 ? 270 : 180, width * 0.32),
        marginTop: 12,
        x: {
          label: isNarrow(width) ? null : axisLabels[scale],
          domain: [-reach, reach],
          ticks: isNarrow(width) ? 2 : 5,
        },
        y: { label: null, domain: rows.map(({ title }) => title) },
        marks: [
          Plot.ruleX([0], { stroke: ink.faint }),
          Plot.ruleY(rows, {
            y: 'title',
            x1: ({ end }) => -end,
            x2: 'end',
            stroke: ink.blue,
            strokeWidth: 4,
            strokeOpacity: 0.45,
          }),
          Plot.dot(rows, { y: 'title', x: 0, fill: ink.blue, r: 4.5 }),
          Plot.dot(known, {
            y: 'title',
            x: ({ exactAt }) => Math.max(-reach, Math.min(reach, exactAt)),
            fill: ink.orange,
            r: 4.5,
            stroke: ink.surface,
          }),
          Plot.text(rows, {
            y: 'title',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 10,
            fill: ink.text,
            text: ({ mean, half, exact }) =>
              `${figure(mean)} ± ${figure(half, 2)}${Number.isFinite(exact) && !isNarrow(width) ? `, exact ${figure(exact)}` : ''}`,
          }),
        ],
      }),
  };
}

/** Asks for the exact values of a simulated queue, where there are any. */
export function exactMeasures(asked: string, { request }: Answered): FollowUp[] {
  if (asked !== 'simulations/queue') return [];
  const { duration: _, replications: __, options: ___, ...model } = request;
  const operation = at(request, 'evaluate', 'targets') === undefined ? 'threshold-policy' : 'activation-policy';
  return [{ key: 'exact', operation, request: { ...model, costs: {} } }];
}

/** A measure under the names that the exact answers have it by. */
function exactValue(exact: unknown, name: string): number {
  const places = [['measures', name], [name, 'mean'], [name]];
  return places.map((path) => number(exact, ...path)).find(Number.isFinite) ?? Number.NaN;
}

export const simulatedMeasures: Pictures = ({ answer, extras }) => {
  const exact = at(extras.get('exact')?.answer, 'evaluation') ?? extras.get('exact')?.answer.solution;
  const measures = Object.entries(Object(at(answer.solution, 'measures'))).flatMap(([name, measure]): Measure[] => {
    const mean = number(measure, 'mean');
    const [low, high] = [number(measure, 'interval', 0), number(measure, 'interval', 1)];
    if (!Number.isFinite(mean) || !Number.isFinite(low)) return [];
    return [{ title: titles[name] ?? name, mean, low, high, exact: exactValue(exact, name) }];
  });
  return measures.length === 0 ? [] : [measuresPicture(measures, exact === undefined ? 'mean' : 'interval')];
};
