import { describe, expect, it } from 'vitest';
import { deadlineBudget, NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlerCountProblem, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { exponentialRate } from '../../../src/solvers/laws/index.ts';
import { certifyCrawlerCount } from '../../certificates/queues.ts';
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

describe('a time limit', () => {
  // One evaluation takes seconds: before, nothing looked at the clock within it.
  const slow: CrawlerCountProblem = {
    ...base,
    crawlerRate: 4.305520406518804e-15,
    service: { type: 'lognormal', mu: 0, sigma: 1.530282481901284 },
    capacity: 10_000,
    costs: { loss: 1, starvation: 2.7421483567678493, crawler: 0 },
  };

  it('is kept within the evaluation of one count', () => {
    let clock = 0;
    let clockReads = 0;
    const budget = deadlineBudget({
      clock: () => {
        clockReads++;
        clock += 1;
        return clock;
      },
      deadline: 3,
      seed: 0,
    });
    expect(() => solveCrawlerCount(slow, budget)).toThrow(NothingToReturn);
    expect(clockReads).toBeLessThan(10);
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
