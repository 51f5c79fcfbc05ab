/** Allocations of every law of gaps against simulated pages. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls, UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { type SimulatedUpdates, simulatePages } from '../../oracles/simulated-pages.ts';

const allLaws: readonly Distribution[] = [
  { type: 'exponential', rate: 3 },
  { type: 'weibull', shape: 0.7, scale: 0.4 },
  { type: 'gamma', shape: 4, rate: 12 },
  { type: 'lomax', shape: 2.2, scale: 0.5 },
  { type: 'deterministic', value: 0.3 },
  { type: 'uniform', min: 0.1, max: 0.6 },
];

/** All pages never crawled before, all crawls to each of them alike. */
function staleness(crawls: number, laws: readonly Distribution[]) {
  const pages = laws.length;
  const updates = new UpdateProcesses(pages);
  for (const [i, law] of laws.entries()) updates.setRenewal(i, law, []);
  const fixed = new Int32Array(pages).fill(crawls);
  const answer = allocateCrawls(
    {
      interval: 4,
      crawls: crawls * pages,
      updates,
      weight: new Float64Array(pages).fill(1),
      minCrawls: fixed,
      maxCrawls: fixed,
      lastCrawlAge: null,
      hosts: null,
      quasiDeterministic: 'exact',
      objective: 'freshness',
      idealTimes: false,
      baselines: false,
    },
    unlimitedBudget(),
  );
  if (answer.status === 'infeasible') throw new Error('infeasible');
  return answer.staleness;
}

describe('crawls between updates', () => {
  it('leave copies as stale as simulated pages', () => {
    const crawls = 6;
    const laws = allLaws;
    const found = staleness(crawls, laws);
    const updates = laws.map((law): SimulatedUpdates => ({ type: 'renewal', law: createLaw(law) }));
    const { pages } = simulatePages({
      updates,
      lastCrawlAge: new Float64Array(laws.length),
      policy: { type: 'rates', rates: new Float64Array(laws.length).fill(crawls / 4), spacing: 'even' },
      duration: 900,
      replications: 12,
      seed: 3,
    });
    for (const [i, { freshness }] of pages.entries()) {
      // twice the 95% interval
      expect(Math.abs(1 - found[i] - freshness.mean), laws[i].type).toBeLessThan(2 * freshness.half);
    }
  });
});
