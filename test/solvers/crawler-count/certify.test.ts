import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { certifyCrawlerCount, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import type { Distribution } from '../../../src/solvers/distributions/index.ts';

const laws: Distribution[] = [
  { type: 'uniform', min: 0.5, max: 2 },
  { type: 'lognormal', mu: 0, sigma: 1.5 },
  { type: 'weibull', shape: 0.4, scale: 1 },
  { type: 'pareto', shape: 1.5, scale: 0.3 },
  { type: 'lomax', shape: 2.1, scale: 1 },
  { type: 'gamma', shape: 0.3, rate: 1 },
  { type: 'gamma', shape: 30, rate: 30 },
];

describe('the certificate of a count', () => {
  it.each(laws)('computes the cost of $type indexing by itself, and sees one that is wrong by 1e−7', (indexing) => {
    const problem = {
      crawlerRate: 0.1,
      indexing,
      capacity: 12,
      starvationWeight: 1.3,
      crawlerCost: 0,
      maxCrawlers: 1e6,
    };
    const answer = solveCrawlerCount(problem, unlimitedBudget());
    expect(certifyCrawlerCount(problem, answer)).toEqual([]);
    const best = { ...answer.best, cost: answer.best.cost * (1 + 1e-7) };
    expect(certifyCrawlerCount(problem, { ...answer, best })).not.toEqual([]);
    const dearer = solveCrawlerCount({ ...problem, maxCrawlers: answer.best.crawlers - 1 }, unlimitedBudget());
    expect(certifyCrawlerCount(problem, { ...dearer, proved: true })).not.toEqual([]);
  });
});
