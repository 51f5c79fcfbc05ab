import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { countEvaluator, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { exponentialRate } from '../../../src/solvers/laws/index.ts';
import { certifyCrawlerCount } from '../../certificates/queues.ts';
import { endingBudget } from '../ending-budget.ts';
import { bestOf, closedFormOf } from './best-of.ts';

const base = {
  crawlerRate: 0.07,
  capacity: 20,
  costs: { loss: 1, starvation: 3, crawler: 0.001 },
};

describe('exponential service in disguise', () => {
  const disguises: [string, Distribution][] = [
    [
      'phases that all end at one rate',
      {
        type: 'phase-type',
        initial: [0.4, 0.6],
        generator: [
          [-5, 3],
          [1, -3],
        ],
      },
    ],
    [
      'a start that stays in proportion',
      {
        type: 'phase-type',
        initial: [0.5, 0.5],
        generator: [
          [-3, 2],
          [1, -4],
        ],
      },
    ],
    [
      'a phase that is never reached',
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-2, 0],
          [7, -9],
        ],
      },
    ],
    ['equal branches', { type: 'hyperexponential', probabilities: [0.3, 0.7], rates: [2, 2] }],
    ['a Weibull law of shape 1', { type: 'weibull', shape: 1, scale: 0.5 }],
  ];
  const plain = solveCrawlerCount({ ...base, service: { type: 'exponential', rate: 2 } }, unlimitedBudget());

  for (const [name, service] of disguises) {
    it(`as ${name} gets what is known of exponential service`, () => {
      expect(exponentialRate(service)).toBeCloseTo(2, 12);
      const answer = solveCrawlerCount({ ...base, service }, unlimitedBudget());
      expect(bestOf(answer).crawlers).toBe(bestOf(plain).crawlers);
      expect(bestOf(answer).cost).toBeCloseTo(bestOf(plain).cost, 12);
      expect(closedFormOf(answer).continuous.crawlers).toBeCloseTo(closedFormOf(plain).continuous.crawlers, 9);
      expect(certifyCrawlerCount({ ...base, service }, answer)).toEqual([]);
    });
  }

  it('is not seen where rates only look alike beside a fast one', () => {
    const nearly: Distribution = {
      type: 'phase-type',
      initial: [1, 0],
      generator: [
        [-1e8 - 1e-3, 1e8],
        [1, -1.01],
      ],
    };
    expect(exponentialRate(nearly)).toBeNull();
  });
});

describe('a budget that ends', () => {
  it('stops the search before the next count is evaluated', () => {
    const budget = endingBudget(2);
    const service: Distribution = { type: 'lognormal', mu: 0, sigma: 1.5 };
    expect(() => solveCrawlerCount({ ...base, service }, budget)).toThrow(NothingToReturn);
    expect([budget.polled, budget.reports.length]).toEqual([3, 2]);
  });

  it('stops a search that only revisits counts', () => {
    const budget = endingBudget(3);
    const evaluate = countEvaluator({ ...base, service: { type: 'exponential', rate: 2 } }, budget);
    const revisit = (): void => {
      for (let visits = 0; visits < 100; visits++) evaluate(5);
    };
    expect(revisit).toThrow(NothingToReturn);
    expect([budget.polled, budget.reports.length]).toEqual([4, 1]);
  });
});

describe('a queue that is overwhelmed', () => {
  it.each([1e9, 1e22, 1e60])('loses all pages and no more at a load of %d', (load) => {
    const service: Distribution = { type: 'lognormal', mu: Math.log(load / base.crawlerRate) - 0.6, sigma: 1.1 };
    for (const capacity of [1, 7, 24, 200]) {
      const best = bestOf(solveCrawlerCount({ ...base, capacity, service }, unlimitedBudget()));
      expect(best.lossProbability).toBeLessThanOrEqual(1);
      expect(best.lossProbability).toBeGreaterThan(1 - 2e-9);
      expect(best.meanQueueLength).toBeLessThanOrEqual(capacity);
    }
  });
});
