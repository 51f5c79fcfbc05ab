/** Requests of more rows than a function takes arguments: what is looked for among all of them is found. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { priceOfRate } from '../../src/solvers/crawl-price/index.ts';
import { shareCrawls } from '../../src/solvers/crawl-price/share-crawls.ts';

const many = 200_000;
const list = (of: (i: number) => number): number[] => Array.from({ length: many }, (_, i) => of(i));

describe('of many rows', () => {
  it('the buckets of a host within its limit all have the price of all', () => {
    const column = (of: (i: number) => number): Float64Array => Float64Array.from(list(of));
    const histogram = {
      pages: column(() => 1),
      changeRate: column(() => 1),
      weight: column(() => 1),
      changeRateLogRatio: column(() => 0),
      ratioMin: column(() => 1),
      ratioMax: column(() => 1),
    };
    const problem = { objective: 'freshness' as const, rate: many, histogram, host: new Int32Array(many) };
    const answer = priceOfRate({ ...problem, maxRate: Float64Array.of(2 * many) }, unlimitedBudget());
    expect(answer.hosts[0]).toMatchObject({ limited: false, price: answer.price });
  });

  it('the hosts that pass their limits together are all kept to them', () => {
    const groups = Array.from({ length: many }, () => ({
      host: 'h',
      limited: false,
      price: 1,
      demand: 1,
      maxRate: 0.5,
    }));
    const { groups: shared, unusedCrawls } = shareCrawls(groups, many);
    expect(shared.every(({ crawlRate }) => crawlRate === 0.5)).toBe(true);
    expect(unusedCrawls).toBe(many / 2);
  });
});
