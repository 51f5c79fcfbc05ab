/** A mode without crawlers: every policy by the naive queue, one dense system for each. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { costIn, example, exampleCosts, realCosts, realData, realMatrices } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';
import { costOfMeasures, everyPolicy, naiveMeasures } from './naive-queue.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

/** The queue with a mode of 0 crawlers whose phases change, or stand still. */
function addIdleMode(queue: QueueDescription, moving: boolean): QueueDescription {
  if (queue.arrivals.model !== 'per-mode') throw new Error('per-mode arrivals are expected');
  const [{ matrices }] = queue.arrivals.modes;
  const n = matrices[0].length;
  const d0 = matrices[0].map((_, i) =>
    matrices[0].map((_cell, j) => {
      if (!moving || n === 1) return 0;
      return i === j ? -(n - 1) : 1;
    }),
  );
  return {
    ...queue,
    arrivals: { model: 'per-mode', modes: [{ crawlers: 0, matrices: [d0] }, ...queue.arrivals.modes] },
  };
}

describe('a mode without crawlers', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is used where it pays, under every search (queue %i)', (seed) => {
    const queue = addIdleMode(randomQueue(seed, { capacity: 3, modes: 2, exponential: seed % 2 === 0 }), seed % 3 > 0);
    const costs = { ...randomCosts(seed), crawler: 5, starvation: 1 };
    const problem = { ...queue, costs };
    const best = Math.min(
      ...everyPolicy([0, 1, 2], 3).map((policy) => costOfMeasures(naiveMeasures(problem, policy), costs)),
    );
    const answer = solveThresholdPolicy(problem, unlimitedBudget());
    expect(costIn(answer)).toBeCloseTo(best, 8);
    expect(answer.status).toBe('optimal');
    expect(answer.fixedModes.map(({ crawlers }) => crawlers)).toEqual([1, 2]);
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  });

  it('is proved by branch and bound too, and never worse than without it: the real data with dear crawlers', () => {
    const costs = { ...realCosts, crawler: 400 };
    const counts = [1, 2, 3, 4];
    const without = solveThresholdPolicy({ ...realData(), costs }, unlimitedBudget());
    const answer = solveThresholdPolicy({ ...realData(), modes: [0, ...counts], costs }, unlimitedBudget());
    expect(costIn(answer)).toBeLessThan(costIn(without));
    expect(answer.solution?.crawlersByQueueLength.at(-1)).toBe(0);
    const factors = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3];
    const many = realData({ arrivals: { model: 'scaled', matrices: realMatrices(), factors } });
    const problem = { ...many, modes: [0, 1, 2, 3, 4, 5, 6, 7, 8], costs: { ...costs, crawler: 100 } };
    const branched = solveThresholdPolicy(problem, unlimitedBudget());
    expect(branched.statistics.solver).toBe('branch-and-bound');
    expect(branched.status).toBe('optimal');
    expect(branched.solution?.crawlersByQueueLength.at(-1)).toBe(0);
    expect(certifyThresholdPolicy(problem, branched)).toEqual([]);
  });

  it('stops a superposition, a thinned, a marked and a scaled process, and a controller that sees phases', () => {
    const matrices = [
      [
        [-3, 1],
        [0.5, -1],
      ],
      [
        [1.5, 0.5],
        [0.2, 0.3],
      ],
    ];
    const arrivals: QueueDescription['arrivals'][] = [
      { model: 'superposition', crawlers: [{ matrices }, { matrices }] },
      { model: 'thinning', matrices, probabilities: [0.5, 1] },
      { model: 'marked', d0: matrices[0], crawlers: [[matrices[1].map((row) => row.map((r) => r))]] },
      { model: 'scaled', matrices, factors: [1, 2] },
    ];
    for (const [i, one] of arrivals.entries()) {
      const queue = { ...example({ capacity: 4 }), arrivals: one, modes: i === 2 ? [0, 1] : [0, 1, 2] };
      const problem = { ...queue, costs: { ...exampleCosts, crawler: 60, starvation: 1 } };
      const answer = solveThresholdPolicy(problem, unlimitedBudget());
      expect(answer.solution?.modes).toContain(0);
      expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
      const seeing = { ...problem, observe: 'phases' } as const;
      const table = solveThresholdPolicy(seeing, unlimitedBudget());
      expect(table.status).toBe('optimal');
      expect(costIn(table)).toBeLessThanOrEqual(costIn(answer) * (1 + 1e-9));
      expect(certifyThresholdPolicy(seeing, table)).toEqual([]);
      expect(Math.min(...(table.solution?.crawlersByState?.table[0] ?? [0]))).toBeGreaterThan(0);
    }
  });

  it('is refused in an empty system, alone, and where it brings pages', () => {
    const queue = addIdleMode(example(), true);
    const solve = (change: object) => () =>
      solveThresholdPolicy({ ...queue, costs: exampleCosts, ...change }, unlimitedBudget());
    expect(solve({ evaluate: { crawlersByQueueLength: [0, 0, 0, 0, 0, 0] } })).toThrow(/would stay empty/);
    expect(solve({ modes: [0] })).toThrow(/no count above 0/);
    const matrices = [[[-1]], [[1]]];
    const modes = [{ crawlers: 0, matrices }];
    expect(solve({ arrivals: { model: 'per-mode', modes } })).toThrow(/brings pages/);
  });
});
