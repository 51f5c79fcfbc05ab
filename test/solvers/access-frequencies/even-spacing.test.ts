import { describe, expect, it } from 'vitest';
import {
  excessOverLog,
  inverseMarginal,
  logExcess,
  marginal,
  marginalComplement,
  staleLoad,
} from '../../../src/solvers/access-frequencies/even-spacing.ts';

/** Σ of a series of big rationals is overkill: terms of one sign pattern, summed from the small end. */
function series(term: (n: number) => number, from: number): number {
  let sum = 0;
  for (let n = from + 60; n >= from; n--) sum += term(n);
  return sum;
}
const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

describe('marginal(s) = 1 − (1 + s)e^(−s)', () => {
  it('is inverted to 14 digits from s = 1e−14 to s = 700', () => {
    for (let exponent = -14; exponent < 2.84; exponent += 0.013) {
      const s = 10 ** exponent;
      const y = marginal(s);
      const k = y < 0.5 ? 1 - y : marginalComplement(s);
      expect(Math.abs(inverseMarginal(y, k) / s - 1), `s = ${s}`).toBeLessThan(1e-14);
    }
  });

  it('is never reached at or above 1', () => {
    expect(inverseMarginal(1, 0)).toBe(Infinity);
    expect(inverseMarginal(1, -1e-17)).toBe(Infinity);
  });

  it('and its complement sum to 1', () => {
    for (const s of [1e-9, 0.2, 1, 1.5, 1.6, 5, 40]) {
      expect(marginal(s) + marginalComplement(s)).toBeCloseTo(1, 15);
    }
  });
});

describe('differences written without cancellation', () => {
  it('agree with their power series', () => {
    for (const x of [1e-14, 1e-6, 0.01, 0.1, 0.29, 0.299999, 0.31, 0.5]) {
      const stale = series((n) => (-x) ** n / factorial(n), 2);
      expect(Math.abs(staleLoad(x) / stale - 1), `staleLoad(${x})`).toBeLessThan(2e-15);
      const over = series((n) => (-1) ** n * (x ** n / n), 2);
      expect(Math.abs(excessOverLog(x) / over - 1), `excessOverLog(${x})`).toBeLessThan(4e-15);
      const log = series((n) => x ** n / n, 2);
      expect(Math.abs(logExcess(x) / log - 1), `logExcess(${x})`).toBeLessThan(4e-15);
    }
  });

  it('agree with the plain differences where those are exact', () => {
    for (const x of [0.9, 3, 40, 1e6]) {
      expect(Math.abs(staleLoad(x) / (x - 1 + Math.exp(-x)) - 1)).toBeLessThan(1e-14);
      expect(Math.abs(excessOverLog(x) / (x - Math.log(1 + x)) - 1)).toBeLessThan(1e-14);
    }
    expect(logExcess(0.9)).toBeCloseTo(-Math.log(0.1) - 0.9, 14);
  });
});
