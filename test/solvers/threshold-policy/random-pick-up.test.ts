import { describe, expect, it } from 'vitest';
import { certifyThresholdPolicy } from '../../../src/certificates/threshold-policy.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { byBranchingAtRandom } from '../../../src/solvers/threshold-policy/bound/proved-search.ts';
import { chooseEvaluator } from '../../../src/solvers/threshold-policy/evaluate/choose-evaluator.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy } from './answered.ts';
import { assembled, costIn, example, exampleCosts } from './cases.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

describe('branch and bound under random pick-up', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('proves what looking at every policy finds (queue %i)', (seed) => {
    const description = {
      ...randomQueue(seed, { capacity: 4, modes: 3, exponential: true }),
      discipline: 'random',
    } as const;
    const costs = { ...randomCosts(seed), response: 5 };
    const enumerated = solveThresholdPolicy({ ...description, costs }, unlimitedBudget());
    expect(enumerated.statistics.solver).toBe('enumeration');
    const queue = assembled(description);
    const { evaluator, prepared } = chooseEvaluator(queue, unlimitedBudget());
    const setting = {
      queue,
      evaluator,
      prepared,
      costs,
      constraints: null,
      kind: 'auto',
      budget: unlimitedBudget(),
    } as const;
    const found = byBranchingAtRandom(setting, defined(prepared));
    expect(defined(found.bound)).toBeCloseTo(costIn(enumerated), 6);
    expect(evaluator.evaluate(defined(found.byLevel)).queueLength).toBeGreaterThan(0);
    expect(found.tally.best).toBeCloseTo(costIn(enumerated), 8);
  });

  it('proves four modes at capacity 60, where 40,000 policies would take a minute', () => {
    const problem = { ...example({ capacity: 60, discipline: 'random' }), costs: exampleCosts } as const;
    const answer = solveThresholdPolicy(problem, unlimitedBudget());
    expect(answer.statistics.solver).toBe('branch-and-bound');
    expect(answer.status).toBe('optimal');
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  });
});
