import { describe, expect, it } from 'vitest';
import { expectedFreshness, independentPages } from '../../../bench/replay/independent-pages.ts';
import { plannedAhead } from '../../../bench/replay/policies.ts';
import { day } from '../../../bench/replay/replay.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { planningPolicy, solvePageSimulation } from '../../../src/solvers/page-simulation/index.ts';

/** Half of the pages change 30 times a day, half once in five days; none was ever fetched. */
const rates = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 30 : 0.2) / day);
const weight = new Float64Array(60).fill(1);

function freshness(policy: Parameters<typeof solvePageSimulation>[0]['policy']) {
  const { measures, pages } = solvePageSimulation(
    {
      updates: Array.from(rates, (rate) => ({ type: 'poisson', rate })),
      weight,
      lastCrawlAge: new Float64Array(60).fill(Number.NaN),
      group: new Int32Array(60).fill(-1),
      share: new Float64Array(0),
      policy,
      horizon: 60 * day,
      replications: 2,
      perPage: true,
    },
    unlimitedBudget(3),
  );
  const onSlow = pages?.fetches.reduce((sum, count, i) => sum + (i % 2 === 1 ? count : 0), 0) ?? Number.NaN;
  return { mean: measures.freshness?.mean ?? Number.NaN, onSlow };
}

const planned = planningPolicy({
  crawls: 60,
  every: 5 * day,
  weight,
  estimator: 'drifting-rate',
  floor: 0.05,
  exploration: true,
});

describe('exploration', () => {
  it('finds out which pages change too fast to be kept fresh, where usual fetches never would', () => {
    const turns = freshness({ type: 'rates', rates: new Float64Array(60).fill(0.2 / day), spacing: 'even' });
    const exploring = freshness(planned);
    // fetched every five days, both kinds have nearly always changed: without exploration .303 (docs/crawl-plan.md)
    expect(exploring.mean).toBeGreaterThan(turns.mean + 0.01);
    expect(exploring.onSlow / 720).toBeGreaterThan(0.65);
  });

  it('costs next to nothing where there is nothing to find out', () => {
    const setting = independentPages(60, Date.parse('2023-01-01T00:00:00Z') / 1000, 150, 5);
    const fresh = (exploration: boolean): number => {
      const policy = plannedAhead(60, setting.start, {
        estimator: 'drifting-rate',
        crawlRate: 0.05,
        firstPlan: 10 * day,
        planLength: 30 * day,
        learning: { exploration },
      });
      return expectedFreshness(setting, policy);
    };
    expect(fresh(true)).toBeGreaterThan(fresh(false) - 0.0005);
  });
});
