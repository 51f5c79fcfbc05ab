/** The check of a whole column, without branches, against the check of each of its cells. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberCells } from '../../src/schemas/table/cells.ts';
import { allWithin, numberFault } from '../../src/schemas/table/number-range.ts';

const bound = fc.constantFrom(-1, -0.5, 0, 1, 2 ** 53);
const range = fc.record(
  { above: bound, atLeast: bound, below: bound, atMost: bound, integer: fc.boolean() },
  { requiredKeys: [] },
);
const cell = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(null, 0, 1) },
  fc.constantFrom(-0, -1, 0.5, 1.5, 5e-324, -5e-324, 2 ** 53, 2 ** 53 - 1, 1e308, Infinity, -Infinity, Number.NaN),
);

describe('a column of numbers', () => {
  it('is within a range where each cell that is there is', () => {
    const seen = { within: 0, outside: 0 };
    fc.assert(
      fc.property(range, fc.array(cell, { minLength: 1, maxLength: 4 }), fc.boolean(), (within, cells, isDense) => {
        const there = cells.filter((each) => !isDense || each !== null);
        const values = Float64Array.from(there, (each) => each ?? Number.NaN);
        const valid = isDense ? null : Uint8Array.from(there, (each) => (each === null ? 0 : 1));
        const expected = there.every((each) => each === null || numberFault(each, within) === null);
        seen[expected ? 'within' : 'outside']++;
        expect(allWithin(new NumberCells(values, valid), within)).toBe(expected);
      }),
      { numRuns: 3000, seed: 40 },
    );
    expect(Math.min(seen.within, seen.outside)).toBeGreaterThan(300);
  });
});
