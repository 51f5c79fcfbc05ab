/** The one kernel of freshness: against power series, plain differences where those are exact, and its inverse. */
import { describe, expect, it } from 'vitest';
import {
  changesAtGain,
  freshness,
  freshnessGain,
  staleChanges,
  staleTime,
} from '../../../../src/solvers/pages/objectives/index.ts';

function series(term: (n: number) => number, from: number): number {
  let sum = 0;
  for (let n = from + 60; n >= from; n--) sum += term(n);
  return sum;
}
const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

describe('G(y) = 1 − (1 + y)e^(−y)', () => {
  it('is inverted to 14 digits from y = 1e−14 to y = 700', () => {
    for (let exponent = -14; exponent < 2.84; exponent += 0.013) {
      const y = 10 ** exponent;
      const gain = freshnessGain(y);
      const rest = gain < 0.5 ? 1 - gain : (1 + y) * Math.exp(-y);
      expect(Math.abs(changesAtGain(gain, rest) / y - 1), `y = ${y}`).toBeLessThan(1e-14);
    }
  });

  it('is never reached at or above 1', () => {
    expect(changesAtGain(1, 0)).toBe(Infinity);
    expect(changesAtGain(1, -1e-17)).toBe(Infinity);
  });

  it('agrees with its power series', () => {
    for (const y of [1e-14, 1e-6, 0.01, 0.1, 0.3, 0.499999, 0.5, 0.7]) {
      const exact = series((n) => ((-1) ** n * (n - 1) * y ** n) / factorial(n), 2);
      expect(Math.abs(freshnessGain(y) / exact - 1), `y = ${y}`).toBeLessThan(3e-15);
    }
  });
});

describe('χ(y) = y − 1 + e^(−y)', () => {
  it('is its power series, the plain difference where that is exact, and the stale time of every page', () => {
    for (const y of [1e-14, 1e-6, 9.99e-4, 1.001e-3, 0.01, 0.1, 0.3, 0.499999, 0.5, 0.7, 3, 40, 1e6]) {
      const exact = y < 0.8 ? series((n) => (-y) ** n / factorial(n), 2) : y - 1 + Math.exp(-y);
      expect(Math.abs(staleChanges(y) / exact - 1), `y = ${y}`).toBeLessThan(2e-15);
      for (const rate of [1e-9, 1, 3e7]) {
        expect(Math.abs((staleTime(rate, y / rate) * rate) / exact - 1), `${rate}, ${y}`).toBeLessThan(4e-15);
        expect(freshness.integral(rate, y / rate)).toBe(staleTime(rate, y / rate));
      }
    }
  });
});
