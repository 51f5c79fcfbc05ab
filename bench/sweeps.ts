/**
 * What a sweep of a hundred values costs, beside the request alone: checking, estimating and solving. Correctness first:
 * every tenth row is the answer of its request alone, to the tolerance of the proof.
 */
import { readFileSync } from 'node:fs';
import { activationPolicy } from '../src/operations/activation-policy.ts';
import { crawlerCount } from '../src/operations/crawler-count.ts';
import type { Operation } from '../src/operations/operation.ts';
import { thresholdPolicy } from '../src/operations/threshold-policy.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import type { Benchmark } from './benchmark.ts';

type Body = Record<string, unknown>;

const example = (name: string): Body =>
  JSON.parse(readFileSync(new URL(`../examples/${name}.json`, import.meta.url), 'utf8'));

function answered(operation: Operation, body: Body) {
  const checked = operation.check(body);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  checked.request.work();
  return checked.request.solve(unlimitedBudget());
}

/** A hundred values from one to another, in even steps. */
const hundred = (from: number, to: number): number[] =>
  Array.from({ length: 100 }, (_, i) => from + ((to - from) * i) / 99);

function sweeping(
  name: string,
  operation: Operation,
  body: Body,
  { property, values }: { readonly property: string; readonly values: readonly number[] },
): Benchmark {
  const swept = { ...body, sweep: { parameter: `/${property}`, values } };
  const rowsOf = (answer: unknown): readonly unknown[] => {
    const rows: unknown = Reflect.get(Object(Reflect.get(Object(answer), 'beside')), 'sweep');
    return Array.isArray(rows) ? rows : [];
  };
  const costOf = (answer: unknown): number => Reflect.get(Object(Reflect.get(Object(answer), 'objective')), 'value');
  return {
    name: `sweep, ${name}`,
    target: 'at most 20 times the request alone',
    repetitions: 3,
    check() {
      const rows = rowsOf(answered(operation, swept));
      if (rows.length !== values.length) throw new Error(`${rows.length} rows`);
      for (let i = 0; i < values.length; i += 10) {
        const alone = costOf(answered(operation, { ...body, [property]: values[i] }));
        const found = costOf(rows[i]);
        if (Math.abs(found - alone) > 2e-9 * Math.abs(alone)) throw new Error(`${values[i]}: ${found}, not ${alone}`);
      }
    },
    run: () => void answered(operation, swept),
    baseline: { name: 'the request alone', run: () => void answered(operation, body) },
  };
}

const weights = { property: 'starvationWeight', values: hundred(0.5, 5) };
const capacities = { property: 'capacity', values: Array.from({ length: 100 }, (_, i) => i + 2) };
const queue = { crawlerRate: 0.01, indexingRate: 1, capacity: 15, crawlers: 143, starvationWeight: 2.75 };

export const benchmarks: readonly Benchmark[] = [
  sweeping('weights of crawler-count, hyperexponential', crawlerCount, example('inria-crawler'), weights),
  sweeping('weights of crawler-count, heavy tail', crawlerCount, example('crawler-count-heavy-tail'), weights),
  sweeping('capacities of crawler-count, hyperexponential', crawlerCount, example('inria-crawler'), capacities),
  sweeping('weights of activation-policy, 143 crawlers', activationPolicy, queue, weights),
  sweeping('rates of activation-policy, 143 crawlers', activationPolicy, queue, {
    property: 'crawlerRate',
    values: hundred(0.008, 0.012),
  }),
  sweeping(
    'weights of activation-policy, 1000 crawlers, 100 places',
    activationPolicy,
    { ...queue, crawlerRate: 0.0015, crawlers: 1000, capacity: 100 },
    weights,
  ),
  sweeping('capacities of threshold-policy', thresholdPolicy, example('threshold-policy-paper'), {
    property: 'capacity',
    values: Array.from({ length: 100 }, (_, i) => 2 + (i % 10)),
  }),
];
