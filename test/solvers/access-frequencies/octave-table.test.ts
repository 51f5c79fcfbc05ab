import { describe, expect, it } from 'vitest';
import { OctaveTable } from '../../../src/solvers/access-frequencies/tables/octave-table.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

describe('a table by octaves', () => {
  it('keeps smooth functions to rounding, and asks them once a piece only', () => {
    let asked = 0;
    const table = new OctaveTable((s) => {
      asked++;
      return { first: Math.log1p(s) / s, second: 1 / (1 + Math.sqrt(s)), smooth: true };
    });
    const random = seededRandom(1);
    for (let i = 0; i < 20_000; i++) {
      // Every other number is the first or the last of a piece.
      const anywhere = Math.exp(8 * random() - 4);
      const start = 2 ** Math.floor(Math.log2(anywhere)) * (1 + Math.floor(16 * random()) / 16);
      const s = i % 4 === 1 ? start : i % 4 === 3 ? start * (1 - 2 ** -53) : anywhere;
      const { first, second } = table.at(s);
      expect(Math.abs(first * s - Math.log1p(s))).toBeLessThan(2e-14 * Math.log1p(s));
      expect(Math.abs(second * (1 + Math.sqrt(s)) - 1)).toBeLessThan(2e-14);
    }
    expect(asked).toBeLessThan(10 * 16 * 14);
  });

  it('asks directly where a function bends, and at the ends of the range of doubles', () => {
    const bent = (s: number): number => Math.abs(s - 1.53);
    const table = new OctaveTable((s) => ({ first: bent(s), second: s, smooth: s < 100 }));
    for (const s of [1.5001, 1.53, 1.5599, 101, 5e-324, 1e-310, 1.7e308]) {
      expect(table.at(s)).toMatchObject({ first: bent(s), second: s });
    }
  });
});
