/** Updates that matter with a chance: allocations against simulated pages whose updates are drawn one by one. */
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
function staleness(chance: number, crawls: number, laws: readonly Distribution[], budget = unlimitedBudget()) {
  const pages = laws.length;
  const updates = new UpdateProcesses(pages);
  for (const [i, law] of laws.entries()) updates.setRenewal(i, law, [], chance);
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
    budget,
  );
  if (answer.status === 'infeasible') throw new Error('infeasible');
  return answer.staleness;
}

describe('updates of which some matter', () => {
  it('leave copies as stale as simulated pages', () => {
    const crawls = 6;
    const laws = allLaws;
    const found = staleness(1, crawls, laws);
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

  it('end with the time while the gaps between those that matter are tabulated', () => {
    let asked = 0;
    const stopRequested = (): boolean => ++asked > 5;
    const hostile: Distribution[] = [{ type: 'weibull', shape: 1000, scale: 1 }];
    expect(() => staleness(0.01, 2, hostile, { ...unlimitedBudget(), stopRequested })).toThrow(/still being tabulated/);
    expect(asked).toBe(6);
  });

  it('are fewer where fewer matter, and all where each does', () => {
    const laws = [allLaws[1], allLaws[4]];
    const [all, half, few] = [1, 0.5, 0.25].map((chance) => staleness(chance, 4, laws));
    for (let i = 0; i < laws.length; i++) {
      expect(half[i]).toBeLessThan(all[i]);
      expect(few[i]).toBeLessThan(half[i]);
    }
    for (const [i, value] of staleness(1 - 1e-9, 4, laws).entries()) expect(value / all[i]).toBeCloseTo(1, 3);
  });
});
