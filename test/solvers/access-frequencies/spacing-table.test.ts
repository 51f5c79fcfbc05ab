/** The tabulated spacing of a page at a price: against the inverse it tabulates, and against the equation it solves. */
import { describe, expect, it } from 'vitest';
import { SpacingTable } from '../../../src/solvers/access-frequencies/tables/spacing-table.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { changesAtGain } from '../../../src/solvers/pages/objectives/index.ts';

describe('the table of spacings', () => {
  it('keeps every digit of the inverse, from odds of 1e−14 to 1e+14', () => {
    const random = seededRandom(3);
    const table = new SpacingTable();
    let worst = 0;
    for (let trial = 0; trial < 100_000; trial++) {
      const odds = 10 ** (28 * random() - 14);
      const a = 10 ** (4 * random() - 2);
      const price = a * (odds / (1 + odds));
      const k = (a - price) / a;
      if (!(k > 0)) continue;
      const exact = changesAtGain(price / a, k);
      worst = Math.max(worst, Math.abs(table.spacing(a, price) / exact - 1));
    }
    expect(worst).toBeLessThan(2e-14);
    expect(worst).toBeGreaterThan(0);
  });

  it('solves (1 + s)e^(−s) = 1 − λ/a', () => {
    const table = new SpacingTable();
    for (let price = 0.001; price < 1; price += 0.0007) {
      const s = table.spacing(1, price);
      // the error of s that the residual comes to, with a rounding of the residual itself
      const error = ((1 + s) * Math.exp(-s) - (1 - price)) / (s * s * Math.exp(-s));
      expect(Math.abs(error)).toBeLessThan(4e-14 + 1e-15 / (s * s * Math.exp(-s)));
    }
  });
});
