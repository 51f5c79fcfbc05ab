/** What holds of every optimal activation policy, on random instances; fast-check prints the failing one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import {
  type ActivationTask,
  certifyActivation,
  findActivation,
} from '../solvers/activation-policy/activation-tasks.ts';

const decades = (low: number, high: number): fc.Arbitrary<number> =>
  fc.double({ min: low, max: high, noNaN: true }).map((exponent) => 10 ** exponent);

/** Rates over four decades; crawlers from useless to overwhelming; half of the instances with a running cost. */
const problems: fc.Arbitrary<ActivationTask & { crawlers: number }> = fc
  .record({
    capacity: fc.integer({ min: 1, max: 24 }),
    crawlers: fc.integer({ min: 1, max: 50 }),
    indexingRate: decades(-2, 2),
    relativeRate: decades(-2.5, 0.5),
    relativeWeight: decades(-3, 3),
    relativeCost: fc.oneof(fc.constant(0), decades(-2, 1)),
  })
  .map(({ capacity, crawlers, indexingRate, relativeRate, relativeWeight, relativeCost }) => ({
    capacity,
    crawlers,
    indexingRate,
    crawlerRate: indexingRate * relativeRate,
    starvationWeight: indexingRate * relativeWeight,
    crawlerCost: indexingRate * relativeRate * relativeCost,
  }));

const solve = (problem: ActivationTask) => findActivation(problem, unlimitedBudget());
const run = (seed: number, numRuns: number) => ({ seed, numRuns });

describe('the optimal activation policy', () => {
  it('is a monotone switching curve, proved optimal, never dearer than the best static count', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const answer = solve(problem);
        expect(answer.curves.monotone).toBe(true);
        expect([...answer.targets]).toEqual([...answer.targets].sort((a, b) => b - a));
        for (let r = 1; r <= problem.crawlers; r++) {
          expect(answer.curves.afterDeparture[r]).toBeLessThanOrEqual(answer.curves.afterDeparture[r - 1]);
          if (r > 1) {
            expect(answer.curves.afterArrival[r]).toBeLessThanOrEqual(answer.curves.afterArrival[r - 1] ?? Number.NaN);
          }
        }
        expect(answer.status).toBe('optimal');
        expect(answer.solver).toBe('policy-iteration');
        expect(certifyActivation(problem, answer)).toEqual([]);
        expect(answer.cost).toBeLessThanOrEqual(answer.baseline.cost * (1 + 1e-12));
      }),
      run(31, 700),
    );
  });

  it('balances pages: λ·mean active = pages lost + μ·(1 − starvation)', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const only = solve(problem).measures;
        const brought = problem.crawlerRate * only.meanActive;
        const indexed = problem.indexingRate * (1 - only.starvationProbability);
        expect(Math.abs(brought - only.lossRate - indexed)).toBeLessThan(1e-11 * (brought + problem.indexingRate));
      }),
      run(32, 300),
    );
  });

  it('costs no more than any other curve', () => {
    const curves = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 25, maxLength: 25 });
    fc.assert(
      fc.property(problems, curves, (problem, shares) => {
        const levels = shares.slice(0, problem.capacity + 1).map((share) => Math.round(share * problem.crawlers));
        const targets = Int32Array.from(levels).sort().reverse();
        targets[0] = Math.max(1, targets[0]);
        const evaluation = solve({ ...problem, targets });
        expect(evaluation.cost).toBeGreaterThanOrEqual(solve(problem).cost * (1 - 1e-12));
        expect(evaluation.bound).toBeLessThanOrEqual(evaluation.cost);
      }),
      run(36, 300),
    );
  });
});
