import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls, UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

/** What crawl x + 1 of a Poisson page never crawled saves: a page crawled x times is stale 1 − (x/μ)(1 − e^(−μ/x)). */
function gain(rate: number, weight: number, x: number): number {
  const fresh = (crawls: number): number => (crawls === 0 ? 0 : (-Math.expm1(-rate / crawls) * crawls) / rate);
  return weight * (fresh(x + 1) - fresh(x));
}

describe('pages never crawled that get one crawl or none', () => {
  it.each([0.1, 0.5, 1, 2])('get those of the largest gains, at %d crawls a page', (share) => {
    const random = seededRandom(Math.round(10 * share));
    const pages = 4000;
    const updates = new UpdateProcesses(pages);
    const rate = Float64Array.from({ length: pages }, () => 10 ** (4 * random() - 2.5));
    const weight = Float64Array.from({ length: pages }, () => 0.1 + random());
    rate.forEach((each, i) => {
      updates.setPoisson(i, each, []);
    });
    const answer = allocateCrawls(
      {
        interval: 1,
        crawls: share * pages,
        updates,
        weight,
        minCrawls: new Int32Array(pages),
        maxCrawls: new Int32Array(pages).fill(-1),
        lastCrawlAge: null,
        hosts: null,
        quasiDeterministic: 'exact',
        idealTimes: false,
        objective: 'freshness',
        baselines: false,
      },
      unlimitedBudget(),
    );
    if (answer.status === 'infeasible') throw new Error('nothing limits the counts');
    const taken: number[] = [];
    const left: number[] = [];
    answer.crawls.forEach((crawls, i) => {
      if (crawls > 0) taken.push(gain(rate[i], weight[i], crawls - 1));
      left.push(gain(rate[i], weight[i], crawls));
    });
    expect(answer.crawls.filter((crawls) => crawls === 1).length).toBeGreaterThan(pages / 20);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(Math.max(...left) - 1e-12);
  });
});
