/** Loads and their excess for every law against values computed with 60 digits from the definitions. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accessTime } from '../../../src/solvers/access-frequencies/access-pages.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';

const fixture: { laws: { distribution: Distribution; mean: number; cases: [number, number, number][] }[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/access-load.json', import.meta.url), 'utf8'),
);
const cases = fixture.laws.map((law) => [JSON.stringify(law.distribution), law] as const);

describe('the load of an access', () => {
  it.each(cases)('is exact from a rate of 1e−14 to 2e+4 for %s', (_, { distribution, mean, cases }) => {
    const time = accessTime(distribution);
    expect(Math.abs(time.mean / mean - 1)).toBeLessThan(1e-13);
    for (const [rate, load] of cases) {
      expect(Math.abs(time.load(rate) / load - 1), `rate ${rate}: ${time.load(rate)}`).toBeLessThan(1e-12);
    }
  });

  it.each(cases)(
    'falls short of rate × mean by an excess that is exact relative to what it makes stale, for %s',
    (_, law) => {
      const time = accessTime(law.distribution);
      for (const [rate, load, excess] of law.cases) {
        // a page accessed every time is stale for a share excess/(rate·mean) + about load/2 at small loads
        const stale = excess + Math.min(load, (load * load) / 2);
        const found = time.excess(rate);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(Math.abs(found - excess) / stale, `rate ${rate}: ${found} for ${excess}`).toBeLessThan(2e-12);
      }
    },
  );

  it('of a constant access time has no excess and is proportional to the rate', () => {
    const time = accessTime({ type: 'deterministic', value: 0.3 });
    for (const rate of [1e-14, 1, 1e14]) {
      expect(time.excess(rate)).toBe(0);
      expect(time.load(rate)).toBe(rate * 0.3);
    }
  });

  it('keeps rising where E e^(−sX) underflows', () => {
    const laws: Distribution[] = [
      { type: 'lognormal', mu: 0, sigma: 0.05 },
      { type: 'weibull', shape: 30, scale: 1 },
      { type: 'pareto', shape: 3, scale: 1 },
      { type: 'uniform', min: 1, max: 2 },
      { type: 'empirical', values: [1, 2, 5] },
    ];
    for (const law of laws) {
      const { load, mean } = accessTime(law);
      let before = 0;
      for (let rate = 1; rate < 1e5; rate *= 1.4) {
        const value = load(rate);
        expect(value, `${law.type}, rate ${rate}`).toBeGreaterThan(before);
        // concave in the rate, below its tangent at 0, and starting at 0
        expect(value).toBeLessThanOrEqual(rate * mean * (1 + 1e-12));
        expect(value).toBeLessThanOrEqual(before * 1.4 * (1 + 1e-9) || Infinity);
        before = value;
      }
    }
  });
});
