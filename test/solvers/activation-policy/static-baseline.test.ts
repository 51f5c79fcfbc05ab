import { describe, expect, it } from 'vitest';
import { bestStaticCount } from '../../../src/solvers/activation-policy/index.ts';
import { type CrawlerCountProblem, measureCount } from '../../../src/solvers/crawler-count/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { Queue } from './dense-activation.ts';
import { randomProblem } from './instances.ts';

const countOf = ({
  crawlerRate,
  indexingRate,
  capacity,
  starvationWeight,
  crawlerCost,
}: Queue): CrawlerCountProblem => ({
  crawlerRate,
  service: { type: 'exponential', rate: indexingRate },
  capacity,
  costs: { loss: 1, starvation: starvationWeight, crawler: crawlerCost },
});

describe('the best static count', () => {
  it('is the best of all counts tried one by one', () => {
    const random = seededRandom(41);
    for (let i = 0; i < 200; i++) {
      const problem = randomProblem(random, 12, 60);
      let best = Number.POSITIVE_INFINITY;
      for (let n = 1; n <= problem.crawlers; n++) best = Math.min(best, measureCount(countOf(problem), n).cost);
      expect(bestStaticCount(problem, problem.crawlers).cost, JSON.stringify(problem)).toBeLessThanOrEqual(
        best * (1 + 1e-14),
      );
    }
  });

  it('is found without a limit even where it is a number of many digits', () => {
    const found = bestStaticCount({
      crawlerRate: 1e-9,
      indexingRate: 1,
      capacity: 10,
      starvationWeight: 1.2,
      crawlerCost: 0,
    });
    // γ(K) = (K + 2)/K = 1.2: load 1 is best, 1e9 crawlers (Liu & Nain, section 1.2.1.2); flat to rounding around it.
    expect(Math.abs(found.crawlers / 1e9 - 1)).toBeLessThan(1e-3);
    expect(found.cost).toBeCloseTo(0.2, 12);
  });
});
