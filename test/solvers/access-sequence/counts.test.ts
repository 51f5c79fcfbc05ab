import { describe, expect, it } from 'vitest';
import {
  type AccessPages,
  accessPages,
  evenStaleness,
  optimalFrequencies,
  totalCost,
} from '../../../src/solvers/access-frequencies/index.ts';
import { coveringCounts, largestRemainder, optimalCounts } from '../../../src/solvers/access-sequence/counts.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const sumOf = (counts: Uint32Array): number => counts.reduce((a, b) => a + b, 0);

describe('whole counts', () => {
  it('by largest remainder sum to the cycle, lie within one of the share, and give ties to the lower position', () => {
    expect(Array.from(largestRemainder(Float64Array.of(0.25, 0.25, 0.25, 0.25), 6))).toEqual([2, 2, 1, 1]);
    expect(Array.from(largestRemainder(Float64Array.of(2 / 13, 3 / 13, 3 / 13, 5 / 13), 13))).toEqual([2, 3, 3, 5]);
    const random = seededRandom(3);
    for (let trial = 0; trial < 200; trial++) {
      const raw = Float64Array.from({ length: 1 + Math.floor(30 * random()) }, () => random() ** 4);
      const total = raw.reduce((a, b) => a + b, 0);
      const frequency = raw.map((value) => value / total);
      const cycle = 1 + Math.floor(200 * random());
      const counts = largestRemainder(frequency, cycle);
      expect(sumOf(counts)).toBe(cycle);
      counts.forEach((count, i) => {
        expect(Math.abs(count - frequency[i] * cycle)).toBeLessThan(1 + 1e-9);
      });
    }
  });

  it('with every page present give one access to pages that would round to none', () => {
    const frequency = Float64Array.of(0.9, 0.0999, 0.0001, 0);
    expect(Array.from(coveringCounts(frequency, 20))).toEqual([17, 2, 1, 0]);
    // no room: the plain rule
    expect(Array.from(coveringCounts(frequency, 2))).toEqual([2, 0, 0, 0]);
  });

  it('by marginal cost are the cheapest of all whole counts', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      const rates = Float64Array.from({ length: 4 }, () => Math.exp(3 * random() - 1));
      const weights = rates.map(() => random());
      const pages = accessPages({ type: 'exponential', rate: 3 }, rates, weights);
      const { frequency } = optimalFrequencies(pages, 'deterministic', 0);
      for (const least of [0, 1]) {
        const cycle = 4 + Math.floor(14 * random());
        const counts = optimalCounts(pages, frequency, cycle, least);
        expect(sumOf(counts)).toBe(cycle);
        const cheapest = enumerate(pages, cycle, least);
        expect(
          evenCost(pages, Array.from(counts)),
          `seed ${seed}, cycle ${cycle}, counts ${counts}`,
        ).toBeLessThanOrEqual(cheapest * (1 + 1e-9));
      }
    }
  });
});

function evenCost(pages: AccessPages, counts: number[]): number {
  const cycle = counts.reduce((a, b) => a + b, 0);
  return totalCost(
    pages,
    evenStaleness(
      pages,
      Float64Array.from(counts, (count) => count / cycle),
    ),
  );
}

/** The least even-spacing cost over all counts of four pages that sum to the cycle. */
function enumerate(pages: AccessPages, cycle: number, least: number): number {
  let cheapest = Infinity;
  for (let a = least; a <= cycle; a++) {
    for (let b = least; a + b <= cycle; b++) {
      for (let c = least; a + b + c <= cycle; c++) {
        const d = cycle - a - b - c;
        if (d >= least) cheapest = Math.min(cheapest, evenCost(pages, [a, b, c, d]));
      }
    }
  }
  return cheapest;
}
