import { describe, expect, it } from 'vitest';
import { bestStaticCount, measureStatic } from '../../../src/solvers/activation-policy/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { denseClasses } from './dense-activation.ts';
import { randomProblem } from './instances.ts';

describe('the best static count', () => {
  it('is the best of all counts tried one by one', () => {
    const random = seededRandom(41);
    for (let i = 0; i < 200; i++) {
      const problem = randomProblem(random, 12, 60);
      let best = Number.POSITIVE_INFINITY;
      for (let n = 1; n <= problem.crawlers; n++) best = Math.min(best, measureStatic(problem, n).cost);
      expect(bestStaticCount(problem, problem.crawlers).cost, JSON.stringify(problem)).toBeLessThanOrEqual(
        best * (1 + 1e-14),
      );
    }
  });

  it('has the averages of a queue that always reactivates', () => {
    const random = seededRandom(42);
    for (let i = 0; i < 40; i++) {
      const problem = randomProblem(random, 6, 6);
      const measures = measureStatic(problem, problem.crawlers);
      // Once all crawlers are active they stay so: a single class with r = N.
      const [dense] = denseClasses(problem, (event, _q, r) => event === 'arrival' || r < problem.crawlers);
      expect(measures.cost).toBeCloseTo(dense.cost, 9);
      expect(measures.starvationProbability).toBeCloseTo(dense.starvationProbability, 10);
      expect(measures.meanQueueLength).toBeCloseTo(dense.meanQueueLength, 9);
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

  it('does not overflow at loads from 1e−10 to 1e10', () => {
    for (const load of [1e-10, 1e-3, 1, 1e3, 1e10]) {
      const measures = measureStatic(
        { crawlerRate: load, indexingRate: 1, capacity: 900, starvationWeight: 1, crawlerCost: 0 },
        1,
      );
      expect(measures.starvationProbability).toBeCloseTo(load < 1 ? 1 - load : load === 1 ? 1 / 901 : 0, 12);
      expect(measures.lossRate / load).toBeCloseTo(load > 1 ? 1 - 1 / load : load === 1 ? 1 / 901 : 0, 12);
    }
  });
});
