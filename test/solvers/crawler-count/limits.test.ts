import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlerCountProblem, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import { firstFailure } from '../../../src/solvers/crawler-count/optimum.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyCrawlerCount } from '../../certificates/queues.ts';
import { requireDefined } from '../../require-defined.ts';
import { bestOf } from './best-of.ts';

/** Measures of an M/M/1/K queue, summed over its stationary probabilities one by one. */
function plainQueue({ crawlerRate, capacity }: CrawlerCountProblem, mu: number, crawlers: number) {
  const rate = crawlers * crawlerRate;
  const shares = Array.from({ length: capacity + 1 }, (_, i) => (rate / mu) ** i);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const full = shares[capacity] / total;
  return {
    starvationProbability: shares[0] / total,
    lossRate: rate * full,
    lossProbability: full,
    meanQueueLength: shares.reduce((sum, share, i) => sum + (i * share) / total, 0),
  };
}

const exponential = (rate: number): Distribution => ({ type: 'exponential', rate });

function randomProblem(seed: number): CrawlerCountProblem & { readonly crawlers: number } {
  const random = seededRandom(seed);
  return {
    crawlerRate: 0.05 + 0.3 * random(),
    service: exponential(1),
    capacity: 2 + Math.floor(8 * random()),
    costs: { loss: 1, starvation: 3 * random(), crawler: random() < 0.5 ? 0 : 0.1 * random() },
    crawlers: random() < 0.5 ? 30 : 12,
  };
}

describe('a count under limits', () => {
  it('is found up to the largest integers, where a half cannot be added', () => {
    for (const last of [1, 2 ** 52 - 1, 2 ** 52, 5_630_052_121_616_151, 5_630_052_121_616_152, 2 ** 53 - 1]) {
      let trials = 0;
      const holds = (n: number): boolean => {
        if (++trials > 200) throw new Error(`no end in sight at ${n}`);
        return n <= last;
      };
      expect(firstFailure(holds, { from: 1, to: 2 ** 53 })).toBe(last + 1);
    }
  });

  it('is the cheapest of all counts that keep them, or the conflict says which counts keep which', () => {
    let [kept, clashes] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(1000 + seed);
      const plain = randomProblem(seed);
      const at = (crawlers: number) => plainQueue(plain, 1, crawlers);
      const some = at(1 + Math.floor(20 * random()));
      const constraints = {
        ...(random() < 0.6 ? { starvationProbability: some.starvationProbability * (0.9 + 0.3 * random()) } : {}),
        ...(random() < 0.4 ? { lossRate: some.lossRate * (0.9 + 0.3 * random()) } : {}),
        ...(random() < 0.4 ? { lossProbability: some.lossProbability * (0.9 + 0.3 * random()) } : {}),
        ...(random() < 0.4 ? { meanQueueLength: some.meanQueueLength * (0.9 + 0.3 * random()) } : {}),
      };
      const problem = { ...plain, constraints };
      const keeping = Array.from({ length: plain.crawlers }, (_, i) => i + 1).filter((crawlers) =>
        Object.entries(constraints).every(([name, limit]) => Number(Reflect.get(at(crawlers), name)) <= limit),
      );
      const costs = keeping.map(
        (n) => plain.costs.starvation * at(n).starvationProbability + at(n).lossRate + plain.costs.crawler * n,
      );
      const answer = solveCrawlerCount(problem, unlimitedBudget());
      expect(certifyCrawlerCount(problem, answer)).toEqual([]);
      if (keeping.length === 0) {
        clashes++;
        expect(answer.status).toBe('infeasible');
        const conflict = requireDefined(answer.conflict);
        for (const { constraint, from, to } of conflict.limits) {
          const limit = requireDefined(constraints[constraint]);
          const alone = Array.from({ length: plain.crawlers }, (_, i) => i + 1).filter(
            (n) => at(n)[constraint] <= limit,
          );
          expect([from, to]).toEqual(alone.length === 0 ? [null, null] : [alone[0], alone.at(-1)]);
        }
        continue;
      }
      kept++;
      expect(answer.status).toBe('optimal');
      expect(bestOf(answer).cost).toBeCloseTo(Math.min(...costs), 10);
    }
    expect(Math.min(kept, clashes)).toBeGreaterThan(20);
  });

  it('is certified under other laws too', () => {
    for (const service of [
      { type: 'deterministic', value: 1 },
      { type: 'lognormal', mu: -0.5, sigma: 1 },
    ] as const) {
      const problem = {
        ...randomProblem(3),
        service,
        constraints: { starvationProbability: 0.2, meanQueueLength: 2.5 },
        crawlers: 60,
      };
      expect(certifyCrawlerCount(problem, solveCrawlerCount(problem, unlimitedBudget()))).toEqual([]);
    }
  });
});
