/**
 * Operations that have no peer to run beside, at the sizes their users have: a call in this process, from the check of
 * the request to the answer. Each answer is verified before it is timed.
 */
import { verify } from '../src/certificates/verify.ts';
import { operationFunction } from '../src/library.ts';
import { operations } from '../src/operations/index.ts';
import { exampleRequest } from '../src/package.ts';
import { sequencingMethods } from '../src/solvers/access-sequence/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { Benchmark } from './benchmark.ts';

interface Case {
  readonly operation: string;
  readonly what: string;
  readonly target?: string;
  /** Makes the request; called when the case runs, since some requests are large. */
  readonly request: () => object;
  /** Expected status (default optimal). */
  readonly status?: string;
  readonly repetitions?: number;
}

interface Answer {
  readonly status: string;
  readonly objective?: { readonly value: number; readonly gap: number | null };
  readonly statistics?: Readonly<Record<string, number | string>>;
}

function benchmark({ operation: name, what, target, request, status = 'optimal', repetitions = 3 }: Case): Benchmark {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const call = operationFunction(operation);
  let body: object = {};
  let answer: Answer = { status: 'none' };
  const solve = (): void => {
    answer = call(body) as Answer;
  };
  return {
    name: `${name}, ${what}`,
    ...(target !== undefined && { target }),
    repetitions,
    check() {
      body = request();
      solve();
      const { faults } = verify(name, body, answer);
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '));
      if (answer.status !== status) throw new Error(`${name}, ${what}: ${answer.status}`);
    },
    run: solve,
    figures() {
      const { objective, statistics } = answer;
      body = {};
      const { version: _version, queueMs: _queue, solveMs: _solve, ...counts } = statistics ?? {};
      return { ...(objective && { value: objective.value, gap: objective.gap ?? 'none' }), ...counts };
    },
  };
}

const day = 86_400;
const example = (name: string): object => Object(exampleRequest({ name, summary: '' }));
const column = (count: number, draw: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => draw(i));

/** Number of changes found by 30 checks of each page. */
function checkedPages(count: number, elapsed: (random: () => number) => number) {
  const random = seededRandom(1);
  return Array.from({ length: count }, () => {
    const rate = Math.exp(6 * random() - 5);
    return {
      checks: Array.from({ length: 30 }, () => {
        const time = elapsed(random);
        return [time * day, random() < -Math.expm1(-rate * time)];
      }),
    };
  });
}

function accessPages(count: number) {
  const random = seededRandom(1);
  const changeRate = column(count, () => Math.exp(4 * random() - 2));
  return { changeRate, weight: changeRate.map((rate) => rate * Math.exp(2 * random() - 1)) };
}

const accessTimes = [
  { type: 'exponential', rate: 1e6 },
  { type: 'deterministic', value: 1e-6 },
  { type: 'gamma', shape: 2, rate: 2e6 },
];

const serviceTimes: readonly (readonly [name: string, law: object])[] = [
  ['deterministic', { type: 'deterministic', value: 1 }],
  ['gamma .3', { type: 'gamma', shape: 0.3, rate: 0.3 }],
  ['hyperexponential', { type: 'hyperexponential', probabilities: [0.0057, 0.9943], rates: [0.0115, 1.9758] }],
  ['lognormal', { type: 'lognormal', mu: -0.72, sigma: 1.2 }],
  ['Pareto 1.2', { type: 'pareto', shape: 1.2, scale: 1 / 6 }],
  ['empirical, 10,000 values', { type: 'empirical', values: column(10_000, (i) => ((i * 7919) % 10_000) / 5000) }],
];

const activation = (crawlers: number, capacity: number, crawlerRate: number, starvation: number): object => ({
  crawlers,
  capacity,
  crawlerRate,
  service: 1,
  costs: { starvation },
});

const cases: readonly Case[] = [
  ...[
    ['N = 143, K = 15', 'under 2 ms', 200, activation(143, 15, 0.01, 17 / 15)] as const,
    ['N = 1000, K = 100', 'under 0.2 s warm', 7, activation(1000, 100, 0.0015, 1)] as const,
    ['N = 10,000, K = 200', 'under 4 s', 3, activation(10_000, 200, 0.00015, 1)] as const,
  ].map(([what, target, repetitions, body]) => {
    return { operation: 'activation-policy', what, target, repetitions, request: () => body };
  }),
  {
    operation: 'crawler-count',
    what: 'K = 1e9, exponential',
    target: 'under 1 ms',
    request: () => ({ crawlerRate: 1e-6, service: 1, capacity: 1e9, costs: { starvation: 2 } }),
  },
  ...serviceTimes.map(([law, service]) => ({
    operation: 'crawler-count',
    what: `K = 5,000, ${law}, about 100 crawlers`,
    target: 'under 500 ms',
    request: () => ({ crawlerRate: 0.01, service, capacity: 5000, costs: { starvation: 2 } }),
  })),
  ...[
    ['paper, K = 30', 'under 100 ms', 'paper', { capacity: 30 }] as const,
    ['paper, K = 100', 'under 1 s', 'paper', { capacity: 100 }] as const,
    ['real data, 4 modes, K = 200', 'under 1 s', 'real-data', { capacity: 200 }] as const,
    ['reneging of two phases, K = 5', 'under 300 ms', 'phases', {}] as const,
  ].map(([what, target, name, change]) => {
    const request = (): object => ({ ...example(`threshold-policy-${name}`), ...change });
    return { operation: 'threshold-policy', what, target, request };
  }),
  {
    operation: 'simulations/queue',
    what: 'a million pages of the paper’s example',
    target: 'under 3 s',
    status: 'evaluated',
    request: () => ({ ...example('simulations-queue-paper'), duration: 42_000 }),
  },
  ...accessTimes.map((accessTime) => ({
    operation: 'access-frequencies',
    what: `1e6 pages, ${accessTime.type} access times`,
    target: 'under 0.5 s and the check',
    request: () => ({ pages: accessPages(1e6), accessTime, policy: 'deterministic' }),
  })),
  ...['auto', ...sequencingMethods].map((method) => ({
    operation: 'access-sequence',
    what: `1e5 pages, cycle 1e6, ${method}`,
    target: 'under 3 s',
    status: 'feasible',
    request: () => ({
      pages: accessPages(1e5),
      accessTime: { type: 'exponential', rate: 1e5 },
      method,
      cycleLength: 1e6,
    }),
  })),
  ...[5e5, 7.5e5].map((slots) => ({
    operation: 'crawl-schedule',
    what: `1e5 Poisson pages, 5e5 crawls, ${slots} slots`,
    target: 'under 3 s, gap under 1%',
    status: 'feasible',
    request() {
      const random = seededRandom(1);
      const [changeRate, lastCrawlAge] = [() => 4 * random() + 0.1, () => random() / 5].map((of) => column(1e5, of));
      const crawlers = new Array<object>(10).fill({ slots: slots / 10 });
      return { interval: 1, crawls: 5e5, crawlers, pages: { changeRate, lastCrawlAge } };
    },
  })),
  {
    operation: 'crawl-plan',
    what: '1e5 pages of 30 checks, 5e4 crawls',
    status: 'feasible',
    request() {
      const random = seededRandom(2);
      const now = 1_760_000_000;
      const pages = checkedPages(1e5, (draw) => 0.2 + 2 * draw()).map((page) => ({
        ...page,
        lastCrawl: Math.round(now - random() * 2 * day),
      }));
      return { now, interval: day, crawls: 5e4, pages };
    },
  },
  ...[
    ['regular checks, maximum likelihood', 1, {}] as const,
    ['irregular checks, maximum likelihood', 0, {}] as const,
    ['irregular checks, bias-reduced', 0, { method: 'bias-reduced' }] as const,
    ['irregular checks, empirical Bayes', 0, { prior: 'empirical-bayes' }] as const,
  ].map(([what, regular, options]) => ({
    operation: 'estimates/change-rates',
    what: `1e5 pages of 30 checks, with intervals: ${what}`,
    target: 'under 0.5 s and the check',
    status: 'evaluated',
    request: () => ({ pages: checkedPages(1e5, (draw) => (regular === 1 ? 1 : 0.2 + 2 * draw())), ...options }),
  })),
];

export const benchmarks: readonly Benchmark[] = cases.map(benchmark);
