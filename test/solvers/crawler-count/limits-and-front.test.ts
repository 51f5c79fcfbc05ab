import { describe, expect, it } from 'vitest';
import { certifyCrawlerCount } from '../../../src/certificates/crawler-count.ts';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlerCountProblem, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import { countConflict } from '../../../src/solvers/crawler-count/limited-counts.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { defined } from '../../defined.ts';
import { bestOf } from './best-of.ts';

/** An M/M/1/K queue by its shares, one by one. */
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
  it('is no conflict where the time ends before it is known how near the limits can be kept', () => {
    const each = [{ name: 'lossRate' as const, limit: 0, from: 1, to: 0 }];
    expect(() => countConflict({ from: 1, to: 0, each }, 10, () => null)).toThrow(NothingToReturn);
  });

  it('has prices that are numbers where only a starvation below what doubles hold is allowed', () => {
    const answer = solveCrawlerCount(
      {
        crawlerRate: 1.1532775339721069,
        service: { type: 'erlang', shape: 6, rate: 10.629921543555154 },
        capacity: 5,
        costs: { loss: 1, starvation: 4.565912707278496, crawler: 0 },
        constraints: { starvationProbability: 0 },
      },
      unlimitedBudget(),
    );
    for (const price of Object.values(defined(answer.beside.dualPrices))) {
      expect(price >= 0 && price <= Number.MAX_VALUE, `${price}`).toBe(true);
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
        const conflict = defined(answer.conflict);
        for (const { constraint, from, to } of conflict.limits) {
          const limit = defined(constraints[constraint]);
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
      // What the price promises is what the next count saves.
      expect(Object.keys(answer.beside.dualPrices ?? {}).sort()).toEqual(Object.keys(constraints).sort());
      for (const [name, price] of Object.entries(answer.beside.dualPrices ?? {})) {
        if (price === 0) continue;
        const beyond = bestOf(answer).crawlers + (name === 'starvationProbability' ? -1 : 1);
        const more = Number(Reflect.get(at(beyond), name)) - Number(Reflect.get(at(bestOf(answer).crawlers), name));
        const cost =
          plain.costs.starvation * at(beyond).starvationProbability +
          at(beyond).lossRate +
          plain.costs.crawler * beyond;
        expect(price * more).toBeCloseTo(bestOf(answer).cost - cost, 9);
      }
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

describe('the front of counts', () => {
  it('gives each count the prices at which the solver chooses it', () => {
    let asked = 0;
    for (const service of [exponential(1), { type: 'deterministic', value: 1 }] as const) {
      const plain = randomProblem(7);
      const problem = { ...plain, service, costs: { ...plain.costs, crawler: 0 }, crawlers: 40 };
      const asking: CrawlerCountProblem = { ...problem, front: { criteria: ['loss', 'starvation'] } };
      const answer = solveCrawlerCount(asking, unlimitedBudget());
      expect(certifyCrawlerCount(asking, answer)).toEqual([]);
      const points = defined(answer.beside.front);
      const [first, ...others] = points;
      const moved = { ...first, criteria: { loss: 1.00001 * defined(first.criteria.loss), starvation: 0.5 } };
      expect(
        certifyCrawlerCount(asking, { ...answer, beside: { ...answer.beside, front: [moved, ...others] } }).join('\n'),
      ).toMatch(/^point 0 of the/);
      expect(points.length).toBeGreaterThan(5);
      for (const { policy, weightOfSecond } of points) {
        const [low, high] = defined(weightOfSecond);
        const costs = { ...problem.costs, starvation: high === null ? 2 * low : (low + high) / 2 };
        asked++;
        expect(bestOf(solveCrawlerCount({ ...problem, costs }, unlimitedBudget())).crawlers).toBe(policy.crawlers);
      }
    }
    expect(asked).toBeGreaterThan(20);
  });

  it('has only vertices against the mean time in system, and one count where an idle index costs nothing', () => {
    const problem = { ...randomProblem(5), crawlers: 40 };
    const ask = (criteria: readonly ('loss' | 'starvation' | 'response' | 'crawlers')[]) => {
      const asking: CrawlerCountProblem = { ...problem, front: { criteria } };
      const answer = solveCrawlerCount(asking, unlimitedBudget());
      expect(certifyCrawlerCount(asking, answer)).toEqual([]);
      return defined(answer.beside.front);
    };
    const points = ask(['response', 'starvation']);
    const values = points.map(({ criteria }) => [defined(criteria.response), defined(criteria.starvation)]);
    for (let i = 1; i + 1 < values.length; i++) {
      const [[x, y], [u, v], [p, q]] = [values[i - 1], values[i], values[i + 1]];
      expect((u - x) * (q - y) - (v - y) * (p - x)).toBeGreaterThan(0);
    }
    expect(points.length).toBeGreaterThan(3);
    expect(ask(['loss', 'crawlers'])).toHaveLength(1);
    expect(ask(['loss', 'starvation', 'crawlers']).length).toBeGreaterThan(20);
  });
});

describe('a front whose second criterion rounds to 0', () => {
  it('ends where no price is enough for more of it', () => {
    const problem: CrawlerCountProblem = {
      crawlerRate: 18.92,
      service: { type: 'deterministic', value: 6.8 },
      capacity: 14,
      costs: { loss: 1, starvation: 5.7, crawler: 17.6 },
      crawlers: 19,
      front: { criteria: ['loss', 'starvation'] },
    };
    const answer = solveCrawlerCount(problem, unlimitedBudget());
    expect(certifyCrawlerCount(problem, answer)).toEqual([]);
    const front = defined(answer.beside.front);
    expect(front.length).toBeGreaterThan(0);
    for (const [i, { weightOfSecond }] of front.entries()) {
      const [from, to] = defined(weightOfSecond);
      expect(from).toSatisfy(Number.isFinite);
      if (i === front.length - 1) expect(to).toBeNull();
      else expect(to).toSatisfy(Number.isFinite);
    }
  });
});

describe('where all crawlers there are run', () => {
  it('a limit has no price: loosening it saves nothing', () => {
    const problem: CrawlerCountProblem = {
      crawlerRate: 1,
      service: exponential(10),
      capacity: 5,
      costs: { loss: 1, starvation: 1, crawler: 0 },
      crawlers: 3,
      constraints: { lossProbability: 0.00179 },
    };
    const answer = solveCrawlerCount(problem, unlimitedBudget());
    expect(answer.solution?.crawlers).toBe(3);
    expect(answer.beside.dualPrices).toEqual({ lossProbability: 0 });
  });

  it('the price of a limit is what the next count saves, and 0 with no next count, whatever the problem', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const plain = randomProblem(seed);
      const free = bestOf(solveCrawlerCount(plain, unlimitedBudget()));
      const problem = { ...plain, crawlers: free.crawlers, constraints: { lossProbability: free.lossProbability } };
      expect(solveCrawlerCount(problem, unlimitedBudget()).beside.dualPrices, `${seed}`).toEqual({
        lossProbability: 0,
      });
    }
  });
});

describe('a front of very many counts', () => {
  it('keeps the count that is best at every price where one count is best for long', () => {
    const problem: CrawlerCountProblem = {
      crawlerRate: 1e-4,
      service: exponential(1),
      capacity: 20,
      costs: { loss: 1, starvation: 1, crawler: 0 },
    };
    const asking: CrawlerCountProblem = { ...problem, front: { criteria: ['loss', 'starvation'] } };
    const { front, ...beside } = solveCrawlerCount(asking, unlimitedBudget()).beside;
    const listed = defined(front).map(({ policy }) => policy.crawlers);
    expect(beside).toEqual({});
    expect(listed.length).toBeLessThanOrEqual(200);
    let few = 0;
    for (let e = -120; e <= 6; e += 0.5) {
      const costs = { ...problem.costs, starvation: 10 ** e };
      const { crawlers } = bestOf(solveCrawlerCount({ ...problem, costs }, unlimitedBudget()));
      const nearest = listed.reduce((a, b) => (Math.abs(b - crawlers) < Math.abs(a - crawlers) ? b : a));
      if (crawlers <= 5) few++;
      // Listed itself where a count is best for long, else within two neighbours on a logarithmic scale.
      expect(Math.abs(Math.log(nearest / crawlers)), `${crawlers} at 1e${e}`).toBeLessThan(crawlers <= 5 ? 1e-12 : 0.5);
    }
    expect(few).toBeGreaterThan(0);
  });
});
