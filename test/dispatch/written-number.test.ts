import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serialiseBytes } from '../../src/dispatch/serialise.ts';
import { longestWritten, writeNumber } from '../../src/dispatch/written/number.ts';

const target = Buffer.alloc(longestWritten);
const written = (value: number): string => target.toString('latin1', 0, writeNumber(value, target, 0));
const expectAsStringified = (value: number): void => {
  expect(written(value)).toBe(JSON.stringify(value));
};

/** The double so many doubles above a positive one. */
function beside(value: number, steps: number): number {
  const words = new BigInt64Array(1);
  const double = new Float64Array(words.buffer);
  double[0] = value;
  words[0] += BigInt(steps);
  return double[0];
}

describe('a number written as bytes', () => {
  it('is what JSON.stringify writes, for any double', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), expectAsStringified), {
      numRuns: 5000,
      seed: 401,
    });
  });

  it('is so for the sizes that answers have, for short decimals, sums of them and whole numbers', () => {
    const value = fc.double({ noNaN: true, min: 1e-7, max: 1e16 });
    fc.assert(
      fc.property(
        value,
        fc.double({ noNaN: true, min: 0, max: 1 }),
        fc.integer({ min: 1, max: 17 }),
        (any, part, k) => {
          const short = [Number(any.toPrecision(k)), Number(part.toFixed(k))];
          const whole = [Math.floor(any), Math.floor(any * 2 ** k) / 2 ** k];
          for (const each of [any, part, -part, any * part, ...short, short[1] + 0.1, ...whole])
            expectAsStringified(each);
        },
      ),
      { numRuns: 5000, seed: 402 },
    );
  });

  it('is so beside powers of two and of ten, and half way between decimals', () => {
    for (let steps = -12; steps <= 12; steps++) {
      for (let k = -26; k <= 64; k++) expectAsStringified(beside(2 ** k, steps));
      for (let k = -8; k <= 22; k++) {
        for (const digits of ['1', '5', '1.5', '9.5', '9.999999999999999'])
          expectAsStringified(beside(Number(`${digits}e${k}`), steps));
      }
    }
    for (const value of [0, -0, 1e9, 999_999_999, 2 ** 53 + 2]) expectAsStringified(value);
  });

  it('stands between commas, over the pieces of a long list too', () => {
    const values = Float64Array.from({ length: 30_000 }, (_, k) => (k % 3 === 0 ? k : Math.sin(k)));
    const bytes = Buffer.concat(serialiseBytes({ values, counts: new Int32Array([3, 0, -1]) }));
    expect(bytes.toString()).toBe(JSON.stringify({ values: Array.from(values), counts: [3, 0, -1] }));
  });
});
