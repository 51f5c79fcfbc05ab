/** Clearing prices against demands whose answer is known in closed form, and against jumps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearingPrice } from '../../../src/solvers/market/index.ts';

const scales = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 12 });

describe('a clearing price', () => {
  it('meets the supply, wherever the search starts: D(p) = Σ √(a/p) has p = (Σ√a/R)²', () => {
    fc.assert(
      fc.property(scales, fc.double({ min: -9, max: 9, noNaN: true }), scales, (logs, logSupply, starts) => {
        const supply = Math.exp(logSupply);
        const roots = logs.map((log) => Math.exp(log / 2));
        const exact = (roots.reduce((sum, root) => sum + root, 0) / supply) ** 2;
        const demand = (price: number): number => roots.reduce((sum, root) => sum + root / Math.sqrt(price), 0);
        const { low, high } = clearingPrice(demand, { supply, start: Math.exp(starts[0]) });
        expect(Math.abs(high / exact - 1)).toBeLessThan(1e-12);
        expect(high / low - 1).toBeLessThan(1e-12);
      }),
    );
  });

  it('encloses a jump of the demand over the supply', () => {
    const { low, high } = clearingPrice((price) => (price < 3 ? 10 : 1), { supply: 5, start: 1000 });
    expect(low).toBeLessThanOrEqual(3);
    expect(high).toBeGreaterThanOrEqual(3);
    expect(high - low).toBeLessThan(1e-12);
  });

  it('is 0 where demand stays below the supply at every price, and the ceiling where it stays above', () => {
    expect(clearingPrice((price) => 1 / (1 + price), { supply: 2, start: 1 })).toEqual({ low: 0, high: 0 });
    const { high } = clearingPrice(() => 7, { supply: 2, start: 1, ceiling: 40 });
    expect(high / 40 - 1).toBeLessThan(2e-6);
  });

  it('accepts a demand of 0 at high prices', () => {
    const { low, high } = clearingPrice((price) => Math.max(0, 1 - price), { supply: 0.25, start: 1e9 });
    expect(low).toBeCloseTo(0.75, 12);
    expect(high).toBeCloseTo(0.75, 12);
  });
});
