/** What numbers are called comes with them: what an objective measures, and that money and bytes are no time. */
import { describe, expect, it } from 'vitest';
import { crawlAllocation, crawlPlan } from '../../src/index.ts';
import { objectiveNames } from '../../src/solvers/pages/objectives/index.ts';

const now = 1_800_000_000;

describe('an objective', () => {
  const words = {
    freshness: ['staleness', 'weight × share of the time'],
    delay: ['changes not yet seen', 'weight × changes, in the mean'],
    harmonic: ['harmonic staleness', 'weight × logarithm, in the mean'],
  } as const;

  it.each(objectiveNames)('%s is called by its own name in allocations and plans', (objective) => {
    const pages = [{ changeRate: 1e-5 }, { changeRate: 1e-6 }];
    const allocation = crawlAllocation({ interval: 86_400, crawls: 4, pages, objective });
    const plan = crawlPlan({ now, interval: 86_400, crawls: 4, pages, objective });
    for (const { objective: said } of [allocation, plan]) {
      expect([said?.measure, said?.unit]).toEqual(words[objective]);
    }
  });
});
