import { describe, expect, it } from 'vitest';
import { certifyCrawlerCount } from '../../../src/certificates/crawler-count.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { bestOf } from './best-of.ts';

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
  it.each(laws)('computes the cost of $type service by itself, and sees one that is wrong by 1e−7', (service) => {
    const problem = {
      crawlerRate: 0.1,
      service,
      capacity: 12,
      costs: { loss: 1, starvation: 1.3, crawler: 0 },
      crawlers: 1e6,
    };
    const answer = solveCrawlerCount(problem, unlimitedBudget());
    expect(certifyCrawlerCount(problem, answer)).toEqual([]);
    const objective = { value: bestOf(answer).cost * (1 + 1e-7), bound: 0, gap: null };
    expect(certifyCrawlerCount(problem, { ...answer, objective })).not.toEqual([]);
    const dearer = solveCrawlerCount({ ...problem, crawlers: bestOf(answer).crawlers - 1 }, unlimitedBudget());
    expect(certifyCrawlerCount(problem, { ...dearer, status: 'optimal' })).not.toEqual([]);
  });
});
