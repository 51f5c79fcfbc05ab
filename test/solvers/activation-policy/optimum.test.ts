import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { requireDefined } from '../../require-defined.ts';
import { type ActivationTask, certifyActivation, findActivation, modelOf } from './activation-tasks.ts';
import { bestOfAllPolicies } from './all-policies.ts';
import { denseClasses, exhaustiveOptimum, ruleOf } from './dense-activation.ts';
import { randomProblem, randomProblems, randomTargets } from './instances.ts';

const figure16: ActivationTask & { crawlers: number } = {
  crawlerRate: 0.1,
  indexingRate: 1,
  capacity: 5,
  crawlers: 16,
  starvationWeight: 1.4,
  crawlerCost: 0,
};

describe('the optimal policy', () => {
  it('costs what the best of all stationary policies costs, on every tiny queue tried', () => {
    const random = seededRandom(5);
    const sizes = [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
      [2, 2],
      [3, 1],
      [4, 1],
    ];
    let tried = 0;
    for (let round = 0; round < 6; round++) {
      for (const [capacity, crawlers] of sizes) {
        const problem = { ...randomProblem(random, 1, 1), capacity, crawlers };
        const answer = findActivation(problem, unlimitedBudget());
        const best = exhaustiveOptimum(problem);
        tried += best.policies;
        const scale = Math.max(best.cost, 1e-4);
        expect(Math.abs(answer.cost - best.cost) / scale, JSON.stringify(problem)).toBeLessThan(1e-9);
        expect(answer.status).toBe('optimal');
      }
    }
    expect(tried).toBeGreaterThan(5000);
  });

  it('is the same by general policy iteration from any start, several recurrent classes included', () => {
    const random = seededRandom(6);
    for (let i = 0; i < 150; i++) {
      const problem = randomProblem(random, 12, 16);
      const answer = findActivation(problem, unlimitedBudget());
      const { cost, bound } = bestOfAllPolicies(modelOf(problem), randomTargets(random, problem, false));
      const where = JSON.stringify(problem);
      expect(Math.abs(cost - answer.cost), where).toBeLessThan(1e-9 * answer.cost + 1e-14);
      expect(bound, where).toBeLessThanOrEqual(answer.cost * (1 + 1e-12));
    }
  });

  it('without a limit is the policy of any larger number, on random instances', () => {
    for (const { crawlers: _, ...unlimited } of randomProblems(77, 60, 14, 1)) {
      const free = findActivation(unlimited, unlimitedBudget());
      const unlimitedOptimum = findActivation({ ...unlimited, crawlers: 2 * free.crawlers + 40 }, unlimitedBudget());
      const where = JSON.stringify(unlimited);
      expect(free.status, where).toBe('optimal');
      expect(certifyActivation(unlimited, free), where).toEqual([]);
      expect([...unlimitedOptimum.targets], where).toEqual([...free.targets]);
      expect(Math.abs(unlimitedOptimum.cost - free.cost), where).toBeLessThanOrEqual(1e-10 * free.cost);
    }
  });
});

describe('a running cost', () => {
  it('is equivalent to another weight of starvation, since every page is indexed or lost', () => {
    for (const problem of randomProblems(9, 80, 12, 20)) {
      const { crawlerRate, indexingRate, starvationWeight } = problem;
      for (const share of [0.1, 0.7, 0.999]) {
        // w below γλ/μ, so that the equivalent weight is positive.
        const crawlerCost = (share * starvationWeight * crawlerRate) / indexingRate;
        const perPage = crawlerCost / crawlerRate;
        const weight = (starvationWeight - perPage * indexingRate) / (1 + perPage);
        const priced = findActivation({ ...problem, crawlerCost }, unlimitedBudget());
        const free = findActivation({ ...problem, crawlerCost: 0, starvationWeight: weight }, unlimitedBudget());
        const expected = perPage * indexingRate + (1 + perPage) * free.cost;
        const where = JSON.stringify({ ...problem, crawlerCost });
        expect(Math.abs(priced.cost - expected), where).toBeLessThan(1e-11 * expected);
        expect(priced.status, where).toBe('optimal');
        const [dense] = denseClasses({ ...problem, crawlerCost }, ruleOf(problem, priced.targets));
        expect(Math.abs(priced.cost - dense.cost), where).toBeLessThan(1e-8 * dense.cost);
      }
    }
  });

  it('above what crawlers save leaves one that shuttles', () => {
    for (const problem of randomProblems(10, 60, 10, 12)) {
      const { crawlerRate, indexingRate, starvationWeight } = problem;
      for (const share of [1.01, 1.5, 4, 1e3]) {
        const crawlerCost = (share * starvationWeight * crawlerRate) / indexingRate;
        const answer = findActivation({ ...problem, crawlerCost }, unlimitedBudget());
        const where = JSON.stringify({ ...problem, crawlerCost });
        expect(answer.status, where).toBe('optimal');
        expect(answer.measures, where).toMatchObject({ maxActive: 1, minActive: 0, lossRate: 0 });
      }
    }
  });
});

describe('rates a million times apart, where pages cost next to nothing beside crawlers,', () => {
  it.each([
    { crawlerCost: 1.4e6, capacity: 30, crawlers: 40, cost: 1.4 },
    { crawlerCost: 7e5, capacity: 100, crawlers: 30, cost: 0.7 },
  ])('leave a gap of a few millionths: $crawlerCost', ({ cost, ...changes }) => {
    const answer = findActivation({ ...figure16, crawlerRate: 1e6, ...changes }, unlimitedBudget());
    expect(answer.cost).toBeCloseTo(cost, 10);
    expect(requireDefined(answer.bound, 'bound')).toBeGreaterThan(answer.cost * (1 - 1e-5));
  });
});

describe('extreme inputs are solved and proved', () => {
  const cases: [name: string, changes: Partial<ActivationTask>][] = [
    ['γ = 1e−9', { starvationWeight: 1e-9 }],
    ['γ = 1e9', { starvationWeight: 1e9 }],
    ['γ = 0', { starvationWeight: 0 }],
    ['λ ≫ μ', { crawlerRate: 1e6 }],
    ['λ ≪ μ', { crawlerRate: 1e-6 }],
    // In two instances the chain hardly ever visits the row of balanced load, μ/λ: meeting there loses every digit.
    [
      'γ = 1e−6, K = 60: a curve far below μ/λ',
      { crawlerRate: 1 / 2000, starvationWeight: 1e-6, capacity: 60, crawlers: 3000 },
    ],
    ['γ = 1e−6, N well below μ/λ', { crawlerRate: 1 / 2000, starvationWeight: 1e-6, capacity: 100, crawlers: 1000 }],
    ['N = 1', { crawlers: 1 }],
    ['K = 1', { capacity: 1 }],
    ['K = 1 and N = 1', { capacity: 1, crawlers: 1 }],
    ['K = 2', { capacity: 2 }],
    ['K = 1000, N = 3', { capacity: 1000, crawlers: 3 }],
    ['K = 1, N = 5000', { capacity: 1, crawlers: 5000 }],
    ['rates of 1e−14', { crawlerRate: 1e-15, indexingRate: 1e-14, starvationWeight: 1.4e-14 }],
    ['rates of 1e14', { crawlerRate: 1e13, indexingRate: 1e14, starvationWeight: 1.4e14 }],
    ['a cost of 1e−20: K = 60', { capacity: 60, crawlers: 60 }],
  ];
  for (const [name, changes] of cases) {
    it(name, () => {
      const problem = { ...figure16, ...changes };
      const answer = findActivation(problem, unlimitedBudget());
      expect(certifyActivation(problem, answer)).toEqual([]);
      expect(answer.status).toBe('optimal');
      expect(answer.cost - requireDefined(answer.bound, 'bound')).toBeLessThanOrEqual(
        1e-9 * Math.max(requireDefined(answer.bound, 'bound'), 1e-12),
      );
      const again = findActivation({ ...problem }, unlimitedBudget());
      expect(again).toEqual(answer);
    });
  }

  it('a change of time unit changes the cost by the same factor and the policy not at all', () => {
    const answer = findActivation(figure16, unlimitedBudget());
    for (const unit of [2 ** -40, 2 ** 40, 3600]) {
      const scaled = findActivation(
        { ...figure16, crawlerRate: 0.1 * unit, indexingRate: unit, starvationWeight: 1.4 * unit },
        unlimitedBudget(),
      );
      expect(scaled.cost / unit).toBeCloseTo(answer.cost, 13);
      expect([...scaled.targets]).toEqual([...answer.targets]);
    }
  });
});
