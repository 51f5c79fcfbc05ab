/** The whole operation: answers that the certifier passes, wrong ones that it does not. */
import { describe, expect, it } from 'vitest';
import {
  type AccessFrequencies,
  type AccessFrequenciesProblem,
  bestFrequencies,
} from '../../../src/solvers/access-frequencies/index.ts';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyAccessFrequencies } from '../../oracles/access-frequencies.ts';

const laws: Distribution[] = [
  { type: 'deterministic', value: 0.3 },
  { type: 'exponential', rate: 2 },
  { type: 'gamma', shape: 0.4, rate: 1 },
  { type: 'uniform', min: 0.5, max: 2 },
  { type: 'lognormal', mu: -0.5, sigma: 1 },
  { type: 'weibull', shape: 0.7, scale: 1 },
  { type: 'pareto', shape: 1.7, scale: 0.5 },
  { type: 'lomax', shape: 2.5, scale: 1 },
  { type: 'hyperexponential', probabilities: [0.9, 0.1], rates: [5, 0.2] },
  { type: 'empirical', values: [0.2, 0.7, 4] },
];

function problemOf(accessTime: Distribution, policy: 'deterministic' | 'randomized'): AccessFrequenciesProblem {
  const random = seededRandom(7);
  const changeRate = Float64Array.from({ length: 20 }, () => Math.exp(4 * random() - 2));
  const weight = changeRate.map((rate) => rate * Math.exp(3 * random() - 1));
  return { accessTime, changeRate, weight, policy, minFrequency: 0 };
}

function solved(problem: AccessFrequenciesProblem): AccessFrequencies {
  const answer = bestFrequencies(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}

const cases = laws.flatMap((law) => [
  [law.type, 'deterministic', law] as const,
  [law.type, 'randomized', law] as const,
]);

describe('access frequencies', () => {
  it.each(cases)(
    'for %s access times, %s, pass their certifier with and without a least frequency',
    (_, policy, law) => {
      for (const minFrequency of [0, 0.01, 0.05]) {
        const problem = { ...problemOf(law, policy), minFrequency };
        expect(certifyAccessFrequencies(problem, solved(problem))).toEqual([]);
      }
    },
  );

  it.each(['deterministic', 'randomized'] as const)('that are not optimal or not exact are found out, %s', (policy) => {
    const problem = problemOf({ type: 'exponential', rate: 2 }, policy);
    const answer = solved(problem);
    const wrong = (change: Partial<AccessFrequencies>): string[] =>
      certifyAccessFrequencies(problem, { ...answer, ...change });
    const moved = answer.frequency.slice();
    const [from, to] = [moved.indexOf(Math.max(...moved)), moved.findIndex((f) => f > 0)];
    moved[from] -= 0.01;
    moved[to] += 0.01;
    expect(wrong({ frequency: moved }).length).toBeGreaterThan(0);
    const half = solved({ ...problem, minFrequency: 0.03 });
    expect(certifyAccessFrequencies(problem, half).join()).toContain('could cost less');
    expect(wrong({ objective: { ...answer.objective, value: 0.999 * answer.objective.value } })).toHaveLength(1);
    expect(wrong({ staleness: answer.staleness.map((r) => r * 0.99) }).length).toBeGreaterThan(0);
    expect(wrong({ starved: answer.starved + 1 })).toHaveLength(1);
    expect(wrong({ frequency: answer.frequency.map((f) => f * 1.001) }).join()).toContain('sum to');
  });

  it('that cannot meet the least frequency say so, and the certifier agrees', () => {
    const problem = { ...problemOf({ type: 'exponential', rate: 2 }, 'randomized'), minFrequency: 0.06 };
    const answer = bestFrequencies(problem, unlimitedBudget());
    expect(answer.status).toBe('infeasible');
    expect(certifyAccessFrequencies(problem, answer)).toEqual([]);
    expect(certifyAccessFrequencies({ ...problem, minFrequency: 0.05 }, answer)).toHaveLength(1);
  });

  it('end with nothing when the budget is spent', () => {
    const changeRate = new Float64Array(20_000).fill(1);
    const problem = { ...problemOf({ type: 'exponential', rate: 2 }, 'deterministic'), changeRate, weight: changeRate };
    const budget = { ...unlimitedBudget(), stopRequested: () => true };
    expect(() => bestFrequencies(problem, budget)).toThrow(NothingToReturn);
  });
});
