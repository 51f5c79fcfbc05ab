/**
 * What a sweep of a hundred values costs, beside the request alone: from the bytes of a body to those of its answer, as
 * a worker runs them, and solving alone. Correctness first: every tenth row is the answer of its request alone, to the
 * tolerance of the proof.
 */
import { readFileSync } from 'node:fs';
import { readConfig } from '../src/config.ts';
import { now } from '../src/dispatch/clock.ts';
import { prepare, run } from '../src/dispatch/pipeline.ts';
import { activationPolicy } from '../src/operations/activation-policy.ts';
import { crawlerCount } from '../src/operations/crawler-count.ts';
import type { Operation } from '../src/operations/operation.ts';
import { thresholdPolicy } from '../src/operations/threshold-policy.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import type { Benchmark } from './benchmark.ts';

type Body = Record<string, unknown>;

const example = (name: string): Body => {
  const { sweep: _, ...body } = JSON.parse(readFileSync(new URL(`../examples/${name}.json`, import.meta.url), 'utf8'));
  return body;
};

function checked(operation: Operation, body: Body) {
  const outcome = operation.check(body);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.request;
}

const answered = (operation: Operation, body: Body) => checked(operation, body).solve(unlimitedBudget());

/** A body's text to that of its answer. */
function throughPipeline(operation: Operation, text: string): string {
  const ready = prepare(operation, text, readConfig({}));
  const outcome = ready.kind === 'ready' ? run(ready, unlimitedBudget(), now) : ready;
  if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
  return outcome.json;
}

/** Processor time of some work in milliseconds, the least of a few runs. */
function processorMs(work: () => void, repetitions: number): number {
  const times = Array.from({ length: repetitions }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const times = (one: number, all: number): string =>
  `${one.toPrecision(3)} and ${all.toPrecision(3)} ms of the processor, ${(all / one).toPrecision(3)} times`;

/** A body with another value at the end of a pointer. */
function changed(body: Body, pointer: string, value: number): Body {
  const copy = structuredClone(body);
  const steps = pointer.slice(1).split('/');
  const last = steps.pop() ?? '';
  let inner: unknown = copy;
  for (const step of steps) inner = Reflect.get(Object(inner), step);
  Reflect.set(Object(inner), last, value);
  return copy;
}

/** A hundred values from one to another, in even steps. */
const hundred = (from: number, to: number): number[] =>
  Array.from({ length: 100 }, (_, i) => from + ((to - from) * i) / 99);

interface Swept {
  readonly parameter: string;
  readonly values: readonly number[];
  /** The value of the request alone; as it stands where left out. */
  readonly alone?: number;
  readonly repetitions?: number;
}

function sweeping(
  name: string,
  operation: Operation,
  given: Body,
  { parameter, values, alone, repetitions = 3 }: Swept,
): Benchmark {
  const body = alone === undefined ? given : changed(given, parameter, alone);
  const swept = { ...body, sweep: { parameter, values } };
  const [one, all] = [JSON.stringify(body), JSON.stringify(swept)];
  const rowsOf = (answer: unknown): readonly unknown[] => {
    const rows: unknown = Reflect.get(Object(Reflect.get(Object(answer), 'beside')), 'sweep');
    return Array.isArray(rows) ? rows : [];
  };
  const costOf = (answer: unknown): number => Reflect.get(Object(Reflect.get(Object(answer), 'objective')), 'value');
  return {
    name: `sweep, ${name}`,
    target: 'at most 20 times the request alone',
    repetitions,
    check() {
      const rows = rowsOf(answered(operation, swept));
      if (rows.length !== values.length) throw new Error(`${rows.length} rows`);
      for (let i = 0; i < values.length; i += 10) {
        const expected = costOf(answered(operation, changed(body, parameter, values[i])));
        const found = costOf(rows[i]);
        if (Math.abs(found - expected) > 2e-9 * Math.abs(expected)) {
          throw new Error(`${values[i]}: ${found}, not ${expected}`);
        }
      }
    },
    run: () => void throughPipeline(operation, all),
    baseline: { name: 'the request alone', run: () => void throughPipeline(operation, one) },
    figures() {
      const through = (text: string) => processorMs(() => void throughPipeline(operation, text), repetitions);
      const solving = (request: Body) => {
        const ready = checked(operation, request);
        return processorMs(() => void ready.solve(unlimitedBudget()), repetitions);
      };
      for (let i = 0; i < 5; i++) through(one);
      return {
        'bytes to bytes, alone and a hundred': times(through(one), through(all)),
        'solving, alone and a hundred': times(solving(body), solving(swept)),
      };
    },
  };
}

const weights = { parameter: '/starvationWeight', values: hundred(0.5, 5) };
const capacities = { parameter: '/capacity', values: Array.from({ length: 100 }, (_, i) => i + 2), alone: 101 };
const queue = { crawlerRate: 0.01, indexingRate: 1, capacity: 15, crawlers: 143, starvationWeight: 2.75 };
const starvation = { parameter: '/costs/starvation', values: hundred(150, 450) };
const paper = example('threshold-policy-paper');
const seeing = { ...example('threshold-policy-real-data'), observe: 'phases', capacity: 30 };

export const benchmarks: readonly Benchmark[] = [
  sweeping('weights of crawler-count, exponential', crawlerCount, example('crawler-count-figure-1.2'), weights),
  sweeping('weights of crawler-count, hyperexponential', crawlerCount, example('inria-crawler'), weights),
  sweeping('weights of crawler-count, heavy tail', crawlerCount, example('crawler-count-heavy-tail'), weights),
  sweeping('capacities of crawler-count, hyperexponential', crawlerCount, example('inria-crawler'), capacities),
  sweeping('capacities of crawler-count, heavy tail', crawlerCount, example('crawler-count-heavy-tail'), capacities),
  sweeping('rates of crawler-count, heavy tail', crawlerCount, example('crawler-count-heavy-tail'), {
    parameter: '/crawlerRate',
    values: hundred(0.01, 0.03),
    alone: 0.02,
  }),
  sweeping('weights of activation-policy, 143 crawlers', activationPolicy, queue, weights),
  sweeping('rates of activation-policy, 143 crawlers', activationPolicy, queue, {
    parameter: '/crawlerRate',
    values: hundred(0.008, 0.012),
  }),
  sweeping(
    'weights of activation-policy, 1000 crawlers, 100 places',
    activationPolicy,
    { ...queue, crawlerRate: 0.0015, crawlers: 1000, capacity: 100 },
    { ...weights, repetitions: 1 },
  ),
  sweeping('prices of threshold-policy', thresholdPolicy, paper, starvation),
  sweeping('capacities of threshold-policy', thresholdPolicy, paper, {
    parameter: '/capacity',
    values: Array.from({ length: 100 }, (_, i) => 2 + (i % 10)),
    alone: 11,
  }),
  sweeping('rates of threshold-policy', thresholdPolicy, paper, {
    parameter: '/service/generator/0/0',
    values: hundred(-3.5, -2.6),
  }),
  sweeping('prices with phases in sight', thresholdPolicy, { ...paper, observe: 'phases' }, starvation),
  sweeping(
    'rates with phases in sight',
    thresholdPolicy,
    { ...paper, observe: 'phases' },
    {
      parameter: '/service/generator/0/0',
      values: hundred(-3.5, -2.6),
    },
  ),
  sweeping('prices with phases in sight, real data, 30 places', thresholdPolicy, seeing, starvation),
  sweeping('prices under random pick-up', thresholdPolicy, { ...paper, discipline: 'random' }, starvation),
];
