/** Gains and staleness of single pages against values computed with 90 digits from the definition. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { gainOfNext, meanCost, type ScaledPages } from '../../../src/solvers/crawl-allocation/gains/page-gain.ts';
import { withInterpolant } from '../../../src/solvers/crawl-allocation/gains/renewal-kernel.ts';
import { scalePages } from '../../../src/solvers/crawl-allocation/scale-pages.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { allocationRequest } from './allocation-request.ts';

type Case = [interval: number, age: number | null, crawls: number, staleness: number, gain: number];
const fixture: { laws: { distribution: Distribution; cases: Case[] }[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/crawl-allocation-gains.json', import.meta.url), 'utf8'),
);

function onePage(distribution: Distribution, interval: number, age: number | null): ScaledPages {
  const page = { updates: { type: 'renewal', distribution } as const, ...(age !== null && { lastCrawlAge: age }) };
  return scalePages(allocationRequest({ interval, crawls: 1, pages: [page] }), false, unlimitedBudget());
}

const titled = fixture.laws.map(
  ({ distribution, cases }) => [JSON.stringify(distribution), distribution, cases] as const,
);
const own = ['exponential', 'lomax'];

describe('gains and staleness of a page', () => {
  it.each(titled)('agree with the definition for gaps %s', (_, distribution, cases) => {
    // Poisson and Lomax have kernels of their own; the rest inherits the rounding of incomplete gammas and error
    // functions
    const tolerance = own.includes(distribution.type) ? 1e-13 : 1e-9;
    for (const [interval, age, x, staleness, gain] of cases) {
      const pages = onePage(distribution, interval, age);
      const place = `interval ${interval}, age ${age}, ${x} crawls`;
      const found = gainOfNext(pages, 0, x);
      expect(Math.abs(found - gain) / gain, `gain, ${place}: ${found} for ${gain}`).toBeLessThan(tolerance);
      const stale = meanCost(pages, 0, x);
      expect(Math.abs(stale - staleness) / staleness, `staleness, ${place}: ${stale}`).toBeLessThan(tolerance);
    }
  });

  const smooth = titled.filter(([, { type }]) => ['weibull', 'gamma', 'lognormal', 'hyperexponential'].includes(type));
  it.each(smooth)('agree with the definition by interpolation too, for gaps %s', (_, distribution, cases) => {
    const law = withInterpolant(onePage(distribution, 1, null).laws[0]);
    expect(law.interpolant).not.toBeNull();
    for (const [interval, age, x, staleness, gain] of cases) {
      const pages = { ...onePage(distribution, interval, age), laws: [law] };
      const place = `interval ${interval}, age ${age}, ${x} crawls`;
      const found = gainOfNext(pages, 0, x);
      expect(Math.abs(found - gain) / gain, `gain, ${place}: ${found} for ${gain}`).toBeLessThan(1e-9);
      expect(Math.abs(meanCost(pages, 0, x) - staleness) / staleness, `staleness, ${place}`).toBeLessThan(1e-9);
    }
  });

  it('are not interpolated where the law bends or jumps, or is too steep', () => {
    const laws: Distribution[] = [
      { type: 'deterministic', value: 2 },
      { type: 'uniform', min: 1, max: 2 },
      { type: 'pareto', shape: 2, scale: 1 },
      { type: 'empirical', values: [1, 2] },
      { type: 'weibull', shape: 30, scale: 1 },
    ];
    for (const law of laws) expect(withInterpolant(onePage(law, 1, null).laws[0]).interpolant).toBeNull();
  });
});
