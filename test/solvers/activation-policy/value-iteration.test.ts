import { describe, expect, it } from 'vitest';
import { type ActivationProblem, solveActivationPolicy } from '../../../src/solvers/activation-policy/index.ts';
import { iterateRelativeValues } from '../../../src/solvers/activation-policy/iteration/relative-value-iteration.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { randomProblems } from './instances.ts';

const figure15: ActivationProblem & { crawlers: number } = {
  crawlerRate: 0.1,
  indexingRate: 1,
  capacity: 5,
  crawlers: 16,
  starvationWeight: 1,
  crawlerCost: 0,
  algorithm: 'relative-value-iteration',
};

describe('the paper’s relative value iteration', () => {
  it('brackets the optimal cost at every stop, the paper’s rule met or not', () => {
    for (const problem of randomProblems(21, 40, 6, 8)) {
      const best = solveActivationPolicy(problem, unlimitedBudget()).cost;
      for (const tolerance of [0.3, 1e-2, 1e-4]) {
        const outcome = iterateRelativeValues(problem, tolerance, 0.99999, unlimitedBudget());
        const where = JSON.stringify({ ...problem, tolerance });
        expect(outcome.bounds.lower, where).toBeLessThanOrEqual(best * (1 + 1e-9));
        expect(outcome.bounds.upper, where).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }
    }
  });

  it('needs more updates the smaller the relaxation, and ends at the same policy', () => {
    const fast = solveActivationPolicy(figure15, unlimitedBudget());
    const slow = solveActivationPolicy({ ...figure15, relaxation: 0.5 }, unlimitedBudget());
    expect(fast.iterations).toBe(254);
    expect(slow.iterations).toBeGreaterThan(400);
    expect([...slow.targets]).toEqual([...fast.targets]);
  });

  it('returns the exact cost of the policy it stopped at, with a gap that is open when its rule proved nothing', () => {
    // Table 1.2, (.1, 15, 2.4): the paper prints .09606, the estimate at its stop; the optimum is .0960230.
    const row = { ...figure15, capacity: 15, crawlers: 11, starvationWeight: 2.4 };
    const answer = solveActivationPolicy(row, unlimitedBudget());
    expect(answer.valueIteration?.estimate).toBeCloseTo(0.09606, 5);
    expect(answer.cost).toBeCloseTo(0.09602299652, 10);
    expect(answer.status).toBe('feasible');
    expect(answer.cost - defined(answer.bound, 'bound')).toBeGreaterThan(5e-6);
    const finer = solveActivationPolicy({ ...row, tolerance: 1e-9 }, unlimitedBudget());
    expect(finer.cost - defined(finer.bound, 'bound')).toBeLessThan(1e-8);
    expect(finer.valueIteration?.estimate).toBeCloseTo(0.09602299652, 8);
  });

  it('takes the crawler cost into account', () => {
    const problem = { ...figure15, crawlerCost: 0.03 };
    const values = solveActivationPolicy({ ...problem, tolerance: 1e-8 }, unlimitedBudget());
    const policies = solveActivationPolicy({ ...problem, algorithm: 'policy-iteration' }, unlimitedBudget());
    expect(values.valueIteration?.estimate).toBeCloseTo(policies.cost, 8);
    expect([...values.targets]).toEqual([...policies.targets]);
  });

  it('finds N by policy iteration when it is left out', () => {
    const { crawlers: _, ...unlimited } = figure15;
    const answer = solveActivationPolicy(unlimited, unlimitedBudget());
    expect(answer.crawlers).toBe(15);
    expect(answer.solver).toBe('relative-value-iteration');
  });
});
