import { describe, expect, it } from 'vitest';
import { type Budget, NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { studentQuantile } from '../../../src/solvers/numerics/special/student-t.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { type QueueSimulationProblem, solveQueueSimulation } from '../../../src/solvers/simulation/index.ts';
import { solveThresholdPolicy } from '../../../src/solvers/threshold-policy/solve.ts';
import { certifyQueueSimulation } from '../../certificates/queues.ts';
import { endingBudget } from '../ending-budget.ts';
import { example, exampleCosts, realData, twoPhases } from '../threshold-policy/cases.ts';
import { randomPolicy, randomQueue } from '../threshold-policy/random-queues.ts';

const cyclic = {
  initial: [1, 0, 0],
  generator: [
    [-0.6, 0.5, 0],
    [0.1, -0.6, 0.5],
    [0, 0.2, -0.6],
  ],
};

function certifiedSimulation(
  description: QueueDescription,
  crawlersByQueueLength: readonly number[],
  duration = 2000,
  budget: Budget = unlimitedBudget(5),
) {
  const policy = { crawlersByQueueLength };
  const problem = { queue: 'threshold-policy', description, policy, duration, replications: 20 } as const;
  const answer = solveQueueSimulation(problem, budget);
  expect(certifyQueueSimulation(problem, answer)).toEqual([]);
  return answer;
}

/** How many half-widths of their 95% interval the exact values lie away, for every measure. */
function deviations(
  description: QueueDescription,
  crawlersByQueueLength: readonly number[],
  duration?: number,
): number[] {
  const exact = solveThresholdPolicy(
    { ...description, costs: exampleCosts, evaluate: { crawlersByQueueLength } },
    unlimitedBudget(),
  ).supplement.evaluation?.measures;
  const { measures } = certifiedSimulation(description, crawlersByQueueLength, duration).solution;
  return Object.entries(measures).flatMap(([name, estimate]) => {
    const value: unknown = Reflect.get(exact ?? {}, name);
    if (estimate === null || typeof value !== 'number') return [];
    const half = (estimate.interval[1] - estimate.interval[0]) / 2;
    return half < 1e-12 ? [] : [Math.abs(estimate.mean - value) / half];
  });
}

describe('a simulated queue', () => {
  it.each([
    ['first in first out', example()],
    ['complete rejection', example({ admission: 'complete-rejection' })],
    ['complete admission', example({ admission: 'complete-admission' })],
    ['no obsolescence', example({ obsolescence: null })],
    ['obsolescence of two phases', example({ obsolescence: twoPhases })],
    ['obsolescence of three phases that are entered again', example({ obsolescence: cyclic })],
  ])('agrees with the exact measures: %s', (_, description) => {
    const halfWidths = deviations(description, [4, 3, 3, 1, 1, 1]);
    expect(halfWidths.length).toBeGreaterThanOrEqual(8);
    // A 95% half-width is about two standard errors: twice that is a chance of 1 in 3000 for each of ten measures.
    expect(Math.max(...halfWidths)).toBeLessThan(2);
  });

  it('agrees with the exact measures of the real data', () => {
    const halfWidths = deviations(realData(), [4, 4, 4, ...new Array<number>(18).fill(1)], 400_000);
    expect(Math.max(...halfWidths)).toBeLessThan(2);
  });

  it('covers the exact values at the rate its intervals claim, on random queues', () => {
    const inside: boolean[] = [];
    for (let seed = 1; seed <= 30; seed++) {
      const description = randomQueue(seed + 70, { capacity: 3 });
      inside.push(...deviations(description, randomPolicy(seed, description), 600).map((away) => away <= 1));
    }
    const share = inside.filter(Boolean).length / inside.length;
    expect(inside.length).toBeGreaterThan(200);
    expect(share).toBeGreaterThan(0.9);
  });

  it('that is stopped has no answer', () => {
    expect(() => certifiedSimulation(example(), [3, 3, 3, 1, 1, 1], 1e7, endingBudget(5))).toThrow(NothingToReturn);
  });
});

describe('a simulated activation policy', () => {
  const run = (change: Partial<Extract<QueueSimulationProblem, { queue: 'activation-policy' }>>) =>
    solveQueueSimulation(
      {
        queue: 'activation-policy',
        crawlerRate: 0.1,
        serviceRate: 1,
        capacity: 5,
        crawlers: 16,
        targets: [16, 14, 12, 9, 7, 4],
        duration: 20_000,
        replications: 20,
        ...change,
      },
      unlimitedBudget(3),
    ).solution.measures;

  it('agrees with the exact measures of Figure 1.6 (Liu & Nain 2006)', () => {
    const measures = run({});
    const exact = { activeCrawlers: 9.8042282636, starvationProbability: 0.1161736540438, lossRate: 0.0965964804082 };
    for (const [name, value] of Object.entries(exact)) {
      const estimate: unknown = Reflect.get(measures, name);
      expect(estimate).toMatchObject({ mean: expect.any(Number) });
      const { mean, interval } = Object(estimate);
      expect(Math.abs(mean - value) / ((interval[1] - interval[0]) / 2), name).toBeLessThan(2);
    }
  });
});

describe('Student’s t', () => {
  it('has the tabulated quantiles', () => {
    for (const [degrees, value] of [
      [1, 12.7062047],
      [2, 4.30265273],
      [9, 2.26215716],
      [19, 2.09302405],
      [999, 1.96234146],
    ]) {
      expect(studentQuantile(0.95, degrees)).toBeCloseTo(value, 6);
    }
  });
});

describe('the certificate of a simulation', () => {
  it('finds figures that contradict each other', () => {
    const problem = {
      queue: 'activation-policy',
      crawlerRate: 0.4,
      serviceRate: 1,
      capacity: 3,
      crawlers: 4,
      targets: [4, 3, 2, 1],
      duration: 200,
      replications: 3,
    } as const;
    const answer = solveQueueSimulation(problem, unlimitedBudget(1));
    expect(certifyQueueSimulation(problem, answer)).toEqual([]);
    const far = { mean: 9, interval: [8, 10] as const };
    const outside = { mean: 9, interval: [1, 2] as const };
    const broken = [
      { ...answer, status: 'optimal' as const },
      { ...answer, solution: { measures: { ...answer.solution.measures, activeCrawlers: far } } },
      { ...answer, solution: { measures: { ...answer.solution.measures, meanQueueLength: far } } },
      { ...answer, solution: { measures: { ...answer.solution.measures, starvationProbability: far } } },
      { ...answer, solution: { measures: { ...answer.solution.measures, lossRate: outside } } },
      { ...answer, statistics: { ...answer.statistics, replications: 4 } },
    ];
    for (const one of broken) expect(certifyQueueSimulation(problem, one)).toHaveLength(1);
  });
});
