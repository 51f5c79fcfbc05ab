/** The tables that turn a price into a gap, against the exact integral they invert. */
import { describe, expect, it } from 'vitest';
import {
  lomaxCells,
  lomaxMost,
  lomaxRows,
  lomaxTable,
  poissonCells,
  poissonMost,
  poissonTable,
} from '../../../src/solvers/crawl-allocation/gains/inverse-table.ts';
import { lomaxPartial } from '../../../src/solvers/crawl-allocation/gains/lomax-kernel.ts';
import { freshnessGain } from '../../../src/solvers/pages/objectives/index.ts';

const allowed = (s: number): number => 2e-5 * (1 + s * s);

describe('the inverse tables', () => {
  it('give the gap of a Poisson page within the margin the counts allow for', () => {
    const table = poissonTable();
    let looked = 0;
    for (let s = 1e-4; s < 7; s *= 1.0021) {
      const q = Math.sqrt(freshnessGain(s));
      if (q >= poissonMost) break;
      const at = (q * poissonCells) / poissonMost;
      const k = Math.floor(at);
      const z = table[k] + (at - k) * (table[k + 1] - table[k]);
      expect(Math.abs((z * s) / q - 1), `gap ${s}`).toBeLessThan(allowed(s));
      looked++;
    }
    expect(looked).toBeGreaterThan(4000);
  });

  it('give the gap of a Lomax page of any tail within the margin the counts allow for', () => {
    const table = lomaxTable();
    const width = lomaxCells + 2;
    let looked = 0;
    for (let inverse = 0.0007; inverse < 1; inverse += 0.0031) {
      for (let s = 1e-3; s < 16; s *= 1.031) {
        const q = Math.sqrt(lomaxPartial(1 / inverse, s));
        if (q >= lomaxMost) break;
        const at = ((q / (1 + q)) * lomaxCells * (1 + lomaxMost)) / lomaxMost;
        const k = Math.floor(at);
        const row = inverse * lomaxRows;
        const f = row - Math.floor(row);
        const below = Math.floor(row) * width + k;
        if (table[below + 1] === 0) break;
        const left = (1 - f) * table[below] + f * table[below + width];
        const right = (1 - f) * table[below + 1] + f * table[below + width + 1];
        const z = left + (at - k) * (right - left);
        expect(Math.abs((z * s) / q - 1), `1/shape ${inverse}, gap ${s}`).toBeLessThan(allowed(s));
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(50_000);
  });
});
