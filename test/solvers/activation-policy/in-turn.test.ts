/**
 * Problems solved one after the other, each beginning where the last ended: the same answers, from fewer iterations.
 */
import { describe, expect, it } from 'vitest';
import {
  type ActivationProblem,
  activationPoliciesInTurn,
  solveActivationPolicy,
} from '../../../src/solvers/activation-policy/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';

const queue: ActivationProblem = {
  crawlers: 60,
  capacity: 12,
  crawlerRate: 0.03,
  indexingRate: 1,
  starvationWeight: 17 / 15,
  crawlerCost: 0,
  algorithm: 'policy-iteration',
};
const { crawlers: _, ...unlimited } = queue;
const steps = Array.from({ length: 15 }, (_, i) => i);

describe('activation policies in turn', () => {
  it.each<[string, ActivationProblem[]]>([
    ['weights', steps.map((i) => ({ ...queue, starvationWeight: 0.4 + 0.1 * i }))],
    ['weights far apart and back', steps.map((i) => ({ ...queue, starvationWeight: i % 2 === 0 ? 0.01 * i : 100 }))],
    ['rates', steps.map((i) => ({ ...queue, crawlerRate: 0.02 + 0.001 * i }))],
    ['capacities', steps.map((i) => ({ ...queue, capacity: 1 + 2 * i }))],
    ['crawlers', steps.map((i) => ({ ...queue, crawlers: 80 - 4 * i }))],
    ['costs of a crawler', steps.map((i) => ({ ...queue, crawlerCost: 0.002 * i }))],
    ['weights without a limit on the crawlers', steps.map((i) => ({ ...unlimited, starvationWeight: 0.4 + 0.2 * i }))],
  ])('over %s are those of each alone, to 1e-9 of the cost', (_name, problems) => {
    const solve = activationPoliciesInTurn();
    for (const problem of problems) {
      const answer = solve(problem, unlimitedBudget());
      const cold = solveActivationPolicy(problem, unlimitedBudget());
      expect(answer.status).toBe(cold.status);
      expect(Math.abs(answer.cost - cold.cost)).toBeLessThanOrEqual(1e-9 * cold.cost);
      expect(answer.crawlers).toBe(cold.crawlers);
    }
  });

  it('take fewer iterations where neighbours are near', () => {
    const solve = activationPoliciesInTurn();
    let [inTurn, alone] = [0, 0];
    for (const i of steps) {
      const problem = { ...queue, crawlers: 143, capacity: 15, crawlerRate: 0.01, starvationWeight: 2 + 0.02 * i };
      inTurn += solve(problem, unlimitedBudget()).iterations;
      alone += solveActivationPolicy(problem, unlimitedBudget()).iterations;
    }
    expect(inTurn).toBeLessThan(0.45 * alone);
  });

  it('answers a front once', () => {
    const solve = activationPoliciesInTurn();
    const problem = { ...queue, capacity: 3, crawlers: 6, front: { criteria: ['loss', 'starvation'] as const } };
    expect(solve(problem, unlimitedBudget()).front?.length).toBeGreaterThan(2);
    const next = solve(problem, unlimitedBudget());
    expect(next.front).toBeUndefined();
    expect(next.cost).toBeCloseTo(solveActivationPolicy(problem, unlimitedBudget()).cost, 12);
  });
});
