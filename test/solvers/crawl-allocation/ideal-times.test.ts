/** When crawls should be made: where the model says, and nowhere better. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls } from '../../../src/solvers/crawl-allocation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { allocationRequest, type Page, type Problem } from './allocation-request.ts';

function timesOf(problem: Problem, seed = 0): number[][] {
  const result = allocateCrawls(allocationRequest({ ...problem, idealTimes: true }), unlimitedBudget(seed));
  if (result.status === 'infeasible' || result.idealTimes === null) throw new Error('expected times');
  const { offsets, times } = result.idealTimes;
  return problem.pages.map((_, i) => [...times.subarray(offsets[i], offsets[i + 1])]);
}

/** Staleness of a Poisson page last crawled at −age, crawled at the given times, by summing its gaps. */
function poissonCost(rate: number, interval: number, age: number, times: readonly number[]): number {
  const h = (tau: number): number => tau + Math.expm1(-rate * tau) / rate;
  const all = [...times].sort((a, b) => a - b);
  let from = 0;
  let since = age;
  let sum = 0;
  for (const time of [...all, interval]) {
    sum += h(since + time - from) - h(since);
    from = time;
    since = 0;
  }
  return sum / interval;
}

const poisson = (rate: number, more: Partial<Page> = {}): Page => ({ updates: { type: 'poisson', rate }, ...more });

describe('ideal crawl times', () => {
  it('divide the time since the last crawl evenly, or start at once when the age is longer than a gap', () => {
    expect(timesOf({ interval: 10, crawls: 4, pages: [poisson(1, { lastCrawlAge: 0 })] })[0]).toEqual([2, 4, 6, 8]);
    expect(timesOf({ interval: 10, crawls: 3, pages: [poisson(1, { lastCrawlAge: 2 })] })[0]).toEqual([1, 4, 7]);
    expect(timesOf({ interval: 10, crawls: 4, pages: [poisson(1, { lastCrawlAge: 100 })] })[0]).toEqual([
      0, 2.5, 5, 7.5,
    ]);
  });

  it('reach the claimed staleness, and no other times do better', () => {
    const random = seededRandom(4);
    for (let trial = 0; trial < 60; trial++) {
      const rate = 5 * random();
      const age = random() < 0.3 ? 0 : 3 * random();
      const crawls = 1 + Math.floor(5 * random());
      const problem: Problem = { interval: 2, crawls, pages: [poisson(rate, { lastCrawlAge: age })] };
      const result = allocateCrawls(allocationRequest(problem), unlimitedBudget());
      if (result.status === 'infeasible') throw new Error('feasible');
      const [times] = timesOf(problem);
      const claimed = result.staleness[0];
      expect(poissonCost(rate, 2, age, times)).toBeCloseTo(claimed, 12);
      for (let other = 0; other < 200; other++) {
        const near = times.map((time) =>
          Math.min(2, Math.max(0, time + (random() - 0.5) * (other % 2 === 0 ? 0.05 : 2))),
        );
        expect(poissonCost(rate, 2, age, near)).toBeGreaterThan(claimed - 1e-12);
      }
    }
  });

  it('give pages never crawled a seeded phase inside the first gap', () => {
    const pages = Array.from({ length: 200 }, () => poisson(1, { minCrawls: 4, maxCrawls: 4 }));
    const problem = { interval: 1, crawls: 800, pages };
    const times = timesOf(problem, 5);
    expect(timesOf(problem, 5)).toEqual(times);
    expect(timesOf(problem, 6)).not.toEqual(times);
    for (const [first, second, third, fourth] of times) {
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first).toBeLessThan(0.25);
      expect(second - first).toBeCloseTo(0.25, 12);
      expect(third - second).toBeCloseTo(0.25, 12);
      expect(fourth).toBeLessThan(1);
    }
    const mean = times.reduce((sum, [first]) => sum + first, 0) / times.length;
    expect(Math.abs(mean - 0.125)).toBeLessThan(0.02);
  });

  it('of quasi-deterministic pages are possible updates, extra crawls in between', () => {
    const updates = { type: 'quasi-deterministic', times: [0.2, 0.5, 0.6], probabilities: [0.9, 0.1, 0.9] } as const;
    const page = (crawls: number, staleAtStart: number): Problem => ({
      interval: 1,
      crawls,
      pages: [{ updates: { ...updates, staleAtStart } }],
    });
    expect(timesOf(page(2, 0))).toEqual([[0.2, 0.6]]);
    expect(timesOf(page(1, 1))).toEqual([[0.2]]);
    expect(timesOf(page(4, 1))).toEqual([[0, 0.2, 0.5, 0.6]]);
    expect(timesOf(page(5, 1))).toEqual([[0, 0.2, 0.5, 0.5, 0.6]]);
    expect(timesOf({ ...page(2, 0), quasiDeterministic: 'greedy' })).toEqual([[0.2, 0.6]]);
  });
});
