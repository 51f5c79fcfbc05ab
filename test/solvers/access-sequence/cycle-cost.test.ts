import { describe, expect, it } from 'vitest';
import { accessPages } from '../../../src/solvers/access-frequencies/index.ts';
import { cycleCost } from '../../../src/solvers/access-sequence/index.ts';

const rates = [0.3, 1, 2.5, 0.05];
const weights = [1, 0.5, 2, 1];
const sequence = Uint32Array.of(0, 1, 0, 2, 2, 1, 0, 2, 1, 1, 2);

describe('the cost of a cycle', () => {
  it('keeps its digits at rates of 1e−14: half the load times the mean square distance over the mean distance', () => {
    const tiny = rates.map((rate) => rate * 1e-14);
    const pages = accessPages(
      { type: 'deterministic', value: 0.7 },
      Float64Array.from(tiny),
      Float64Array.from(weights),
    );
    const { staleness } = cycleCost(pages, sequence);
    // page 0 is accessed at 0, 2 and 6 of 11: distances 2, 4, 5
    expect(Math.abs(staleness[0] / ((tiny[0] * 0.7 * (4 + 16 + 25)) / 22) - 1)).toBeLessThan(1e-12);
  });
});
