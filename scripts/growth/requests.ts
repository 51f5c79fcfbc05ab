/**
 * Requests of any size to every operation: pages at random rates, logs of checks, queues of any capacity. Beside pages,
 * crawls, phases, crawlers and events grow where an operation has them.
 */
import type { Random } from '../../src/solvers/numerics/random/random.ts';

const now = 1_760_000_000;
const day = 86_400;

/** What grows: how it is counted, sizes a factor of ten apart, and a request of a size. */
export interface Growth {
  readonly counted: string;
  readonly sizes: readonly number[];
  readonly request: (size: number, random: Random) => object;
}

/** How an operation grows, and by what else. */
export interface Growing extends Growth {
  readonly operation: string;
  readonly also?: readonly Growth[];
}

const many = <T>(size: number, of: (i: number) => T): T[] => Array.from({ length: size }, (_, i) => of(i));

/** Lognormal about a value. */
function spread(random: Random, middle: number): number {
  return middle * Math.exp(3 * (random() + random() + random() - 1.5));
}

const pagesOf = (size: number, random: Random, rate: number) =>
  many(size, (i) => ({ id: `page-${i}`, changeRate: spread(random, rate), weight: spread(random, 1) }));

/** Checks a day or two apart of a page that changes at a rate. */
const checksOf = (random: Random, count: number, rate: number): [number, number][] =>
  many(count, () => {
    const gap = Math.round((0.2 + 2 * random()) * day);
    return [gap, random() < -Math.expm1(-rate * gap) ? 1 : 0];
  });

const checkedPages = (size: number, random: Random) =>
  many(size, (i) => ({
    id: `page-${i}`,
    lastCrawl: Math.round(now - 2 * day * random()),
    checks: checksOf(random, 30, spread(random, 0.3 / day)),
  }));

/** Times of a Poisson process. */
function arrivals(size: number, random: Random, rate: number): number[] {
  let time = 0;
  return many(size, () => {
    time -= Math.log1p(-random()) / rate;
    return time;
  });
}

const queue = (capacity: number) => ({
  capacity,
  arrivals: {
    model: 'scaled',
    matrices: [
      [
        [-3, 1],
        [0.5, -1],
      ],
      [
        [1.5, 0.5],
        [0.25, 0.25],
      ],
    ],
    factors: [1, 2, 3],
  },
  service: { type: 'erlang', shape: 2, rate: 8 },
  obsolescence: { type: 'exponential', rate: 0.1 },
});

const crawlers = (pages: number) => [{ slots: Math.ceil(2.5 * pages) }, { slots: Math.floor(2.5 * pages) }];

export const growing: readonly Growing[] = [
  {
    operation: 'crawl-plan',
    counted: 'pages of 30 checks',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({ now, interval: day, crawls: size / 2, pages: checkedPages(size, random) }),
    also: [
      {
        counted: 'crawls',
        sizes: [1e3, 1e4, 1e5, 1e6],
        request: (size, random) => ({ now, interval: day, crawls: size, pages: checkedPages(1e3, random) }),
      },
    ],
  },
  {
    operation: 'estimates/change-rates',
    counted: 'pages of 30 checks',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({ pages: checkedPages(size, random).map(({ id, checks }) => ({ id, checks })) }),
  },
  {
    operation: 'estimates/change-signals',
    counted: 'pages of 30 checks',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size, random) => ({
      pages: many(size, () => ({
        checks: checksOf(random, 30, 0.3 / day).map(([gap, changed]) => [
          gap,
          changed === 1,
          Number(changed === 1 ? random() < 0.7 : random() < 0.1),
        ]),
      })),
    }),
  },
  {
    operation: 'estimates/freshness',
    counted: 'probes',
    sizes: [1e3, 1e4, 1e5, 1e6],
    request: (size, random) => ({
      probes: {
        time: arrivals(size, random, 0.01).map((time) => now + time),
        page: many(size, (i) => `page-${i % 1000}`),
        current: many(size, () => random() < 0.8),
      },
    }),
  },
  {
    operation: 'estimates/host-limits',
    counted: 'requests',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({
      refusals: 0.05,
      hosts: [
        {
          host: 'a.example',
          requests: arrivals(size, random, 1).map((time) => ({ time: now + time, status: random() < 0.2 ? 429 : 200 })),
        },
      ],
    }),
  },
  {
    operation: 'crawl-allocation',
    counted: 'pages',
    sizes: [1e3, 1e4, 1e5, 1e6],
    request: (size, random) => ({ interval: 1, crawls: 5 * size, pages: pagesOf(size, random, 3) }),
    also: [
      {
        counted: 'crawls',
        sizes: [1e3, 1e4, 1e5, 1e6],
        request: (size, random) => ({ interval: 1, crawls: size, pages: pagesOf(1e3, random, 3) }),
      },
    ],
  },
  {
    operation: 'crawl-schedule',
    counted: 'pages, 5 crawls each',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size, random) => ({ interval: 1, crawlers: crawlers(size), pages: pagesOf(size, random, 3) }),
    also: [
      {
        counted: 'crawls',
        sizes: [1e2, 1e3, 1e4, 1e5],
        request: (size, random) => ({ interval: 1, crawlers: [{ slots: size }], pages: pagesOf(100, random, 3) }),
      },
    ],
  },
  {
    operation: 'slot-assignment',
    counted: 'tasks',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({
      interval: 3600,
      crawlers: [{ slots: size }, { slots: Math.ceil(size / 2) }],
      tasks: many(size, () => ({ idealTime: 3600 * random(), weight: spread(random, 1) })),
    }),
  },
  {
    operation: 'crawl-price',
    counted: 'buckets',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size, random) => ({
      crawls: 1000 * size,
      interval: 1,
      buckets: many(size, (i) => {
        const ratio = Math.exp((10 * i) / size - 5);
        const changeRate = spread(random, 1000);
        const sums = { pages: 1000, changeRate, weight: changeRate * ratio };
        return { ...sums, changeRateLogRatio: changeRate * Math.log(ratio), ratioMin: ratio, ratioMax: ratio };
      }),
    }),
  },
  {
    operation: 'access-frequencies',
    counted: 'pages',
    sizes: [1e3, 1e4, 1e5, 1e6],
    request: (size, random) => ({
      pages: pagesOf(size, random, 1),
      accessTime: { type: 'deterministic', value: 0.5 / size },
      policy: 'deterministic',
    }),
  },
  {
    operation: 'access-sequence',
    counted: 'pages',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size, random) => ({
      pages: pagesOf(size, random, 1),
      accessTime: { type: 'deterministic', value: 0.5 / size },
    }),
  },
  {
    operation: 'crawler-count',
    counted: 'places in the queue',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size) => ({
      capacity: size,
      crawlerRate: 0.01,
      service: { type: 'erlang', shape: 2, rate: 2 },
      costs: { starvation: 0.1 },
    }),
    also: [
      {
        counted: 'phases',
        sizes: [1, 10, 1e2, 1e3],
        request: (size) => ({
          capacity: 100,
          crawlerRate: 0.01,
          service: { type: 'erlang', shape: size, rate: size },
          costs: { starvation: 0.1 },
        }),
      },
    ],
  },
  {
    operation: 'activation-policy',
    counted: 'places',
    sizes: [1, 10, 1e2, 1e3],
    request: (size) => ({
      capacity: size,
      crawlerRate: 0.2,
      service: 1,
      costs: { starvation: 1.4 },
      crawlers: 10,
    }),
    also: [
      {
        counted: 'crawlers',
        sizes: [1, 10, 1e2, 1e3],
        request: (size) => ({
          capacity: 10,
          crawlerRate: 2 / size,
          service: 1,
          costs: { starvation: 1.4 },
          crawlers: size,
        }),
      },
    ],
  },
  {
    operation: 'threshold-policy',
    counted: 'places in the queue',
    sizes: [2, 20, 200, 2000],
    request: (size) => ({ ...queue(size), costs: { loss: 10, obsolescence: 10, crawler: 1, starvation: 5 } }),
    also: [
      {
        counted: 'phases',
        sizes: [1, 10, 1e2],
        request: (size) => ({
          ...queue(20),
          service: { type: 'erlang', shape: size, rate: 4 * size },
          costs: { loss: 10, obsolescence: 10, crawler: 1, starvation: 5 },
        }),
      },
    ],
  },
  {
    operation: 'simulations/queue',
    counted: 'places in the queue',
    sizes: [2, 20, 200, 2000],
    request: (size) => ({
      ...queue(size),
      evaluate: { crawlersByQueueLength: many(size + 1, (i) => (i < 2 ? 3 : 1)) },
      duration: 10_000,
    }),
    also: [
      {
        counted: 'events',
        sizes: [1e3, 1e4, 1e5, 1e6],
        request: (size) => ({
          ...queue(20),
          evaluate: { crawlersByQueueLength: many(21, (i) => (i < 2 ? 3 : 1)) },
          duration: size,
        }),
      },
    ],
  },
  {
    operation: 'estimates/update-process',
    counted: 'gaps',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({ gaps: many(size, () => spread(random, 1)) }),
  },
  {
    operation: 'estimates/arrival-process',
    counted: 'timestamps',
    sizes: [1e2, 1e3, 1e4, 1e5],
    request: (size, random) => ({ timestamps: arrivals(size, random, 1) }),
  },
  {
    operation: 'estimates/service-time',
    counted: 'times',
    sizes: [1e3, 1e4, 1e5, 1e6],
    request: (size, random) => ({ sample: many(size, () => spread(random, 1)) }),
  },
  {
    operation: 'estimates/embarrassment-weights',
    counted: 'pages',
    sizes: [10, 1e2, 1e3, 1e4],
    request: (size, random) => ({
      clicks: { zipf: 1, continue: 0.8, positions: 10, pages: 3 },
      pages: many(size, (i) => ({
        id: `page-${i}`,
        impressions: many(10, () => many(3, () => random() / size)),
        errorProbability: random(),
      })),
    }),
  },
];
