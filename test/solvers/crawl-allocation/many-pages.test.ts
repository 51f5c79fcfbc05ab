/**
 * A hundred thousand pages, where the tables decide nearly all counts, against Fox's greedy; and the tables themselves.
 */
import { describe, expect, it } from 'vitest';
import { crawlAllocationRequest } from '../../../src/schemas/crawl-allocation.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls } from '../../../src/solvers/crawl-allocation/index.ts';
import { closedForms, costOf, heapGreedy } from './heap-greedy.ts';
import { type Mix, manyPages } from './many-pages.ts';

function solved(count: number, crawls: number, mix: Mix) {
  const columns = manyPages(count, mix);
  const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls, pages: columns });
  const result = allocateCrawls(problem, unlimitedBudget());
  if (result.status === 'infeasible') throw new Error(result.conflict.detail);
  return { columns, allocation: result };
}

const cases: [string, number, Mix][] = [
  ['Poisson pages', 500_000, { poisson: 1, lomax: 0 }],
  ['Poisson pages, few crawls', 20_000, { poisson: 1, lomax: 0 }],
  ['Poisson pages, true Zipf rates', 200_000, { poisson: 1, lomax: 0, theta: 0 }],
  ['Poisson pages never crawled', 150_000, { poisson: 1, lomax: 0, start: 'never' }],
  ['Lomax pages', 300_000, { poisson: 0, lomax: 1 }],
  ['Lomax pages, light tails', 300_000, { poisson: 0, lomax: 1, alpha: 7.5 }],
  ['a mixture', 500_000, { poisson: 0.6, lomax: 0.3 }],
  ['a mixture with ages', 250_000, { poisson: 0.6, lomax: 0.3, start: 'ages' }],
  ['a mixture with ages and bounds', 300_000, { poisson: 0.6, lomax: 0.3, start: 'ages', bounds: true }],
];

describe('a hundred thousand pages', () => {
  it.each(cases)('cost what the greedy reaches: %s', (_, crawls, mix) => {
    const { columns, allocation } = solved(100_000, crawls, mix);
    const staleness = closedForms(columns);
    const greedy = heapGreedy(staleness, columns.weight, crawls, columns.minCrawls, columns.maxCrawls);
    const best = costOf(staleness, columns.weight, greedy);
    expect(allocation.crawls.reduce((sum, x) => sum + x, 0)).toBe(crawls);
    expect(Math.abs(costOf(staleness, columns.weight, allocation.crawls) - best)).toBeLessThan(1e-9 * best);
    expect(Math.abs(allocation.objective.value - best)).toBeLessThan(1e-9 * best);
    expect(allocation.certificate.maxNextGain).toBeLessThanOrEqual(allocation.certificate.minLastGain);
    expect(allocation.status === 'optimal').toBe(true);
    // the margins around integers are wide enough: one attempt was enough for the certificate
  });

  it.each(['weibull', 'gamma', 'lognormal', 'deterministic'])(
    'of one %s law are certified, by whichever route the law is asked',
    (process) => {
      const rates = manyPages(12_000, { poisson: 1, lomax: 0 }).changeRate.map((rate) => rate ?? 1);
      const scale = rates.map((rate) => 1 / rate);
      const pages = {
        process,
        shape: 1.5,
        scale,
        rate: rates,
        sigma: 1,
        mu: scale.map(Math.log),
        value: scale,
        lastCrawlAge: 0.2,
      };
      const few = 4000;
      const cut = Object.fromEntries(
        Object.entries(pages).map(([name, column]) => [name, Array.isArray(column) ? column.slice(0, few) : column]),
      );
      for (const [columns, count] of [
        [pages, 12_000],
        [cut, few],
      ] as const) {
        const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls: 2 * count, pages: columns });
        const result = allocateCrawls(problem, unlimitedBudget());
        if (result.status === 'infeasible') throw new Error(result.conflict.detail);
        const { crawls, certificate } = result;
        expect(crawls.reduce((sum, x) => sum + x, 0)).toBe(2 * count);
        expect(certificate.maxNextGain).toBeLessThanOrEqual(certificate.minLastGain);
      }
    },
  );

  it.each([
    ['deterministic', { process: 'deterministic', value: 0.01 }],
    ['Poisson', { changeRate: 1e5 }],
  ])('that are all stale nearly all the time tie in thousands of crawls each, and share them evenly: %s', (_, kind) => {
    const pages = { ...kind, weight: new Array<number>(20_000).fill(1) };
    const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls: 500_003, pages });
    const result = allocateCrawls(problem, unlimitedBudget());
    if (result.status === 'infeasible') throw new Error(result.conflict.detail);
    expect([...new Set(result.crawls)].sort()).toEqual([25, 26]);
    expect(result.crawls.reduce((sum, x) => sum + x, 0)).toBe(500_003);
    expect(result.certificate.maxNextGain).toBe(result.certificate.minLastGain);
  });
});
