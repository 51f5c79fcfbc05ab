/** threshold-policy: crawlers by queue length, what the other policies cost, and the trade-off between the measures. */
import type { JsonObject } from '../api/json.ts';
import { figure, percent } from '../format.ts';
import { bars, chart, ink, Plot, wholeTicks } from './chart.ts';
import type { Answered, FollowUp, Illustrator, Picture } from './picture.ts';
import { list, number, numbers } from './read.ts';
import { filterPicture, statePictures } from './seen-phases.ts';
import { frontPicture, sweepPictures } from './variations.ts';

function crawlersByQueueLength({ answer }: Answered): Picture {
  const crawlers = numbers(answer.solution, 'crawlersByQueueLength');
  const data = crawlers.map((count, queue) => ({ queue, count }));
  return {
    id: 'crawlers-by-queue-length',
    title: 'Active crawlers at each queue length',
    draw: (width) =>
      chart(width, {
        x: {
          label: 'pages in the system',
          domain: [-0.5, data.length - 0.5],
          ticks: wholeTicks(0, data.length - 1),
        },
        y: {
          label: 'active crawlers',
          ticks: wholeTicks(0, Math.max(1, ...crawlers), 6),
          domain: [0, Math.max(1, ...crawlers) * 1.1],
        },
        marks: [
          Plot.rectY(data, {
            x1: ({ queue }) => queue - 0.5,
            x2: ({ queue }) => queue + 0.5,
            y: 'count',
            fill: ink.blue,
            inset: data.length <= 60 ? 1 : 0,
            title: ({ queue, count }) => `${figure(queue)} pages: ${figure(count)} crawlers`,
            tip: true,
          }),
          Plot.ruleY([0], { stroke: ink.muted }),
        ],
      }),
  };
}

const named = (modes: readonly number[]): string => `{${modes.map((mode) => figure(mode)).join(', ')}}`;

function costs({ request, answer }: Answered): Picture {
  const chosen = numbers(answer.solution, 'modes');
  const same = (modes: readonly number[]): boolean => named(modes) === named(chosen);
  const fixed = list(answer, 'fixedModes').map((mode) => ({
    label: `always ${figure(number(mode, 'crawlers'))}`,
    value: number(mode, 'cost'),
    color: ink.grey,
  }));
  const subsets = list(answer, 'subsets').map((subset) => {
    const modes = numbers(subset, 'modes');
    return {
      label: `${named(modes)} at ${numbers(subset, 'thresholds').join(', ')}`,
      value: number(subset, 'cost'),
      color: same(modes) ? ink.green : ink.blue,
    };
  });
  const own = request.policy !== undefined;
  const value = number(answer, 'objective', 'value');
  const blind = number(answer, 'byQueueLength', 'cost');
  const unseen = Number.isFinite(blind) ? [{ label: 'queue length alone', value: blind, color: ink.blue }] : [];
  const all = [...fixed, ...subsets, ...unseen].sort((a, b) => a.value - b.value).slice(0, 18);
  if (own) all.unshift({ label: 'your policy', value, color: ink.violet });
  else if (!subsets.some(({ color }) => color === ink.green)) {
    all.unshift({ label: `the answer ${named(chosen)}`, value, color: ink.green });
  }
  return {
    id: 'cost-of-subsets',
    title: 'Cost of every set of modes, at its best thresholds',
    wide: true,
    keys: [
      own
        ? { label: 'your policy', color: ink.violet, shape: 'square' }
        : { label: 'chosen', color: ink.green, shape: 'square' },
      ...(subsets.length > 0 ? [{ label: 'other sets', color: ink.blue, shape: 'square' as const }] : []),
      { label: 'one mode only', color: ink.grey, shape: 'square' },
    ],
    draw: (width) => bars(width, all, 'cost per time unit'),
  };
}

/** The policy of a subset as crawlers by queue length: the most active mode up to the first threshold, and so on. */
function policyOfSubset(capacity: number, modes: readonly number[], thresholds: readonly number[]): number[] {
  const byLength: number[] = [];
  for (let queue = 0; queue <= capacity; queue++) {
    const passed = thresholds.filter((threshold) => queue > threshold).length;
    byLength.push(modes[passed]);
  }
  return byLength;
}

const measuresCompared = [
  ['lossProbability', 'pages lost'],
  ['obsolescenceProbability', 'pages expired'],
  ['starvationProbability', 'system empty'],
] as const;

interface Point {
  readonly label: string;
  readonly loss: number;
  readonly response: number;
  readonly starvation: number;
  readonly kind: 'chosen' | 'subset' | 'fixed';
}

function pointOf(label: string, measures: unknown, kind: Point['kind']): Point {
  return {
    label,
    loss: number(measures, 'lossProbability'),
    response: number(measures, 'responseTime'),
    starvation: number(measures, 'starvationProbability'),
    kind,
  };
}

function tradeOff({ answer, extras }: Answered): Picture {
  const points: Point[] = [
    ...list(answer, 'fixedModes').map((mode) =>
      pointOf(`always ${figure(number(mode, 'crawlers'))}`, Reflect.get(Object(mode), 'measures'), 'fixed'),
    ),
    ...[...extras].map(([key, { answer: evaluated }]) => pointOf(key, evaluated.solution?.measures, 'subset')),
    pointOf('the answer', answer.solution?.measures, 'chosen'),
  ];
  const color = { chosen: ink.green, subset: ink.blue, fixed: ink.grey } as const;
  return {
    id: 'trade-off',
    title: 'The trade-off: loss, response time and starvation',
    keys: [
      { label: 'the answer', color: ink.green, shape: 'dot' },
      { label: 'best of each set of modes', color: ink.blue, shape: 'dot' },
      { label: 'one mode only', color: ink.grey, shape: 'dot' },
    ],
    note: 'Area: share of time the system is empty. Numbers: crawlers of a policy with one mode only.',
    draw: (width) =>
      chart(width, {
        x: {
          label: 'share of the pages lost',
          ticks: 5,
          tickFormat: (share: number) => percent(share),
          nice: true,
          inset: 12,
        },
        y: { label: 'mean response time (time units)', nice: true, inset: 12 },
        r: { domain: [0, Math.max(0.01, ...points.map(({ starvation }) => starvation || 0))], range: [0, 15] },
        marks: [
          Plot.dot(points, {
            x: 'loss',
            y: 'response',
            r: ({ starvation }) => Math.max(0.004, starvation),
            fill: ({ kind }: Point) => color[kind],
            fillOpacity: 0.55,
            stroke: ({ kind }: Point) => color[kind],
            strokeWidth: 1.5,
            title: (point: Point) =>
              `${point.label}\nlost ${percent(point.loss)}\nresponse time ${figure(point.response)}\nempty ${percent(point.starvation)}`,
            tip: true,
          }),
          Plot.text(
            points.filter(({ kind }) => kind === 'fixed'),
            {
              x: 'loss',
              y: 'response',
              text: ({ label }) => label.replace('always ', ''),
              fill: ink.text,
              fontWeight: 600,
            },
          ),
        ],
        color: { type: 'identity' },
      }),
  };
}

/** On a narrower figure the three would lie over each other: they follow each other instead. */
const leastSideBySide = 560;

function measuresSideBySide({ answer }: Answered): Picture {
  const policies = [
    { label: 'the answer', measures: answer.solution?.measures },
    ...list(answer, 'fixedModes').map((mode) => ({
      label: `always ${figure(number(mode, 'crawlers'))}`,
      measures: Reflect.get(Object(mode), 'measures'),
    })),
  ].slice(0, 9);
  const data = measuresCompared.flatMap(([name, title]) =>
    policies.map(({ label, measures }) => ({ label, title, share: number(measures, name) })),
  );
  return {
    id: 'measures',
    title: 'The measures side by side',
    wide: true,
    draw: (width) =>
      width < leastSideBySide
        ? bars(
            width,
            data.map(({ label, title, share }) => ({
              label: `${label}: ${title.replace(/^(pages|system) /, '')}`,
              value: share,
              text: percent(share),
              color: label === 'the answer' ? ink.green : ink.grey,
            })),
            'share',
          )
        : chart(width, {
            height: 70 + 26 * policies.length,
            marginLeft: 84,
            marginTop: 34,
            marginBottom: 36,
            marginRight: 30,
            x: {
              label: 'share',
              tickFormat: (share: number) => percent(share, 2),
              ticks: 3,
              domain: [0, 1.3 * Math.max(0.01, ...data.map(({ share }) => share || 0))],
            },
            y: { label: null, domain: policies.map(({ label }) => label) },
            fx: { label: null, domain: measuresCompared.map(([, title]) => title), padding: 0.12 },
            marks: [
              Plot.barX(data, {
                x: 'share',
                y: 'label',
                fx: 'title',
                fill: ({ label }) => (label === 'the answer' ? ink.green : ink.grey),
                insetTop: 3,
                insetBottom: 3,
              }),
              Plot.text(data, {
                x: 'share',
                y: 'label',
                fx: 'title',
                text: ({ share }) => percent(share),
                textAnchor: 'start',
                dx: 4,
                fill: ink.text,
              }),
              Plot.ruleX([0], { stroke: ink.muted }),
            ],
            color: { type: 'identity' },
          }),
  };
}

/** More subsets than this are not evaluated one by one for the scatter: the cheapest are. */
const mostEvaluated = 24;

export const thresholdPolicy: Illustrator = {
  followUps(request, answer): FollowUp[] {
    const capacity = number(request, 'capacity');
    const subsets = [...list(answer, 'subsets')].sort((a, b) => number(a, 'cost') - number(b, 'cost'));
    const { constraints: _, search: __, ...rest }: JsonObject = request;
    return subsets.slice(0, mostEvaluated).map((subset) => {
      const modes = numbers(subset, 'modes');
      const crawlers = policyOfSubset(capacity, modes, numbers(subset, 'thresholds'));
      return {
        key: `${named(modes)} at ${numbers(subset, 'thresholds').join(', ')}`,
        operation: 'threshold-policy',
        request: { ...rest, policy: { crawlersByQueueLength: crawlers } },
      };
    });
  },
  pictures: (answered) =>
    answered.answer.solution
      ? [
          crawlersByQueueLength(answered),
          ...statePictures(answered),
          ...filterPicture(answered),
          tradeOff(answered),
          costs(answered),
          measuresSideBySide(answered),
          ...sweepPictures(answered, {
            id: 'sweep-policy',
            title: 'Active crawlers on average',
            label: 'active crawlers',
            of: (solution) => number(solution, 'measures', 'activeCrawlers'),
          }),
          ...frontPicture(answered),
        ]
      : [],
  headline: ({ answer }) => {
    const measures = answer.solution?.measures;
    return [
      ['pages lost', percent(number(measures, 'lossProbability'))],
      ['pages expired', percent(number(measures, 'obsolescenceProbability'))],
      ['system empty', percent(number(measures, 'starvationProbability'))],
      ['response time', figure(number(measures, 'responseTime'))],
      ['active crawlers', figure(number(measures, 'activeCrawlers'))],
      ['gain on the best fixed mode', percent(number(answer, 'relativeProfit'))],
    ];
  },
};
