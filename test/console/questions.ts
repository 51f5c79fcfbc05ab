/** What the browser does with each operation's first example, and the marks its pictures must then have. */
import { at, list, number, numbers } from '../../src/console/api/read.ts';

interface Marks {
  readonly picture: string;
  /** CSS selector of the marks inside the picture. */
  readonly marks: string;
  readonly count: (request: unknown, answer: unknown) => number;
}

export interface Trial {
  readonly operation: string;
  /** JSON pointer of a number, what it becomes, and a value the contract refuses. */
  readonly pointer: string;
  readonly next: string;
  readonly bad: string;
  readonly pictures: readonly Marks[];
}

const dot = 'g[aria-label="dot"] circle';
const bar = 'g[aria-label="bar"] rect';
const rows = (value: unknown, ...path: string[]): number => list(value, ...path).length;

export const trials: readonly Trial[] = [
  {
    operation: 'crawler-count',
    pointer: '/costs/starvation',
    next: '0.6',
    bad: '-1',
    pictures: [
      // Twice the optimum, which is marked once more.
      { picture: 'cost-curve', marks: dot, count: (_, answer) => 2 * number(answer, 'solution', 'crawlers') + 1 },
      { picture: 'starvation-and-loss', marks: 'g[aria-label="line"] path', count: () => 2 },
    ],
  },
  {
    operation: 'activation-policy',
    pointer: '/costs/starvation',
    next: '2.8',
    bad: 'many',
    pictures: [
      {
        picture: 'switching-curve',
        marks: 'g.activate rect',
        count: (request) => number(request, 'capacity') + 1,
      },
      { picture: 'baselines', marks: bar, count: () => 2 },
    ],
  },
  {
    operation: 'threshold-policy',
    pointer: '/costs/loss',
    next: '50',
    bad: '-2',
    pictures: [
      {
        picture: 'crawlers-by-queue-length',
        marks: 'g[aria-label="rect"] rect',
        count: (_, answer) => rows(answer, 'solution', 'crawlersByQueueLength'),
      },
      {
        picture: 'cost-of-subsets',
        marks: bar,
        count: (_, answer) => Math.min(18, rows(answer, 'subsets') + rows(answer, 'fixedModes')),
      },
    ],
  },
  {
    operation: 'access-frequencies',
    pointer: '/accessTime/rate',
    next: '20',
    bad: '0',
    pictures: [
      { picture: 'frequency', marks: dot, count: (request) => rows(request, 'pages') },
      { picture: 'staleness', marks: dot, count: (request) => rows(request, 'pages') },
    ],
  },
  {
    operation: 'access-sequence',
    pointer: '/accessTime/rate',
    next: '80',
    bad: '',
    pictures: [{ picture: 'methods', marks: bar, count: (_, answer) => rows(answer, 'methods') }],
  },
  {
    operation: 'crawl-allocation',
    pointer: '/crawls',
    next: '15',
    bad: '-3',
    pictures: [
      { picture: 'crawls', marks: dot, count: (request) => rows(request, 'pages') },
      {
        picture: 'baselines',
        marks: bar,
        count: (_, answer) => 1 + Object.keys(Object(at(answer, 'baselines'))).length,
      },
    ],
  },
  {
    operation: 'slot-assignment',
    pointer: '/interval',
    next: '3900',
    bad: '0',
    pictures: [{ picture: 'deviations', marks: 'g[aria-label="rect"] rect', count: () => Number.NaN }],
  },
  {
    operation: 'crawl-schedule',
    pointer: '/interval',
    next: '1.5',
    bad: '0',
    pictures: [
      {
        picture: 'baselines',
        marks: bar,
        // The answer and its times free, proved: no bar of a bound.
        count: (_, answer) => 2 + Object.keys(Object(at(answer, 'baselines'))).length,
      },
    ],
  },
  {
    operation: 'estimates/change-rates',
    pointer: '/confidence',
    next: '0.5',
    bad: '2',
    pictures: [{ picture: 'rates', marks: dot, count: (request) => rows(request, 'pages') }],
  },
  {
    operation: 'estimates/change-signals',
    pointer: '/confidence',
    next: '0.8',
    bad: '2',
    pictures: [
      { picture: 'trust', marks: dot, count: (_, answer) => rows(answer, 'solution', 'hosts') },
      { picture: 'signal-rates', marks: bar, count: (_, answer) => 2 * rows(answer, 'solution', 'hosts') },
    ],
  },
  {
    operation: 'estimates/freshness',
    pointer: '/confidence',
    next: '0.8',
    bad: '2',
    pictures: [{ picture: 'freshness', marks: dot, count: (_, answer) => 1 + rows(answer, 'solution', 'byHost') }],
  },
  {
    operation: 'estimates/host-limits',
    pointer: '/refusals',
    next: '0.1',
    bad: '2',
    pictures: [
      { picture: 'delays', marks: dot, count: (_, answer) => rows(answer, 'solution', 'hosts') },
      { picture: 'requests', marks: bar, count: (_, answer) => 2 * rows(answer, 'solution', 'hosts') },
    ],
  },
  {
    operation: 'estimates/update-process',
    pointer: '/openGap',
    next: '700',
    bad: '-1',
    pictures: [
      { picture: 'candidates', marks: bar, count: (_, answer) => rows(answer, 'solution', 'candidates') },
      {
        picture: 'survival',
        marks: 'g[aria-label="line"] path',
        count: (_, answer) => 1 + Math.min(4, rows(answer, 'solution', 'candidates')),
      },
    ],
  },
  {
    operation: 'estimates/arrival-process',
    pointer: '/batchGap',
    next: '0.1',
    bad: '-1',
    pictures: [
      {
        picture: 'correlations',
        marks: dot,
        count: (_, answer) => 2 * numbers(answer, 'solution', 'observed', 'correlations').length,
      },
      {
        picture: 'batch-sizes',
        marks: 'g[aria-label="rect"] rect',
        count: (_, answer) => rows(answer, 'solution', 'batchSizes'),
      },
    ],
  },
  {
    operation: 'estimates/service-time',
    pointer: '/scale',
    next: '3000',
    bad: '-1',
    pictures: [{ picture: 'survival', marks: 'g[aria-label="line"] path', count: () => 1 }],
  },
  {
    operation: 'estimates/embarrassment-weights',
    pointer: '/clicks/continue',
    next: '0.5',
    bad: '-1',
    pictures: [{ picture: 'weights', marks: bar, count: (request) => rows(request, 'pages') }],
  },
  {
    operation: 'crawl-plan',
    pointer: '/crawls',
    next: '12',
    bad: '-1',
    pictures: [
      { picture: 'fetchInterval', marks: dot, count: (request) => rows(request, 'pages') },
      { picture: 'baselines', marks: bar, count: () => 3 },
      { picture: 'rates', marks: dot, count: (request) => rows(request, 'pages') },
    ],
  },
  {
    operation: 'crawl-price',
    pointer: '/crawls',
    next: '100000',
    bad: '0',
    pictures: [{ picture: 'histogram', marks: dot, count: (request) => rows(request, 'buckets') }],
  },
  {
    operation: 'simulations/queue',
    pointer: '/duration',
    next: '800',
    bad: '-1',
    pictures: [
      {
        picture: 'measures',
        marks: dot,
        // Every mean, and the exact value beside it.
        count: (_, answer) => 2 * Object.keys(Object(at(answer, 'solution', 'measures'))).length,
      },
    ],
  },
];
