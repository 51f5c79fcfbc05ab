/** Counts solved one after the other, each beginning where the last ended: the same answers to the bit. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlerCountProblem,
  crawlerCountsInTurn,
  solveCrawlerCount,
} from '../../../src/solvers/crawler-count/index.ts';

const inria: CrawlerCountProblem = {
  crawlerRate: 0.0153,
  indexing: { type: 'hyperexponential', probabilities: [0.0057, 0.9943], rates: [0.0014, 0.2409] },
  capacity: 20,
  starvationWeight: 0.2,
  crawlerCost: 0,
  maxCrawlers: Number.MAX_SAFE_INTEGER,
};
const lomax: CrawlerCountProblem = {
  ...inria,
  crawlerRate: 0.01,
  indexing: { type: 'lomax', shape: 2.5, scale: 1.5 },
  capacity: 100,
  starvationWeight: 2,
};
const steps = Array.from({ length: 30 }, (_, i) => i);

describe('counts in turn', () => {
  it.each<[string, CrawlerCountProblem[]]>([
    ['weights', steps.map((i) => ({ ...inria, starvationWeight: 0.05 + 0.05 * i }))],
    ['weights of a heavy tail', steps.map((i) => ({ ...lomax, starvationWeight: 0.1 + 0.3 * i }))],
    ['weights far apart', steps.map((i) => ({ ...lomax, starvationWeight: i % 2 === 0 ? 1e-3 : 1e3 }))],
    ['capacities', steps.map((i) => ({ ...inria, capacity: 1 + 3 * i }))],
    ['rates', steps.map((i) => ({ ...inria, crawlerRate: 0.001 + 0.002 * i }))],
    ['costs and a cap', steps.map((i) => ({ ...inria, crawlerCost: 0.0005 * i, maxCrawlers: 12 }))],
    ['limits', steps.map((i) => ({ ...inria, constraints: { lossProbability: 0.02 * i } }))],
  ])('over %s are those of each alone', (_name, problems) => {
    const solve = crawlerCountsInTurn();
    let moved = 0;
    let before = 0;
    for (const problem of problems) {
      const { evaluations: _, ...answer } = solve(problem, unlimitedBudget());
      const { evaluations: __, ...alone } = solveCrawlerCount(problem, unlimitedBudget());
      expect(answer).toEqual(alone);
      if (answer.best.crawlers !== before) moved++;
      before = answer.best.crawlers;
    }
    expect(moved).toBeGreaterThan(2);
  });

  it.each<[string, CrawlerCountProblem]>([
    ['a heavy tail', lomax],
    ['a lognormal law', { ...lomax, indexing: { type: 'lognormal', mu: -0.5, sigma: 1 } }],
    // The weights of departures grow past what doubles hold: those kept do not serve less room.
    ['a queue hardly ever idle', { ...inria, starvationWeight: 1e9 }],
  ])('over capacities of %s are those of each alone to rounding', (_name, problem) => {
    const solve = crawlerCountsInTurn();
    solve(problem, unlimitedBudget());
    for (let capacity = 1; capacity < 140; capacity += 9) {
      const { evaluations: _, ...answer } = solve({ ...problem, capacity }, unlimitedBudget());
      const alone = solveCrawlerCount({ ...problem, capacity }, unlimitedBudget());
      expect(answer.best.crawlers).toBe(alone.best.crawlers);
      for (const name of ['cost', 'starvationProbability', 'lossRate', 'throughput', 'meanQueueLength'] as const) {
        expect(answer.best[name] / alone.best[name]).toBeCloseTo(1, 11);
      }
      expect(answer.status).toBe('optimal');
    }
  });
});
