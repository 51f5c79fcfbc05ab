/** How few crawls keep a target of very many pages, against the forward question of that number and of one less. */
import { describe, expect, it } from 'vitest';
import { crawlAllocationRequest } from '../../src/schemas/crawl-allocation.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { allocateCrawls, solveAllocationTarget } from '../../src/solvers/crawl-allocation/index.ts';
import type { ObjectiveName } from '../../src/solvers/pages/objectives/index.ts';
import { type Mix, manyPages } from '../solvers/crawl-allocation/many-pages.ts';

const count = 66_000;
const budget = unlimitedBudget();

function problemOf(mix: Mix, objective: ObjectiveName = 'freshness') {
  const pages = manyPages(count, mix, 7);
  return crawlAllocationRequest.parse({ interval: 1, crawls: 3 * count, objective, pages }).problem;
}

function leastOf(problem: ReturnType<typeof problemOf>, crawls: number): number {
  const answer = allocateCrawls({ ...problem, crawls }, budget);
  return answer.status === 'infeasible' ? Number.NaN : answer.objective.value;
}

describe('the least crawls of very many pages', () => {
  it.each([
    ['just crawled', 4 * count, problemOf({ poisson: 0.6, lomax: 0.3, start: 'just-crawled' })],
    ['of all ages, with limits', 0.9 * count, problemOf({ poisson: 0.5, lomax: 0.4, start: 'ages', bounds: true })],
    ['never crawled', count, problemOf({ poisson: 1, lomax: 0, start: 'never' })],
    ['by delay', 2 * count, problemOf({ poisson: 1, lomax: 0, start: 'ages' }, 'delay')],
  ])('are those of which one fewer does not keep the target: %s', (_, crawls, problem) => {
    const [whole, less] = [leastOf(problem, crawls), leastOf(problem, crawls - 1)];
    // just what these crawls leave, and half way to what one fewer leaves
    for (const target of [whole, 0.5 * (whole + less)]) {
      const answer = solveAllocationTarget(
        problem,
        { measure: 'staleness', value: target, scale: 1, maxResidual: target },
        budget,
      );
      if (answer.status === 'infeasible') throw new Error('the target can be reached');
      expect(answer.crawlObjective).toEqual({ value: crawls, bound: crawls, gap: 0 });
      expect(answer.crawls.reduce((sum, each) => sum + each, 0)).toBe(crawls);
      expect(answer.objective.value).toBeLessThanOrEqual(whole * (1 + 1e-12));
    }
  });
});
