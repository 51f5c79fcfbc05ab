/** threshold-policy and simulations/queue through the pipeline: bytes in, answer or problem out. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { simulationsQueue } from '../../src/operations/simulations/queue.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { ask, refusalsOf } from './outcomes.ts';

const example = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8'));
const paper = example('threshold-policy-paper');

const solve = (change: object) => ask(thresholdPolicy, { ...paper, ...change });
const pointers = (operation: Operation, body: object): string[] =>
  refusalsOf(operation, body).map(({ pointer }) => pointer);

describe('threshold-policy', () => {
  it('tells the number of states and the ways out when a chain is too large', () => {
    const { status, body } = solve({
      capacity: 40,
      obsolescence: { type: 'hyperexponential', probabilities: [0.9, 0.1], rates: [3, 0.02] },
    });
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ pointer: '/capacity', code: 'too-many-states' });
    expect(body.detail).toMatch(/has 2199023255552 states.*reduce the capacity to 8.*exponential/);
  });

  it('warns of modes out of order, with a pointer', () => {
    const matrices = [[[-1]], [[1]]];
    const { body } = solve({
      arrivals: {
        model: 'per-mode',
        modes: [
          { crawlers: 1, matrices },
          { crawlers: 2, matrices: [[[-0.5]], [[0.5]]] },
        ],
      },
    });
    const warnings = body.warnings.map(({ code, pointer }: { code: string; pointer: string }) => [code, pointer]);
    expect(warnings).toContainEqual(['modes-out-of-order', '/arrivals/modes/1']);
  });
});

describe('simulations/queue', () => {
  const request = example('simulations-queue-paper');
  const activation = example('simulations-queue-activation');

  it('answers with the names of threshold-policy, each with its interval', () => {
    const { status, body } = ask(simulationsQueue, { ...request, duration: 500 });
    expect(status).toBe(200);
    expect(body.status).toBe('evaluated');
    const names = Object.keys(solve({}).body.solution.measures);
    expect(Object.keys(body.solution.measures).sort()).toEqual(names.sort());
    for (const { mean, interval } of Object.values<{ mean: number; interval: number[] }>(body.solution.measures)) {
      expect(interval[0]).toBeLessThanOrEqual(mean);
      expect(interval[1]).toBeGreaterThanOrEqual(mean);
    }
  });

  it('points at what is missing or belongs to the other queue', () => {
    expect(pointers(simulationsQueue, { capacity: 3, duration: 10 })).toEqual(['/service', '/evaluate']);
    expect(pointers(simulationsQueue, { ...activation, admission: 'partial' })).toEqual(['/admission']);
    expect(pointers(simulationsQueue, { ...activation, evaluate: { targets: [25, 20, 16, 12, 8] } })).toEqual([
      '/evaluate/targets',
    ]);
    expect(pointers(simulationsQueue, { ...activation, evaluate: { targets: [0, 20, 16, 12, 8, 4] } })).toEqual([
      '/evaluate/targets/0',
    ]);
    expect(pointers(simulationsQueue, { ...activation, evaluate: { targets: [25, 26, 16, 12, 8, 4] } })).toEqual([
      '/evaluate/targets/1',
    ]);
    expect(pointers(simulationsQueue, { ...request, evaluate: { thresholds: [1] } })).toEqual(['/evaluate/thresholds']);
    expect(pointers(simulationsQueue, { ...request, duration: 0 })).toEqual(['/duration']);
  });

  it('simulates a number of crawlers that are always active, as threshold-policy and crawler-count measure it', () => {
    const queue = { capacity: 4, crawlerRate: 0.3, service: 1, evaluate: 3 };
    const { body } = ask(simulationsQueue, { ...queue, duration: 20_000, options: { seed: 5 } });
    const exact = ask(thresholdPolicy, { ...queue, crawlers: 3, costs: {} }).body;
    const count = ask(crawlerCount, { ...queue, costs: { starvation: 1 } }).body.evaluation[0];
    const { measures } = exact.evaluation;
    expect(measures.starvationProbability).toBeCloseTo(count.starvationProbability, 12);
    expect(measures.lossProbability).toBeCloseTo(count.lossProbability, 12);
    expect(measures.queueLength).toBeCloseTo(count.meanQueueLength, 11);
    for (const name of ['starvationProbability', 'lossProbability', 'queueLength']) {
      const { mean, interval } = body.solution.measures[name];
      expect(Math.abs(mean - measures[name]), name).toBeLessThan(2 * (interval[1] - interval[0]));
    }
  });
});
