import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type ActivationTask, findActivation, modelOf } from './activation-tasks.ts';
import { randomProblems } from './instances.ts';
import { iterateRelativeValues } from './relative-value-iteration.ts';

const figure15: ActivationTask & { crawlers: number } = {
  crawlerRate: 0.1,
  indexingRate: 1,
  capacity: 5,
  crawlers: 16,
  starvationWeight: 1,
  crawlerCost: 0,
};

describe('the paper’s relative value iteration, as an oracle of policy iteration', () => {
  it('brackets the cost of the answer at every stop, the paper’s rule met or not', () => {
    for (const problem of randomProblems(21, 40, 6, 8)) {
      const best = findActivation(problem, unlimitedBudget()).cost;
      for (const tolerance of [0.3, 1e-2, 1e-4]) {
        const outcome = iterateRelativeValues(modelOf(problem), tolerance, 0.99999, unlimitedBudget());
        const where = JSON.stringify({ ...problem, tolerance });
        expect(outcome.bounds.lower, where).toBeLessThanOrEqual(best * (1 + 1e-9));
        expect(outcome.bounds.upper, where).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }
    }
  });

  it('ends at the targets of the answer whatever its relaxation, also where crawlers cost', () => {
    for (const problem of [figure15, { ...figure15, crawlerCost: 0.03 }]) {
      const answer = findActivation(problem, unlimitedBudget());
      for (const relaxation of [0.99999, 0.5]) {
        const outcome = iterateRelativeValues(modelOf(problem), 1e-8, relaxation, unlimitedBudget());
        expect([...outcome.targets]).toEqual([...answer.targets]);
        expect(outcome.estimate).toBeCloseTo(answer.cost, 7);
      }
    }
  });

  it('stops by its own rule before it is right: the printed .09606 of Table 1.2 (.1, 15, 2.4) is .0960230', () => {
    const row = { ...figure15, capacity: 15, crawlers: 11, starvationWeight: 2.4 };
    expect(iterateRelativeValues(modelOf(row), 1e-5, 0.99999, unlimitedBudget()).estimate).toBeCloseTo(0.09606, 5);
    expect(findActivation(row, unlimitedBudget()).cost).toBeCloseTo(0.09602299652, 10);
  });
});
