/**
 * The papers' curves as `sweep` answers them. The points of Figure 1.2 of Liu & Nain (2006) are not printed: they are
 * held by what the text proves of them and by the M/M/1/K queue summed up share by share (Figures 1.3 and 1.4 are
 * Proposition 3, beside Table 1.1). The dense queue of the tests, in which pages leave first in, first out, holds Figure
 * 1 of Avrachenkov et al. (2012); Figures 2 to 4 stand with its tables.
 */
import { describe, expect, it } from 'vitest';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import type { QueueDescription } from '../../src/solvers/queue/queue.ts';
import { requireDefined } from '../require-defined.ts';
import { example, exampleCosts } from '../solvers/threshold-policy/cases.ts';
import { naiveMeasures } from '../solvers/threshold-policy/naive-queue.ts';

interface Row {
  readonly value: number;
  readonly objective: { readonly value: number };
  readonly solution: { readonly crawlers: number; readonly continuous: { readonly offeredLoad: number } };
}

/** The rows of a sweep, as the wire has them. */
function sweep(operation: Operation, body: object, parameter: string, values: readonly number[]): Row[] {
  const result = operation.check({ ...body, sweep: { parameter, values } });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  const answer = JSON.parse(JSON.stringify(result.request.solve(unlimitedBudget())));
  return requireDefined(answer.supplement.sweep);
}

/** C(ρ) of the M/M/1/K queue with μ = 1. */
function plainCost(load: number, gamma: number, capacity: number): number {
  const shares = Array.from({ length: capacity + 1 }, (_, i) => load ** i);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return (gamma * shares[0] + load * shares[capacity]) / total;
}

const queue = (crawlerRate: number, capacity: number, starvation: number) => ({
  crawlerRate,
  service: 1,
  capacity,
  costs: { starvation },
});

describe('Figure 1.2 of Liu & Nain: γ → N(γ, K) for 1/λ = .6, μ = 1', () => {
  const [few, some, many] = [100, 150, 200];
  it.each([
    [2, few],
    [5, some],
    [10, many],
  ])('rises by steps of one crawler at a time, each the best of all counts (K = %i)', (capacity, length) => {
    const gammas = Array.from({ length }, (_, i) => 0.25 * 1.1 ** i);
    const rows = sweep(crawlerCount, queue(1 / 0.6, capacity, 1), '/costs/starvation', gammas);
    for (const [i, { value, solution, objective }] of rows.entries()) {
      const costs = Array.from({ length: 30 }, (_, n) => plainCost((n + 1) / 0.6, value, capacity));
      expect(objective.value).toBeCloseTo(Math.min(...costs), 10);
      const rise = i === 0 ? 0 : solution.crawlers - rows[i - 1].solution.crawlers;
      expect([0, 1]).toContain(rise);
    }
    const [first, last] = [rows[0], requireDefined(rows.at(-1))].map(({ solution }) => solution.crawlers);
    expect(first).toBe(1);
    expect(last).toBeGreaterThan(2);
  });
});

const thresholds = [-1, 0, 1, 2, 3, 4, 5];

/** The cost at every threshold between two modes: as a sweep, and by the dense queue of the tests. */
function curves(low: number, high: number, changes: Partial<QueueDescription> = {}) {
  const { service, obsolescence, ...rest } = { ...example(), ...changes };
  const body = {
    ...rest,
    service: { type: 'phase-type', ...service },
    obsolescence: { type: 'phase-type', ...obsolescence },
    modes: [low, high],
    costs: exampleCosts,
    evaluate: { thresholds: [0] },
  };
  const rows = sweep(thresholdPolicy, body, '/evaluate/thresholds/0', thresholds);
  const { loss, obsolescence: expiry, response, crawler, starvation } = exampleCosts;
  const dense = thresholds.map((threshold) => {
    const policy = Array.from({ length: 6 }, (_, level) => (level <= threshold ? high : low));
    const m = naiveMeasures({ ...example(), ...changes }, policy);
    return (
      m.arrivalRate * (loss * m.lossProbability + expiry * m.obsolescenceProbability) +
      response * m.responseTime +
      crawler * m.activeCrawlers +
      starvation * m.starvationProbability
    );
  });
  return { swept: rows.map(({ objective }) => objective.value), dense };
}

/** Where a curve is least. */
const best = (costs: readonly number[]): number => thresholds[costs.indexOf(Math.min(...costs))];

/** A sweep is its dense curve, least where it should be; returns its least cost. */
function checkCurve({ swept, dense }: ReturnType<typeof curves>, threshold: number): number {
  for (const [i, cost] of swept.entries()) expect(cost / dense[i]).toBeCloseTo(1, 9);
  expect(best(swept)).toBe(threshold);
  return Math.min(...swept);
}

const exponentialExpiry = { initial: [1], generator: [[-0.2]] };

describe('Figure 1 of Avrachenkov et al.: the cost by the threshold', () => {
  it.each<[number, number]>([
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
  ])('between %i crawlers and %i is that of the dense queue (Figure 1)', (low, high) => {
    const { swept, dense } = curves(low, high, { obsolescence: exponentialExpiry });
    const minCost = checkCurve({ swept, dense }, best(dense));
    // One and three crawlers are the cheapest pair, at threshold 2 (Table 1).
    expect(minCost).toBeGreaterThanOrEqual(63.54254769 - 1e-7);
    if (low === 1 && high === 3) expect([best(swept), Math.abs(minCost - 63.54254769) < 1e-7]).toEqual([2, true]);
  });
});
