/**
 * The papers' curves as `sweep` answers them: Figures 1.2 to 1.4 of Liu & Nain (2006), whose points are not printed, by
 * what the text proves of them and by the M/M/1/K queue summed up share by share; Figure 1 of Avrachenkov et al. (2012) by
 * the dense queue of the tests. (Its Figures 2 to 4 are in avrachenkov-2012-threshold-policy.test.ts.)
 */
import { describe, expect, it } from 'vitest';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { defined } from '../defined.ts';
import { example, exampleCosts } from '../solvers/threshold-policy/cases.ts';
import { naiveMeasures } from '../solvers/threshold-policy/naive-queue.ts';

interface Row {
  readonly value: number;
  readonly objective: { readonly value: number };
  readonly solution: { readonly crawlers: number; readonly continuous: { readonly offeredLoad: number } };
}

/** The rows of a sweep, as the wire has them. */
function sweep(operation: Operation, body: object, parameter: string, values: readonly number[]): Row[] {
  const checked = operation.check({ ...body, sweep: { parameter, values } });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  const answer = JSON.parse(JSON.stringify(checked.request.solve(unlimitedBudget())));
  return defined(answer.beside.sweep);
}

/** C(ρ) of the M/M/1/K queue with μ = 1. */
function plainCost(load: number, gamma: number, capacity: number): number {
  const shares = Array.from({ length: capacity + 1 }, (_, i) => load ** i);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return (gamma * shares[0] + load * shares[capacity]) / total;
}

const queue = (crawlerRate: number, capacity: number, starvationWeight: number) => ({
  crawlerRate,
  indexing: { type: 'exponential', rate: 1 },
  capacity,
  starvationWeight,
});

describe('Figure 1.2 of Liu & Nain: γ → N(γ, K) for 1/λ = .6, μ = 1', () => {
  it.each([2, 5, 10])('rises by steps of one crawler at a time, each the best of all counts (K = %i)', (capacity) => {
    const gammas = Array.from({ length: 60 }, (_, i) => 0.25 * (i + 1));
    const rows = sweep(crawlerCount, queue(1 / 0.6, capacity, 1), '/starvationWeight', gammas);
    for (const [i, { value, solution, objective }] of rows.entries()) {
      const costs = Array.from({ length: 30 }, (_, n) => plainCost((n + 1) / 0.6, value, capacity));
      expect(objective.value).toBeCloseTo(Math.min(...costs), 10);
      expect(solution.crawlers - (i === 0 ? 1 : rows[i - 1].solution.crawlers)).toBeGreaterThanOrEqual(0);
    }
    expect(defined(rows.at(-1)).solution.crawlers).toBeGreaterThan(rows[0].solution.crawlers - 1);
  });
});

describe('Figures 1.3 and 1.4 of Liu & Nain: K → ρ(γ, K), μ = 1', () => {
  const capacities = Array.from({ length: 100 }, (_, i) => i + 2);
  const loads = (gamma: number): number[] =>
    sweep(crawlerCount, queue(0.01, 2, gamma), '/capacity', capacities).map(
      ({ solution }) => solution.continuous.offeredLoad,
    );

  it('never falls for γ = .5 < μ, and stays below 1 (Proposition 3a)', () => {
    const curve = loads(0.5);
    for (const [i, load] of curve.entries()) {
      expect(load).toBeLessThan(1);
      if (i > 0) expect(load).toBeGreaterThanOrEqual(curve[i - 1]);
      const [here, near, far] = [load, load * 1.001, load * 0.999].map((x) => plainCost(x, 0.5, capacities[i]));
      expect(here).toBeLessThanOrEqual(Math.min(near, far));
    }
  });

  it.each([2, 1.2, 1.1])(
    'rises to a top about ⌊2μ/(γ − μ)⌋ at the earliest and falls towards 1 for γ = %d > μ (Proposition 3b, corrected)',
    (gamma) => {
      const curve = loads(gamma);
      const top = curve.indexOf(Math.max(...curve));
      expect(capacities[top]).toBeGreaterThanOrEqual(2 / (gamma - 1) - 1);
      for (let i = 1; i < curve.length; i++) {
        if (i <= top) expect(curve[i]).toBeGreaterThanOrEqual(curve[i - 1]);
        else expect(curve[i]).toBeLessThanOrEqual(curve[i - 1]);
      }
      expect(defined(curve.at(-1))).toBeGreaterThan(1);
      expect(defined(curve.at(-1))).toBeLessThan(1.05);
    },
  );
});

describe('Figure 1 of Avrachenkov et al.: the cost by the threshold between three crawlers and one', () => {
  it('is that of the dense queue at every threshold, least at 2', () => {
    const { service, obsolescence, ...rest } = example();
    const body = {
      ...rest,
      service: { type: 'phase-type', ...service },
      obsolescence: { type: 'phase-type', ...obsolescence },
      modes: [1, 3],
      costs: exampleCosts,
      policy: { thresholds: [0] },
    };
    const thresholds = [-1, 0, 1, 2, 3, 4, 5];
    const rows = sweep(thresholdPolicy, body, '/policy/thresholds/0', thresholds);
    const costs = thresholds.map((threshold) => {
      const m = naiveMeasures(
        { ...example(), obsolescence: { initial: [1], generator: [[-0.2]] } },
        Array.from({ length: 6 }, (_, level) => (level <= threshold ? 3 : 1)),
      );
      const { loss, obsolescence: expiry, response, crawler, starvation } = exampleCosts;
      return (
        m.arrivalRate * (loss * m.lossProbability + expiry * m.obsolescenceProbability) +
        response * m.responseTime +
        crawler * m.activeCrawlers +
        starvation * m.starvationProbability
      );
    });
    for (const [i, { objective }] of rows.entries()) expect(objective.value).toBeCloseTo(costs[i], 8);
    expect(costs.indexOf(Math.min(...costs))).toBe(thresholds.indexOf(2));
  });
});
