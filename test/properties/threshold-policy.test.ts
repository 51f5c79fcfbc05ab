import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import type { PhaseTypeLaw } from '../../src/solvers/queue/queue.ts';
import { certifyThresholdPolicy } from '../certificates/queues.ts';
import { costIn } from '../solvers/threshold-policy/cases.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from '../solvers/threshold-policy/flat-answer.ts';
import { randomCosts, randomQueue } from '../solvers/threshold-policy/random-queues.ts';

/** A random problem from a seed, which is what fast-check shrinks; failures print the instance. */
const problems = (change: (seed: number) => object = () => ({})) =>
  fc.integer({ min: 1, max: 1_000_000 }).map(
    (seed): ThresholdPolicyProblem => ({
      ...randomQueue(seed, change(seed)),
      costs: randomCosts(seed),
    }),
  );

const textOf = (problem: ThresholdPolicyProblem): string => JSON.stringify(problem);
const solve = (problem: ThresholdPolicyProblem) => solveThresholdPolicy(problem, unlimitedBudget());

describe('every answer', () => {
  it('conserves pages, keeps Little’s law and its own certificate', () => {
    fc.assert(
      fc.property(problems(), (problem) => {
        const answer = solve(problem);
        expect(answer.status, textOf(problem)).toBe('optimal');
        expect(certifyThresholdPolicy(problem, answer), textOf(problem)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('changing the unit of time', () => {
  it('scales costs of rates with it and leaves the policy', () => {
    fc.assert(
      fc.property(
        problems(() => ({ exponential: true })),
        fc.constantFrom(1e-9, 1e-3, 1e9),
        (problem, unit) => {
          const faster = (law: PhaseTypeLaw | null): PhaseTypeLaw | null =>
            law === null
              ? null
              : { initial: law.initial, generator: law.generator.map((row) => row.map((rate) => rate * unit)) };
          if (problem.arrivals.model !== 'per-mode') throw new Error('per-mode expected');
          const { costs } = problem;
          const other: ThresholdPolicyProblem = {
            ...problem,
            arrivals: {
              model: 'per-mode',
              modes: problem.arrivals.modes.map(({ crawlers, matrices }) => ({
                crawlers,
                matrices: matrices.map((matrix) => matrix.map((row) => row.map((rate) => rate * unit))),
              })),
            },
            service: faster(problem.service) ?? problem.service,
            obsolescence: faster(problem.obsolescence),
            costs: {
              loss: costs.loss / unit,
              obsolescence: costs.obsolescence / unit,
              response: costs.response * unit,
              crawler: costs.crawler,
              starvation: costs.starvation,
            },
          };
          const [a, b] = [solve(problem), solve(other)];
          expect(Math.abs(costIn(b) - costIn(a)), textOf(problem)).toBeLessThanOrEqual(1e-9 * costIn(a));
        },
      ),
      { numRuns: 30 },
    );
  });
});
