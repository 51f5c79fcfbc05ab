/** The plain allocations: quotas under limits, largest remainders, nothing lost in rounding. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { apportion } from '../../../src/solvers/crawl-allocation/apportion.ts';

const many = (length: number, value: number): Int32Array => new Int32Array(length).fill(value);
const counts = (share: number[], total: number, least?: number[], most?: number[]): number[] => [
  ...apportion(
    {
      share: Float64Array.from(share),
      total,
      minimum: least === undefined ? many(share.length, 0) : Int32Array.from(least),
      maximum: most === undefined ? many(share.length, total + 1) : Int32Array.from(most),
      hosts: null,
    },
    unlimitedBudget(),
  ),
];

describe('plain allocations', () => {
  it('round down and give what is left to the largest remainders, ties to the lower position', () => {
    expect(counts([1, 1, 1], 7)).toEqual([3, 2, 2]);
    expect(counts([1, 2, 4], 10)).toEqual([1, 3, 6]);
    expect(counts([5, 3, 1], 4)).toEqual([2, 1, 1]);
  });

  it('fill like water between minima and maxima', () => {
    expect(counts([1, 1, 1], 9, [0, 0, 0], [1, 9, 9])).toEqual([1, 4, 4]);
    expect(counts([1, 1, 1], 9, [7, 0, 0])).toEqual([7, 1, 1]);
    expect(counts([1, 10, 100], 12, [0, 0, 0], [9, 9, 2])).toEqual([1, 9, 2]);
  });

  it('serve pages that never change last rather than never', () => {
    expect(counts([0, 1], 5, [0, 0], [9, 2])).toEqual([3, 2]);
    expect(counts([0, 0], 4)).toEqual([2, 2]);
  });

  it('give out every crawl within every limit', () => {
    const page = fc.record({
      share: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
      least: fc.integer({ min: 0, max: 3 }),
      extra: fc.integer({ min: 0, max: 9 }),
      host: fc.integer({ min: -1, max: 1 }),
    });
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (pages, part) => {
          const minimum = Int32Array.from(pages, ({ least }) => least);
          const maximum = Int32Array.from(pages, ({ least, extra }) => least + extra);
          const of = Int32Array.from(pages, ({ host }) => host);
          const on = (h: number, values: Int32Array): number =>
            values.reduce((sum, x, i) => sum + (of[i] === h ? x : 0), 0);
          const limits = Float64Array.from(
            [0, 1],
            (h) => on(h, minimum) + Math.floor(part * 0.7 * (on(h, maximum) - on(h, minimum))),
          );
          const most = on(-1, maximum) + Math.min(limits[0], on(0, maximum)) + Math.min(limits[1], on(1, maximum));
          const least = minimum.reduce((sum, x) => sum + x, 0);
          const total = least + Math.round(part * (most - least));
          const share = Float64Array.from(pages, (page) => page.share);
          const hosts = { of, maxCrawls: limits };
          const found = apportion({ share, total, minimum, maximum, hosts }, unlimitedBudget());
          expect(found.reduce((sum, x) => sum + x, 0)).toBe(total);
          found.forEach((x, i) => {
            expect(x).toBeGreaterThanOrEqual(minimum[i]);
            expect(x).toBeLessThanOrEqual(maximum[i]);
          });
          for (const h of [0, 1]) expect(on(h, found)).toBeLessThanOrEqual(limits[h]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
