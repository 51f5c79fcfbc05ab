/**
 * Policies solved one after the other, each beginning where the last ended: the costs of each alone, each with its
 * proof.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  certifyThresholdPolicy,
  solveThresholdPolicy,
  type ThresholdPolicyProblem,
  thresholdPoliciesInTurn,
} from '../../../src/solvers/threshold-policy/index.ts';
import { defined } from '../../defined.ts';
import { example, exampleCosts, realCosts, realData, realMatrices } from './cases.ts';

const paper: ThresholdPolicyProblem = { ...example(), costs: exampleCosts };
const eight: ThresholdPolicyProblem = {
  ...realData({
    capacity: 18,
    arrivals: { model: 'scaled', matrices: realMatrices(), factors: Array.from({ length: 8 }, (_, i) => i + 1) },
  }),
  costs: realCosts,
};
const steps = Array.from({ length: 8 }, (_, i) => i);

describe('threshold policies in turn', () => {
  it.each<[string, ThresholdPolicyProblem[]]>([
    ['prices', steps.map((i) => ({ ...paper, costs: { ...exampleCosts, starvation: 20 + 90 * i, response: i % 3 } }))],
    [
      'limits, of which some cannot be kept',
      steps.map((i) => ({ ...paper, constraints: { starvationProbability: 0.02 * i, responseTime: 1.9 } })),
    ],
    ['capacities', steps.map((i) => ({ ...paper, capacity: 2 + i }))],
    ['rates of obsolescence', steps.map((i) => ({ ...paper, obsolescence: rate(0.02 * 3 ** i) }))],
    ['prices, with phases in sight', steps.map((i) => ({ ...paper, observe: 'phases', costs: starving(50 * i) }))],
    ['capacities, with phases in sight', steps.map((i) => ({ ...paper, observe: 'phases', capacity: 2 + (i >> 1) }))],
    ['prices of random pick-up', steps.map((i) => ({ ...paper, discipline: 'random', costs: starving(60 * i) }))],
    [
      'prices by branch and bound',
      steps.slice(0, 3).map((i) => ({ ...eight, costs: { ...realCosts, starvation: 10 ** (i + 1) } })),
    ],
  ])('over %s cost what each alone costs', (_name, problems) => {
    const solve = thresholdPoliciesInTurn();
    const policies = new Set<string>();
    for (const problem of problems) {
      const answer = solve(problem, unlimitedBudget());
      const alone = solveThresholdPolicy(problem, unlimitedBudget());
      expect(answer.status).toBe(alone.status);
      expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
      policies.add(JSON.stringify(answer.solution?.crawlersByState ?? answer.solution?.crawlersByQueueLength));
      if (alone.objective === undefined) continue;
      const { value, bound } = defined(answer.objective);
      expect(value / alone.objective.value).toBeCloseTo(1, 9);
      expect(defined(bound ?? undefined) / value).toBeCloseTo(1, 6);
    }
    expect(policies.size).toBeGreaterThan(1);
  });

  it('over policies to evaluate measures each', () => {
    const solve = thresholdPoliciesInTurn();
    for (const threshold of [0, 1, 2, 3]) {
      const problem = { ...paper, policy: { thresholds: [-1, threshold, threshold] } };
      const { objective, solution, status } = solve(problem, unlimitedBudget());
      const alone = solveThresholdPolicy(problem, unlimitedBudget());
      expect({ objective, solution, status }).toEqual({
        objective: alone.objective,
        solution: alone.solution,
        status: 'evaluated',
      });
    }
  });

  it('answers whole at first, and goes on where time is short', () => {
    const solve = thresholdPoliciesInTurn();
    expect(solve(paper, unlimitedBudget())).toEqual(solveThresholdPolicy(paper, unlimitedBudget()));
    let polls = 0;
    const short = { ...unlimitedBudget(), stopRequested: () => polls++ > 2, remainingMs: () => (polls > 2 ? 0 : 1) };
    const costs = starving(299);
    const { objective } = solve({ ...paper, costs }, short);
    const best = solveThresholdPolicy({ ...paper, costs }, unlimitedBudget());
    expect(defined(objective).value).toBeGreaterThanOrEqual(defined(best.objective).value * (1 - 1e-12));
  });
});

function starving(starvation: number): ThresholdPolicyProblem['costs'] {
  return { ...exampleCosts, starvation };
}

function rate(mu: number): ThresholdPolicyProblem['obsolescence'] {
  return { initial: [1], generator: [[-mu]] };
}
