import { describe, expect, it } from 'vitest';
import { day } from '../../../bench/replay/replay.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { planningPolicy, solvePageSimulation } from '../../../src/solvers/page-simulation/index.ts';

/** Half of the pages change 30 times a day, half once in five days; none was ever fetched. */
const rates = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 30 : 0.2) / day);
const weight = new Float64Array(60).fill(1);

function freshness(policy: Parameters<typeof solvePageSimulation>[0]['policy']) {
  const {
    solution: { measures, pages },
  } = solvePageSimulation(
    {
      updates: Array.from(rates, (rate) => ({ type: 'poisson', rate })),
      weight,
      lastCrawlAge: new Float64Array(60).fill(Number.NaN),
      host: new Int32Array(60).fill(-1),
      commonChanges: 0,
      policy,
      duration: 100 * day,
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
  evenShare: 0.05,
});

describe('exploration', () => {
  it('is fresher than fetches in turn, and gives most of its fetches to the pages that can be kept fresh', () => {
    const turns = freshness({ type: 'rates', rates: new Float64Array(60).fill(0.2 / day), spacing: 'even' });
    const exploring = freshness(planned);
    // fetched every five days, both kinds have nearly always changed
    expect(exploring.mean).toBeGreaterThan(turns.mean + 0.005);
    expect(exploring.onSlow / 1200).toBeGreaterThan(0.55);
  });
});
