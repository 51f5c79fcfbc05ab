import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { ConstraintName } from '../../../src/solvers/queue/measures.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { endingBudget } from '../ending-budget.ts';
import {
  boundIn,
  costIn,
  example,
  exampleCosts,
  measuresIn,
  realCosts,
  realData,
  realMatrices,
  twoPhases,
} from './cases.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './flat-answer.ts';
import { costOfMeasures, everyPolicy, matricesByCount, naiveMeasures } from './naive-queue.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const limitedMeasures = Object.keys({
  lossProbability: true,
  obsolescenceProbability: true,
  starvationProbability: true,
  responseTime: true,
  activeCrawlers: true,
} satisfies Record<ConstraintName, true>);

/** The best threshold policy by the naive queue, one dense system for each: shares no code with the solver. */
function bruteForce(problem: ThresholdPolicyProblem): { cost: number; ties: number } {
  const { costs, constraints = {}, capacity } = problem;
  const counts = problem.modes ?? [...matricesByCount(problem.arrivals).keys()];
  const policies = everyPolicy(counts, capacity).flatMap((policy): number[] => {
    const measures = naiveMeasures(problem, policy);
    const isFeasible = limitedMeasures.every((name) => {
      const limit: unknown = Reflect.get(constraints, name);
      return typeof limit !== 'number' || Number(Reflect.get(measures, name)) <= limit * (1 + 1e-9);
    });
    return isFeasible ? [costOfMeasures(measures, costs)] : [];
  });
  const cost = Math.min(...policies);
  return { cost, ties: policies.filter((other) => other <= cost * (1 + 1e-9)).length };
}

function certifiedAnswer(problem: ThresholdPolicyProblem): ThresholdPolicyAnswer {
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  expect(certifyThresholdPolicy(problem, answer), JSON.stringify(problem)).toEqual([]);
  return answer;
}

describe('the optimum over all threshold vectors', () => {
  it('is that of plain enumeration on random queues of one to four modes', () => {
    const ties: boolean[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      const problem = {
        ...randomQueue(seed, { modes: 1 + (seed % 4), exponential: true, capacity: 1 + (seed % 5) }),
        costs: randomCosts(seed),
      };
      const answer = certifiedAnswer(problem);
      const brute = bruteForce(problem);
      const label = JSON.stringify(problem);
      expect(answer.statistics.solver, label).toBe('enumeration');
      expect(answer.status, label).toBe('optimal');
      expect(Math.abs(costIn(answer) - brute.cost) / Math.max(1, brute.cost), label).toBeLessThan(1e-9);
      const hasTie = answer.warnings.some(({ code }) => code === 'ties');
      // The naive queue rounds at 1e−9, the solver counts ties at 1e−12: what is no tie to the first is none to the
      // other.
      if (brute.ties === 1) expect(hasTie, label).toBe(false);
      ties.push(hasTie);
    }
    expect(ties.filter(Boolean).length).toBeLessThan(ties.length);
  });

  it('is found for ordered phases by evaluating every vector', () => {
    for (const change of [{ obsolescence: twoPhases, capacity: 2 }]) {
      const problem = { ...example(change), costs: exampleCosts };
      const answer = certifiedAnswer(problem);
      expect(answer.status).toBe('optimal');
      expect(answer.statistics.solver).toBe('enumeration');
      expect(costIn(answer)).toBeCloseTo(bruteForce(problem).cost, 10);
      expect(answer.subsets).toHaveLength(11);
    }
  });
});

describe('branch and bound', () => {
  const manyModes = (capacity: number, factors: readonly number[]): ThresholdPolicyProblem => ({
    ...realData({ capacity, arrivals: { model: 'scaled', matrices: realMatrices(), factors } }),
    costs: realCosts,
  });

  it('proves sixteen modes at capacity 100 on the real data', () => {
    const answer = certifiedAnswer(
      manyModes(
        100,
        Array.from({ length: 16 }, (_, i) => i + 1),
      ),
    );
    expect(answer.status).toBe('optimal');
    expect((costIn(answer) - boundIn(answer)) / boundIn(answer)).toBeLessThan(1e-6);
    expect(costIn(answer)).toBeCloseTo(410.16816719919, 6);
  });

  it('returns its incumbent with its gap when it is stopped', () => {
    const problem = manyModes(
      60,
      Array.from({ length: 12 }, (_, i) => i / 3 + 0.3),
    );
    const answer = solveThresholdPolicy(problem, endingBudget(4));
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
    expect(answer.status).toBe('feasible');
    expect(boundIn(answer)).toBeLessThan(costIn(answer));
    expect(boundIn(answer)).toBeLessThanOrEqual(costIn(certifiedAnswer(problem)));
  });
});

describe('constraints', () => {
  it('give the best policy that keeps them', () => {
    const feasible: boolean[] = [];
    for (let seed = 1; seed <= 25; seed++) {
      const base = {
        ...randomQueue(seed + 900, { modes: 3, exponential: true, capacity: 4 }),
        costs: randomCosts(seed),
      };
      const free = certifiedAnswer(base);
      const measures = measuresIn(free);
      const problem = {
        ...base,
        constraints: {
          lossProbability: measures.lossProbability * 0.8,
          starvationProbability: Math.min(1, measures.starvationProbability * 1.3),
        },
      };
      const answer = certifiedAnswer(problem);
      const brute = bruteForce(problem);
      const label = JSON.stringify(problem);
      feasible.push(brute.cost < Number.POSITIVE_INFINITY);
      if (brute.cost === Number.POSITIVE_INFINITY) expect(answer.status, label).toBe('infeasible');
      else expect(costIn(answer), label).toBeCloseTo(brute.cost, 8);
    }
    expect(new Set(feasible), 'some queues can keep the limits, some cannot').toEqual(new Set([true, false]));
  });

  it('that are met exactly by the optimum are kept', () => {
    const free = certifiedAnswer({ ...example(), costs: exampleCosts });
    const { lossProbability, responseTime } = measuresIn(free);
    const answer = certifiedAnswer({
      ...example(),
      costs: exampleCosts,
      constraints: { lossProbability, responseTime },
    });
    expect(costIn(answer)).toBeCloseTo(costIn(free), 12);
  });

  it('that clash are answered with the minimum of each measure and the nearest policy', () => {
    const answer = certifiedAnswer({
      ...example(),
      costs: exampleCosts,
      constraints: { starvationProbability: 0.05, lossProbability: 0.01 },
    });
    expect(answer.status).toBe('infeasible');
    expect(answer.solution).toBeUndefined();
    expect(answer.conflict?.limits.map(({ constraint }) => constraint)).toEqual([
      'lossProbability',
      'starvationProbability',
    ]);
    expect(answer.conflict?.detail).toContain('lossProbability ≤ 0.01');
    expect(answer.conflict?.nearest?.crawlersByQueueLength).toHaveLength(6);
  });
});

describe('the policy that sees the phases', () => {
  it('is the best with the given modes, where policy iteration alone ends in a worse one', () => {
    const matrices = [
      [
        [
          [-2.094, 1.18],
          [0.553, -2.877],
        ],
        [
          [0.093, 0.821],
          [0.764, 1.56],
        ],
      ],
      [
        [
          [-3.533, 2.38],
          [2.26, -3.616],
        ],
        [
          [0.876, 0.277],
          [0.733, 0.623],
        ],
      ],
    ];
    const answer = certifiedAnswer({
      observe: 'phases',
      capacity: 4,
      arrivals: { model: 'per-mode', modes: matrices.map((each, i) => ({ crawlers: [2, 5][i], matrices: each })) },
      service: { initial: [1], generator: [[-1.63]] },
      obsolescence: null,
      costs: { loss: 0.425, obsolescence: 0, response: 1.31, crawler: 0.105, starvation: 4.84 },
    });
    expect(costIn(answer)).toBeCloseTo(3.14603, 5);
    expect(boundIn(answer)).toBeCloseTo(3.14603, 5);
    expect(answer.byQueueLength?.cost).toBeGreaterThan(3.14603);
  });
});

describe('remarks', () => {
  it('name ties, optima at the edge of the modes, and modes out of order', () => {
    const single = [[[-1]], [[1]]];
    const twice = { crawlers: 2, matrices: single };
    const tied = certifiedAnswer({
      ...example({ arrivals: { model: 'per-mode', modes: [{ crawlers: 1, matrices: single }, twice] } }),
      costs: { loss: 1, obsolescence: 1, response: 1, crawler: 0, starvation: 1 },
    });
    expect(tied.warnings.map(({ code }) => code)).toEqual(['modes-out-of-order', 'ties', 'optimum-on-edge']);
    expect(tied.warnings[0].pointer).toBe('/arrivals/modes/1');
    // Two modes alike, by branch and bound too.
    const arrivals = { model: 'scaled', matrices: realMatrices(), factors: [1, 2, 4.5, 4.5] } as const;
    const alike = certifiedAnswer({ ...realData({ capacity: 40, arrivals }), costs: { ...realCosts, crawler: 0 } });
    expect(alike.statistics.solver).toBe('branch-and-bound');
    expect(alike.warnings.map(({ code }) => code)).toContain('ties');
    const starving = certifiedAnswer({ ...example({ modes: [1, 2] }), costs: { ...exampleCosts, starvation: 1e6 } });
    expect(starving.warnings.map(({ code }) => code)).toContain('optimum-on-edge');
  });
});

describe('a budget that ends', () => {
  it('before anything was measured leaves nothing to return', () => {
    const problem = { ...example({ capacity: 8, obsolescence: twoPhases }), costs: exampleCosts };
    expect(() => solveThresholdPolicy(problem, endingBudget(0))).toThrow(NothingToReturn);
  });

  it('during enumeration leaves the best so far', () => {
    const problem = { ...example({ capacity: 40 }), costs: exampleCosts };
    const answer = solveThresholdPolicy(problem, endingBudget(30));
    expect(answer.status).toBe('feasible');
    expect(costIn(answer)).toBeGreaterThanOrEqual(57.2321);
    expect(boundIn(answer)).toBeLessThanOrEqual(57.2322);
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  });
});
