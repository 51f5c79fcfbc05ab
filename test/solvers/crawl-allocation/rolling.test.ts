/**
 * Interval after interval with the ages carried over: what the allocation claims is what a simulation of the updates
 * and crawls realises.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls } from '../../../src/solvers/crawl-allocation/index.ts';
import { createLaw, type Distribution, type Law } from '../../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { allocationRequest, type Page } from './allocation-request.ts';

const interval = 1;

/** A page's updates, drawn as they come, from an equilibrium start: the first gap is a residual one. */
class Updates {
  private readonly law: Law;
  private readonly random: Random;
  next: number;

  constructor(law: Law, random: Random) {
    this.law = law;
    this.random = random;
    // after a long stretch of gaps the time to the next update is as in equilibrium
    const origin = 400 * law.mean * (1 + random());
    let at = 0;
    while (at < origin) at += law.sample(random);
    this.next = at - origin;
  }

  advance(): void {
    this.next += this.law.sample(this.random);
  }
}

describe('successive intervals', () => {
  it('realise the staleness claimed when ages are given', () => {
    const random = seededRandom(20);
    const laws: Distribution[] = [
      { type: 'exponential', rate: 1.7 },
      { type: 'exponential', rate: 0.3 },
      { type: 'weibull', shape: 0.7, scale: 0.6 },
      { type: 'gamma', shape: 4, rate: 5 },
      { type: 'lomax', shape: 4.5, scale: 2 },
      { type: 'deterministic', value: 0.8 },
    ];
    const copies = 150;
    const distributions = Array.from({ length: copies * laws.length }, (_, i) => laws[i % laws.length]);
    const processes = distributions.map((distribution) => new Updates(createLaw(distribution), random));
    const lastCrawl = new Float64Array(distributions.length).fill(Number.NaN);
    let claimed = 0;
    let realised = 0;
    for (let cycle = 0; cycle < 30; cycle++) {
      const start = cycle * interval;
      const pages = distributions.map(
        (distribution, i): Page => ({
          updates: { type: 'renewal', distribution },
          ...(!Number.isNaN(lastCrawl[i]) && { lastCrawlAge: start - lastCrawl[i] }),
        }),
      );
      // changing budgets: ages of every kind arise
      const crawls = Math.round(distributions.length * [0.4, 1.3, 0.8, 2.1][cycle % 4]);
      const result = allocateCrawls(
        allocationRequest({ interval, crawls, pages, idealTimes: true }),
        unlimitedBudget(cycle),
      );
      if (result.status === 'infeasible' || result.idealTimes === null) throw new Error('feasible, with times');
      const { offsets, times } = result.idealTimes;
      const count = cycle < 4;
      for (let i = 0; i < pages.length; i++) {
        const updates = processes[i];
        let from = start;
        for (let at = offsets[i]; at <= offsets[i + 1]; at++) {
          const to = at === offsets[i + 1] ? start + interval : start + times[at];
          // stale from the first update after the last crawl on
          while (updates.next < lastCrawl[i]) updates.advance();
          const staleFrom = Number.isNaN(lastCrawl[i]) ? from : Math.max(from, updates.next);
          if (!count) realised += Math.max(0, to - staleFrom);
          while (updates.next < to && at < offsets[i + 1]) updates.advance();
          if (at < offsets[i + 1]) lastCrawl[i] = to;
          from = to;
        }
        if (!count) claimed += result.staleness[i];
      }
    }
    // 26 intervals of 900 pages; the standard error of the mean is near 0.002
    expect(claimed / (26 * distributions.length)).toBeGreaterThan(0.1);
    expect(Math.abs(realised - claimed) / (26 * distributions.length)).toBeLessThan(0.006);
  });
});
