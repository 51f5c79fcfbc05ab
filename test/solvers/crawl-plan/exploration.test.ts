import { describe, expect, it } from 'vitest';
import { day } from '../../../bench/replay/replay.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { plainPages, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../../check-history.ts';
import { type FetchPolicy, simulatePages } from '../../oracles/simulated-pages.ts';

/** Half of the pages change 30 times a day, half once in five days; none was ever fetched. */
const rates = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 30 : 0.2) / day);

function simulated(policy: FetchPolicy) {
  const { freshness, pages } = simulatePages({
    updates: Array.from(rates, (rate) => ({ type: 'poisson', rate })),
    policy,
    duration: 100 * day,
    replications: 2,
    seed: 3,
  });
  return { mean: freshness.mean, onSlow: pages.reduce((sum, page, i) => sum + (i % 2) * page.fetches.mean, 0) };
}

const planned: FetchPolicy = {
  type: 'planned',
  every: 5 * day,
  plan({ checks, lastFetch }, now) {
    const plan = planCrawls(
      {
        ...plainPages(60),
        now,
        interval: 5 * day,
        slotsByCrawler: Uint32Array.of(60),
        history: checkHistory(checks),
        lastCrawl: lastFetch,
        evenShare: 0.05,
        objective: 'freshness',
      },
      unlimitedBudget(),
    );
    if (plan.status === 'infeasible') throw new Error('infeasible');
    return { times: plan.plan.slotTime, pages: plan.plan.slotPage };
  },
};

describe('exploration', () => {
  it('is fresher than fetches in turn, and gives most of its fetches to the pages that can be kept fresh', () => {
    const turns = simulated({ type: 'rates', rates: new Float64Array(60).fill(0.2 / day) });
    const exploring = simulated(planned);
    // fetched every five days, both kinds have nearly always changed
    expect(exploring.mean).toBeGreaterThan(turns.mean + 0.005);
    expect(exploring.onSlow / 1200).toBeGreaterThan(0.55);
  });
});
