/** simulations/queue: every measure with its interval, and the exact value where the model has one. */
import { figure } from '../format.ts';
import { chart, ink, Plot } from './chart.ts';
import type { Answered, FollowUp, Illustrator, Picture } from './picture.ts';
import { at, number } from './read.ts';

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
};

interface Measure {
  readonly name: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly exact: number;
}

function measuresOf({ answer, extras }: Answered): Measure[] {
  const exact = extras.get('exact')?.answer.solution;
  const measures = at(answer.solution, 'measures');
  return Object.entries(Object(measures)).flatMap(([name, measure]): Measure[] => {
    const mean = number(measure, 'mean');
    if (!Number.isFinite(mean)) return [];
    const inMeasures = number(exact, 'measures', name);
    const found = Number.isFinite(inMeasures)
      ? inMeasures
      : name === 'activeCrawlers'
        ? number(exact, 'activeCrawlers', 'mean')
        : number(exact, name);
    return [{ name, mean, low: number(measure, 'interval', 0), high: number(measure, 'interval', 1), exact: found }];
  });
}

function measuresPicture(answered: Answered): Picture {
  const measures = measuresOf(answered);
  // Every measure on a scale of its own: half-widths of its interval around the mean.
  const rows = measures.map((measure) => {
    const half = Math.max((measure.high - measure.low) / 2, 1e-300);
    return { ...measure, title: titles[measure.name] ?? measure.name, exactAt: (measure.exact - measure.mean) / half };
  });
  const known = rows.filter(({ exactAt }) => Number.isFinite(exactAt));
  const reach = Math.max(1.6, ...known.map(({ exactAt }) => Math.min(4, Math.abs(exactAt)))) + 0.2;
  return {
    id: 'measures',
    title: 'Simulated measures with their 95% intervals',
    wide: true,
    keys: [
      { label: '95% interval', color: ink.blue, shape: 'line' },
      ...(known.length > 0 ? [{ label: 'exact value of the model', color: ink.orange, shape: 'dot' as const }] : []),
    ],
    note: 'Each row is scaled by its own interval; one exact value in twenty may fall outside.',
    draw: (width) =>
      chart(width, {
        height: 66 + 26 * rows.length,
        marginLeft: 168,
        marginRight: Math.min(270, width * 0.32),
        marginTop: 12,
        x: {
          label: 'distance from the simulated mean, in half-widths of the interval',
          domain: [-reach, reach],
          ticks: 5,
        },
        y: { label: null, domain: rows.map(({ title }) => title) },
        marks: [
          Plot.ruleX([0], { stroke: ink.faint }),
          Plot.ruleY(rows, { y: 'title', x1: -1, x2: 1, stroke: ink.blue, strokeWidth: 4, strokeOpacity: 0.45 }),
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
            text: ({ mean, low, high, exact }) =>
              `${figure(mean)} ± ${figure((high - low) / 2, 2)}${Number.isFinite(exact) ? `, exact ${figure(exact)}` : ''}`,
          }),
        ],
      }),
  };
}

export const simulationsQueue: Illustrator = {
  followUps(request): FollowUp[] {
    const { horizon: _, replications: __, confidence: ___, ...model } = request;
    if ('targets' in model) {
      const { crawlerRate, indexingRate, capacity, crawlers, targets } = model;
      const asked = { crawlerRate, indexingRate, capacity, crawlers, targets, starvationWeight: 1 };
      return [{ key: 'exact', operation: 'activation-policy', request: asked }];
    }
    const { capacity, arrivals, service, obsolescence, policy } = model;
    const optional = Object.fromEntries(
      ['admission', 'discipline', 'repairDiagonal'].flatMap((name) => (name in model ? [[name, model[name]]] : [])),
    );
    const asked = {
      capacity,
      arrivals,
      service,
      obsolescence: obsolescence ?? null,
      policy,
      costs: { loss: 1 },
      ...optional,
    };
    return [{ key: 'exact', operation: 'threshold-policy', request: asked }];
  },
  pictures: (answered) => (answered.answer.solution ? [measuresPicture(answered)] : []),
  headline: ({ request }) => [
    ['horizon', figure(number(request, 'horizon'))],
    ['replications', figure(number(request, 'replications'))],
  ],
};
