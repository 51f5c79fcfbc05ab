/** When crawls should be made: where the model says (that no times are better: objectives.test.ts). */
import { describe, expect, it } from 'vitest';
import { certifiedAllocation, type Problem, poissonPage } from './allocation-request.ts';

function timesOf(problem: Problem, seed = 0): number[][] {
  const result = certifiedAllocation({ ...problem, idealTimes: true }, seed);
  if (result.idealTimes === null) throw new Error('expected times');
  const { offsets, times } = result.idealTimes;
  return problem.pages.map((_, i) => [...times.subarray(offsets[i], offsets[i + 1])]);
}

describe('ideal crawl times', () => {
  it('divide the time since the last crawl evenly, or start at once when the age is longer than a gap', () => {
    expect(timesOf({ interval: 10, crawls: 4, pages: [poissonPage(1, { lastCrawlAge: 0 })] })[0]).toEqual([2, 4, 6, 8]);
    expect(timesOf({ interval: 10, crawls: 3, pages: [poissonPage(1, { lastCrawlAge: 2 })] })[0]).toEqual([1, 4, 7]);
    expect(timesOf({ interval: 10, crawls: 4, pages: [poissonPage(1, { lastCrawlAge: 100 })] })[0]).toEqual([
      0, 2.5, 5, 7.5,
    ]);
  });

  it('give pages never crawled a seeded phase inside the first gap', () => {
    const pages = Array.from({ length: 200 }, () => poissonPage(1, { minCrawls: 4, maxCrawls: 4 }));
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
