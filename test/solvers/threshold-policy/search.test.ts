import { describe, expect, it } from 'vitest';
import { certifyThresholdPolicy } from '../../../src/certificates/threshold-policy.ts';
import { type Budget, NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { countThresholdVectors, nonDecreasing } from '../../../src/solvers/threshold-policy/search/enumerate.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './answered.ts';
import { boundIn, costIn, example, exampleCosts, measuresIn, realCosts, realData, realMatrices } from './cases.ts';
import { matricesByCount, naiveMeasures } from './naive-queue.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

/** All non-decreasing integer vectors of a length, entries in from..to. */
function vectorsOf(length: number, from: number, to: number): number[][] {
  if (length === 0) return [[]];
  return Array.from({ length: to - from + 1 }, (_, step) => from + step).flatMap((first) =>
    vectorsOf(length - 1, first, to).map((rest) => [first, ...rest]),
  );
}

/** Every threshold policy as crawlers by queue length, for counts in ascending order. */
function everyPolicy(counts: readonly number[], capacity: number): number[][] {
  return vectorsOf(counts.length - 1, -1, capacity).map((thresholds) =>
    Array.from(
      { length: capacity + 1 },
      (_, level) => counts[counts.length - 1 - thresholds.filter((threshold) => threshold < level).length],
    ),
  );
}

const limited = [
  'lossProbability',
  'obsolescenceProbability',
  'starvationProbability',
  'responseTime',
  'activeCrawlers',
];

/** The best threshold policy by the naive queue, one dense system for each: shares no code with the solver. */
function bruteForce(problem: ThresholdPolicyProblem): { cost: number; ties: number } {
  const { costs, constraints = {}, capacity } = problem;
  const counts = problem.modes ?? [...matricesByCount(problem.arrivals).keys()];
  const all = everyPolicy(
    counts.toSorted((a, b) => a - b),
    capacity,
  ).flatMap((policy): number[] => {
    const measures = naiveMeasures(problem, policy);
    const kept = limited.every((name) => {
      const limit: unknown = Reflect.get(constraints, name);
      return typeof limit !== 'number' || Number(Reflect.get(measures, name)) <= limit * (1 + 1e-9);
    });
    const { arrivalRate, lossProbability, obsolescenceProbability, responseTime } = measures;
    const lost = costs.loss * lossProbability + costs.obsolescence * obsolescenceProbability;
    const running = costs.crawler * measures.activeCrawlers + costs.starvation * measures.starvationProbability;
    return kept ? [arrivalRate * lost + costs.response * responseTime + running] : [];
  });
  const cost = Math.min(...all);
  return { cost, ties: all.filter((other) => other <= cost * (1 + 1e-9)).length };
}

function solved(problem: ThresholdPolicyProblem): ThresholdPolicyAnswer {
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  expect(certifyThresholdPolicy(problem, answer), JSON.stringify(problem)).toEqual([]);
  return answer;
}

/** A budget that says stop after so many questions. */
function impatient(questions: number): Budget {
  let asked = 0;
  return { ...unlimitedBudget(), stopRequested: () => ++asked > questions };
}

describe('the optimum over all threshold vectors', () => {
  it('by splitting is that of plain enumeration on random queues of one to four modes', () => {
    const ties: boolean[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      const problem = {
        ...randomQueue(seed, { modes: 1 + (seed % 4), exponential: true, capacity: 1 + (seed % 5) }),
        discipline: 'fifo' as const,
        costs: randomCosts(seed),
      };
      const answer = solved(problem);
      const brute = bruteForce(problem);
      const shown = JSON.stringify(problem);
      expect(answer.statistics.solver, shown).toBe('splitting');
      expect(answer.status, shown).toBe('optimal');
      expect(Math.abs(costIn(answer) - brute.cost) / Math.max(1, brute.cost), shown).toBeLessThan(1e-9);
      const tied = answer.warnings.some(({ code }) => code === 'ties');
      // The naive queue rounds at 1e−9, the solver counts ties at 1e−12: what is no tie to the first is none to the
      // other.
      if (brute.ties === 1) expect(tied, shown).toBe(false);
      ties.push(tied);
    }
    expect(ties.filter(Boolean).length).toBeLessThan(ties.length);
  });

  it('looks at C(K+N, N−1) vectors, each once', () => {
    for (const [capacity, modes, count] of [
      [5, 4, 84],
      [30, 4, 5984],
      [100, 4, 182_104],
      [3, 1, 1],
      [4, 2, 6],
    ]) {
      expect(countThresholdVectors(capacity, modes)).toBe(count);
    }
    expect([...nonDecreasing(3, -1, 5)]).toHaveLength(84);
    expect(solved({ ...example(), costs: exampleCosts }).statistics.examined).toBe(84);
  });

  it('by enumeration with five or more modes is that of plain enumeration', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const problem = {
        ...randomQueue(seed + 500, { modes: 5 + (seed % 2), exponential: true, capacity: 1 + (seed % 4) }),
        discipline: 'fifo' as const,
        costs: randomCosts(seed),
        options: { search: 'enumerate' as const },
      };
      expect(costIn(solved(problem)), JSON.stringify(problem)).toBeCloseTo(bruteForce(problem).cost, 10);
    }
  });

  it('has no cheaper neighbour among subsets: the subsets table holds the optimum', () => {
    const answer = solved({ ...example(), costs: exampleCosts });
    expect(answer.subsets).toHaveLength(11);
    expect(Math.min(...(answer.subsets ?? []).map(({ cost }) => cost))).toBeCloseTo(costIn(answer), 10);
    for (const { modes, thresholds } of answer.subsets ?? []) {
      expect(thresholds).toHaveLength(modes.length - 1);
      expect(thresholds.every((t, i) => t >= 0 && t <= 4 && (i === 0 || t >= thresholds[i - 1]))).toBe(true);
    }
  });

  it('is found for random pick-up and for ordered phases by evaluating every vector', () => {
    const phases = {
      initial: [0.9, 0.1],
      generator: [
        [-3, 0],
        [0, -0.3 / 14.1],
      ],
    };
    for (const change of [
      { discipline: 'random' as const, capacity: 3 },
      { discipline: 'random' as const, obsolescence: phases, capacity: 2 },
      { obsolescence: phases, capacity: 2 },
    ]) {
      const problem = { ...example(change), costs: exampleCosts };
      const answer = solved(problem);
      expect(answer.status).toBe('optimal');
      expect(answer.statistics.solver).toBe('enumeration');
      expect(costIn(answer)).toBeCloseTo(bruteForce(problem).cost, 10);
      expect(answer.subsets).toHaveLength(11);
    }
  });

  it('under random pick-up is found by splitting when nothing depends on the response time', () => {
    const problem = { ...example({ discipline: 'random', capacity: 3 }), costs: { ...exampleCosts, response: 0 } };
    const answer = solved(problem);
    expect(answer.statistics.solver).toBe('splitting');
    expect(costIn(answer)).toBeCloseTo(bruteForce(problem).cost, 10);
  });
});

describe('branch and bound', () => {
  const manyModes = (capacity: number, factors: readonly number[]): ThresholdPolicyProblem => ({
    ...realData({ capacity, arrivals: { model: 'scaled', matrices: realMatrices(), factors } }),
    costs: realCosts,
  });

  it('proves what enumeration finds, on queues too large for auto to enumerate', () => {
    const factors = Array.from({ length: 8 }, (_, i) => 0.6 * (i + 1));
    const problem = manyModes(16, factors);
    const proved = solved(problem);
    const enumerated = solved({ ...problem, options: { search: 'enumerate' } });
    expect(proved.statistics.solver).toBe('branch-and-bound');
    expect(proved.status).toBe('optimal');
    expect(enumerated.statistics.solver).toBe('splitting');
    expect(costIn(proved)).toBeCloseTo(costIn(enumerated), 6);
    expect(boundIn(proved)).toBeLessThanOrEqual(costIn(enumerated));
  });

  it('proves sixteen modes at capacity 100 on the real data', () => {
    const answer = solved(
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
    const answer = solveThresholdPolicy(problem, impatient(4));
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
    expect(answer.status).toBe('feasible');
    expect(boundIn(answer)).toBeLessThan(costIn(answer));
    expect(boundIn(answer)).toBeLessThanOrEqual(costIn(solved(problem)));
  });

  it('keeps limits, or says that none of the modes can', () => {
    const factors = Array.from({ length: 8 }, (_, i) => 0.6 * (i + 1));
    const problem = { ...manyModes(14, factors), constraints: { lossProbability: 0.01, activeCrawlers: 3 } };
    const proved = solved(problem);
    const enumerated = solved({ ...problem, options: { search: 'enumerate' } });
    expect(costIn(enumerated)).toBeGreaterThanOrEqual(boundIn(proved) * (1 - 1e-9));
    expect(costIn(proved)).toBeGreaterThanOrEqual(costIn(enumerated) * (1 - 1e-9));
    const impossible = solved({ ...problem, constraints: { starvationProbability: 1e-3 } });
    expect(impossible.status).toBe('infeasible');
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
      const free = solved(base);
      const measures = measuresIn(free);
      const problem = {
        ...base,
        constraints: {
          lossProbability: measures.lossProbability * 0.8,
          starvationProbability: Math.min(1, measures.starvationProbability * 1.3),
        },
      };
      const answer = solved(problem);
      const brute = bruteForce(problem);
      const shown = JSON.stringify(problem);
      feasible.push(brute.cost < Number.POSITIVE_INFINITY);
      if (brute.cost === Number.POSITIVE_INFINITY) expect(answer.status, shown).toBe('infeasible');
      else expect(costIn(answer), shown).toBeCloseTo(brute.cost, 8);
    }
    expect(new Set(feasible), 'some queues can keep the limits, some cannot').toEqual(new Set([true, false]));
  });

  it('that are met exactly by the optimum are kept', () => {
    const free = solved({ ...example(), costs: exampleCosts });
    const { lossProbability, responseTime } = measuresIn(free);
    const answer = solved({ ...example(), costs: exampleCosts, constraints: { lossProbability, responseTime } });
    expect(costIn(answer)).toBeCloseTo(costIn(free), 12);
  });

  it('that clash are answered with how low each can go and who comes nearest', () => {
    const answer = solved({
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

describe('local search', () => {
  it('finds the optimum of the paper, and claims no more than its bound shows', () => {
    const problem = { ...example({ capacity: 30 }), costs: exampleCosts, options: { search: 'local' as const } };
    const answer = solved(problem);
    expect(answer.statistics.solver).toBe('local-search');
    expect(costIn(answer)).toBeCloseTo(57.232146394437, 9);
    expect(boundIn(answer)).toBeLessThanOrEqual(costIn(answer));
  });

  // by these rates the first two ended up to 194% above the optimum, in a pair of modes that no single step leads out of
  it.each([
    [2, [0.6, 1.9, 2.3, 4.7, 2.9]],
    [3, [0.8, 2.3, 2.1, 3.7, 5.9]],
    [3, [0.7, 2.6, 2.8, 5.1]],
  ])('is not caught beside the optimum of %i pages and rates %j', (capacity, rates) => {
    const modes = rates.map((rate, k) => ({ crawlers: k + 1, matrices: [[[-rate]], [[rate]]] }));
    const problem = {
      capacity,
      arrivals: { model: 'per-mode' as const, modes },
      service: { initial: [1], generator: [[-1]] },
      obsolescence: null,
      costs: { loss: 2, obsolescence: 0, response: 0, crawler: 0.3, starvation: 50 },
    };
    const best = costIn(solved(problem));
    expect(costIn(solved({ ...problem, options: { search: 'local' } }))).toBeCloseTo(best, 9);
  });
});

describe('the full-information policy', () => {
  it('costs what the reference says on both queues of the paper', () => {
    expect(solved({ ...example(), costs: exampleCosts }).fullInformation?.cost).toBeCloseTo(53.91792407925211, 9);
    expect(solved({ ...realData(), costs: realCosts }).fullInformation?.cost).toBeCloseTo(552.2959231856842, 8);
  });

  it('is the best for the modes at hand, where policy iteration alone ends in a worse one', () => {
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
    const { fullInformation, objective } = solved({
      capacity: 4,
      arrivals: { model: 'per-mode', modes: matrices.map((each, i) => ({ crawlers: [2, 5][i], matrices: each })) },
      service: { initial: [1], generator: [[-1.63]] },
      obsolescence: null,
      costs: { loss: 0.425, obsolescence: 0, response: 1.31, crawler: 0.105, starvation: 4.84 },
    });
    expect(fullInformation?.cost).toBeCloseTo(3.14603, 5);
    expect(fullInformation?.bound).toBeCloseTo(3.14603, 5);
    expect(objective?.value).toBeGreaterThan(3.14603);
  });

  it('is that of a controller who is shown the phases, and never dearer than the best thresholds', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const problem = {
        ...randomQueue(seed + 300, { modes: 3, exponential: true }),
        discipline: 'fifo' as const,
        costs: randomCosts(seed),
      };
      const answer = solved(problem);
      const { cost, bound } = defined(answer.fullInformation);
      expect(cost, JSON.stringify(problem)).toBeLessThanOrEqual(costIn(answer) * (1 + 1e-9));
      const shown = costIn(solved({ ...problem, observe: 'phases' }));
      expect(Math.abs(cost - shown), JSON.stringify(problem)).toBeLessThanOrEqual(1e-8 * shown);
      expect(bound, JSON.stringify(problem)).toBeLessThanOrEqual(shown * (1 + 1e-9));
    }
  });
});

describe('remarks', () => {
  it('tell ties, the edge of the modes, and modes out of order', () => {
    const single = [[[-1]], [[1]]];
    const twice = { crawlers: 2, matrices: single };
    const tied = solved({
      ...example({ arrivals: { model: 'per-mode', modes: [{ crawlers: 1, matrices: single }, twice] } }),
      costs: { loss: 1, obsolescence: 1, response: 1, crawler: 0, starvation: 1 },
    });
    expect(tied.warnings.map(({ code }) => code)).toEqual(['modes-out-of-order', 'ties', 'optimum-on-edge']);
    expect(tied.warnings[0].pointer).toBe('/arrivals/modes/1');
    const starving = solved({ ...example({ modes: [1, 2] }), costs: { ...exampleCosts, starvation: 1e6 } });
    expect(starving.warnings.map(({ code }) => code)).toContain('optimum-on-edge');
  });
});

describe('a budget that ends', () => {
  it('before anything was measured leaves nothing to return', () => {
    const phases = {
      initial: [0.9, 0.1],
      generator: [
        [-3, 0],
        [0, -0.3 / 14.1],
      ],
    };
    const problem = { ...example({ obsolescence: phases }), costs: exampleCosts };
    expect(() => solveThresholdPolicy(problem, impatient(0))).toThrow(NothingToReturn);
  });

  it('during enumeration leaves the best so far', () => {
    const problem = { ...example({ capacity: 40 }), costs: exampleCosts };
    const answer = solveThresholdPolicy(problem, impatient(30));
    expect(answer.status).toBe('feasible');
    expect(costIn(answer)).toBeGreaterThanOrEqual(57.2321);
    expect(boundIn(answer)).toBeLessThanOrEqual(57.2322);
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  });
});
