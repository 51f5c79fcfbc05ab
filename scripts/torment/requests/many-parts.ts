/**
 * A request of many parts to every operation, so that a time limit has to be shared among them. It has as many
 * crawlers, hosts, values of a sweep, pages or replications as asked for.
 */
import { exampleRequest } from '../../../src/examples.ts';
import { operations } from '../../../src/operations/index.ts';

/** Numbers spread evenly over a range, in no order. */
const spread = (count: number, least: number, most: number): number[] =>
  Array.from({ length: count }, (_, i) => least + (most - least) * ((i * 0.6180339887498949) % 1));

const rows = <Row>(count: number, row: (i: number) => Row): Row[] => Array.from({ length: count }, (_, i) => row(i));

const checks = (count: number): number[][] =>
  spread(count, 10, 100).map((elapsed, k) => [elapsed, k % 3 === 0 ? 1 : 0]);

const lognormal = { type: 'lognormal', mu: -2.5, sigma: 1.1 };
const weibull = { type: 'weibull', shape: 0.7, scale: 2 };
const mostSweepValues = 200;
const mostReplications = 1000;

/** Some of the operation's own example, in which more is changed. */
function example(name: string, index = 0): object {
  const operation = operations.find((each) => each.name === name);
  const chosen = operation?.examples[index];
  if (chosen === undefined) throw new Error(`no example ${index} of ${name}`);
  return Object(exampleRequest(chosen));
}

const sweep = (parts: number, parameter: string, least: number, most: number) => ({
  sweep: { parameter, values: spread(Math.min(parts, mostSweepValues), least, most) },
});

/** A page of every kind of law, every third on a host of its own. */
const changingPages = (parts: number) =>
  rows(5 * parts, (i) => ({
    ...(i % 2 === 0 ? { changeRate: 0.1 + (i % 17) } : { updates: { type: 'renewal', distribution: weibull } }),
    ...(i % 3 === 0 && { host: `h${i % parts}` }),
  }));

/** Rows of a histogram. */
const buckets = (parts: number) =>
  rows(10 * parts, (i) => {
    const ratio = 0.01 + (i % 90) / 10;
    const sums = { pages: 10, changeRate: 20, weight: 20 * ratio, changeRateLogRatio: 20 * Math.log(ratio) };
    return { ...sums, ratioMin: ratio * 0.99, ratioMax: ratio * 1.01 };
  });

const epoch = 1_760_000_000;

const requests: Readonly<Record<string, (parts: number) => object>> = {
  'crawl-plan': (parts) => ({
    now: epoch,
    interval: 86_400,
    crawlers: rows(parts, () => ({ slots: 4 })),
    maxInterval: 8_640_000,
    hosts: rows(parts, (i) => ({ host: `h${i}`, minDelay: 10 + i })),
    pages: rows(5 * parts, (i) => ({
      host: `h${i % parts}`,
      lastCrawl: epoch - 3600 * (1 + (i % 40)),
      checks: checks(8),
    })),
  }),
  'estimates/change-rates': (parts) => ({
    pages: rows(10 * parts, () => ({ checks: checks(30) })),
    prior: 'empirical-bayes',
  }),
  'estimates/freshness': (parts) => ({
    probes: rows(50 * parts, (i) => ({ time: epoch + 10 * i, page: `p${i % (5 * parts)}`, current: i % 3 > 0 })),
  }),
  'estimates/host-limits': (parts) => ({
    hosts: rows(parts, (h) => ({
      host: `h${h}`,
      requests: rows(40, (i) => ({ time: epoch + 2 * i, status: (i + h) % 9 === 0 ? 429 : 200 })),
    })),
  }),
  'estimates/change-signals': (parts) => ({
    pages: rows(10 * parts, (i) => ({
      host: `h${i % parts}`,
      checks: checks(20).map(([elapsed, changed], k) => [elapsed, changed === 1, k % 4 === 0 ? 1 : 0]),
    })),
  }),
  'crawl-allocation': (parts) => ({
    interval: 10,
    crawls: 6 * parts,
    pages: changingPages(parts),
    hosts: rows(parts, (i) => ({ host: `h${i}`, maxCrawls: 1 + (i % 3) })),
    idealTimes: true,
    baselines: true,
  }),
  'crawl-schedule': (parts) => ({
    interval: 10,
    crawlers: rows(parts, () => ({ slots: 4 })),
    pages: changingPages(parts),
    hosts: rows(parts, (i) => ({ host: `h${i}`, minDelay: 1 + (i % 5) })),
  }),
  'slot-assignment': (parts) => ({
    interval: 100,
    crawlers: rows(parts, () => ({ slots: 6 })),
    tasks: rows(5 * parts, (i) => ({
      idealTime: (i * 61.8) % 100,
      weight: 1 + (i % 4),
      ...(i % 2 === 0 && { crawlers: [i % parts, (7 * i) % parts].filter((k, at, all) => all.indexOf(k) === at) }),
    })),
  }),
  'crawl-price': (parts) => ({
    rate: 20 * parts,
    hosts: rows(parts, (i) => ({ host: `h${i}`, maxRate: 10 + i })),
    buckets: buckets(parts).map((bucket, i) => ({ ...bucket, host: `h${i % parts}` })),
    objective: 'delay',
  }),
  'access-frequencies': (parts) => ({
    pages: { changeRate: spread(20 * parts, 0.01, 1) },
    accessTime: lognormal,
    policy: 'deterministic',
    crawlers: Math.max(2, parts),
  }),
  'access-sequence': (parts) => ({
    pages: { changeRate: spread(3 * parts, 0.01, 1) },
    accessTime: lognormal,
    crawlers: Math.max(2, parts),
  }),
  'crawler-count': (parts) => ({
    crawlerRate: 0.4,
    service: lognormal,
    capacity: Math.min(20_000, 20 * parts),
    costs: { starvation: 30, crawler: 0.02 },
    crawlers: 64,
    ...sweep(parts, '/crawlerRate', 0.3, 0.5),
  }),
  'activation-policy': (parts) => ({ ...example('activation-policy'), ...sweep(parts, '/costs/starvation', 0.2, 30) }),
  'threshold-policy': (parts) => ({ ...example('threshold-policy'), ...sweep(parts, '/costs/starvation', 1, 300) }),
  'simulations/queue': (parts) => ({
    ...example('simulations/queue'),
    duration: 2000,
    replications: Math.min(2 + parts, mostReplications),
  }),
  'estimates/update-process': (parts) => ({ gaps: spread(50 * parts, 0.1, 30) }),
  'estimates/arrival-process': (parts) => ({ timestamps: rows(50 * parts, (i) => i + ((i * 0.618) % 1)) }),
  'estimates/service-time': (parts) => ({ sample: spread(100 * parts, 0.1, 9).map((x) => x * x) }),
  'estimates/embarrassment-weights': (parts) => ({
    clicks: { zipf: 0.2, continue: 0.8, positions: 10, pages: 4 },
    pages: rows(parts, (i) => ({
      impressions: rows(10, (j) => rows(4, (k) => ((i + j + k) % 10 === 0 ? 1 / parts : 0))),
      errorProbability: 0.3,
    })),
  }),
};

/** How few crawls will do, and what crawls buy. */
const targeted: Readonly<Record<string, (parts: number) => object>> = {
  'crawl-plan': (parts) => ({
    now: epoch,
    interval: 86_400,
    target: { freshness: 0.6 },
    pages: rows(2 * parts, (i) => ({ changeRate: (1 + (i % 40)) / 864_000 })),
  }),
  'crawl-allocation': (parts) => ({
    interval: 10,
    target: { freshness: 0.6 },
    curve: true,
    pages: changingPages(parts),
  }),
  'access-frequencies': (parts) => ({
    pages: rows(10 * parts, (i) => ({ changeRate: 0.01 + 0.05 * (i % 20) })),
    accessTime: lognormal,
    policy: 'deterministic',
    target: { freshness: 0.6 },
    curve: true,
  }),
  'crawl-price': (parts) => ({
    target: { freshness: 0.6 },
    buckets: buckets(parts),
  }),
};

/** Requests of so many parts to every operation, and a target to those that take one. */
export function requestsOfManyParts(parts: number): { readonly operation: string; readonly body: object }[] {
  const several = operations.map(({ name }) => {
    const request = requests[name];
    if (request === undefined) throw new Error(`no request of many parts to ${name}`);
    return { operation: name, body: request(parts) };
  });
  return [...several, ...Object.entries(targeted).map(([operation, of]) => ({ operation, body: of(parts) }))];
}
