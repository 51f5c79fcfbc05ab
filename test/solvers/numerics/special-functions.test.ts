/** Γ, incomplete gamma, erfc and E_p against 40-digit values (scripts/reference/special_functions.py). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  complementaryErrorFunction,
  normalDistribution,
} from '../../../src/solvers/numerics/special/error-function.ts';
import {
  exponentialIntegral,
  scaledExponentialIntegral,
} from '../../../src/solvers/numerics/special/exponential-integral.ts';
import {
  exponentialIntegralTo,
  truncatedSquare,
  uniformLaplaceComplement,
} from '../../../src/solvers/numerics/special/exponential-sums.ts';
import { gammaFunction, logGamma } from '../../../src/solvers/numerics/special/gamma-function.ts';
import {
  logExcess,
  lowerGamma,
  poissonTerm,
  upperGamma,
} from '../../../src/solvers/numerics/special/incomplete-gamma.ts';
import { negativeExp } from '../../../src/solvers/numerics/special/negative-exp.ts';
import reference from '../../fixtures/special-functions.json' with { type: 'json' };

function expectClose(actual: number, expected: number, tolerance: number, what: string): void {
  if (expected === 0) expect(actual, what).toBeLessThan(1e-289);
  else expect(Math.abs(actual / expected - 1), `${what}: ${actual}, not ${expected}`).toBeLessThan(tolerance);
}

describe('special functions', () => {
  it('Γ is right to 2e−15 and ln Γ to 1e−14, also beside its zeros 1 and 2', () => {
    for (const [x, value] of reference.gamma) expectClose(gammaFunction(x), value, 3e-15, `Γ(${x})`);
    for (const [x, value] of reference.logGamma) expectClose(logGamma(x), value, 1e-14, `ln Γ(${x})`);
    expect([gammaFunction(172), logGamma(1), logGamma(2)]).toEqual([Number.POSITIVE_INFINITY, 0, 0]);
  });

  it('P(a, x) and Q(a, x) are right to 1e−13, each where it is small', () => {
    for (const [a, x, lower, upper] of reference.incompleteGamma) {
      const tail = (value: number): number => 2e-14 + 2e-15 * Math.abs(Math.log(value || 1));
      expectClose(lowerGamma(a, x), lower, tail(lower), `P(${a}, ${x})`);
      expectClose(upperGamma(a, x), upper, tail(upper), `Q(${a}, ${x})`);
    }
  });

  it('erfc is right to 2e−15 below 1 and to 1e−14 in the tail', () => {
    for (const [x, value] of reference.complementaryError)
      expectClose(complementaryErrorFunction(x), value, 1e-14, `erfc(${x})`);
    expect(normalDistribution(1.959963984540054)).toBeCloseTo(0.975, 14);
  });

  it('E_p(x) is right to 1e−14, on both sides of x = 1 and at and beside integers p', () => {
    for (const [p, x, value] of reference.exponentialIntegral) {
      expectClose(exponentialIntegral(p, x), value, 2e-14, `E_${p}(${x})`);
      if (x < 600) expectClose(scaledExponentialIntegral(p, x) * Math.exp(-x), value, 2e-14, `e^x E_${p}(${x})`);
    }
  });

  it('P(a, x) falls by the Poisson term from a to a + 1, and sums to 1 with Q', () => {
    const size = fc.double({ min: -3, max: 3, noNaN: true }).map((e) => 10 ** e);
    fc.assert(
      fc.property(size, size, (a, ratio) => {
        const x = a * Math.min(ratio, 50 / a + 10);
        expect(Math.abs(lowerGamma(a, x) + upperGamma(a, x) - 1)).toBeLessThan(1e-13);
        expect(Math.abs(lowerGamma(a, x) - lowerGamma(a + 1, x) - poissonTerm(a, x))).toBeLessThan(1e-13);
      }),
    );
  });

  it('differences of exponentials keep their digits at small arguments', () => {
    for (const x of [1e-300, 1e-12, 1e-5, 0.1, 1.4999, 1.5001, 3, 40, 800]) {
      // Taylor's series to x⁴ where it is exact to rounding, the plain formula where it does not cancel
      const small = x < 1e-3;
      expectClose(
        exponentialIntegralTo(x, 1),
        small ? 1 - x / 2 + (x * x) / 6 - x ** 3 / 24 : (1 - Math.exp(-x)) / x,
        1e-14,
        `φ(${x})`,
      );
      expectClose(
        uniformLaplaceComplement(x),
        small ? x / 2 - (x * x) / 6 + x ** 3 / 24 : 1 - (1 - Math.exp(-x)) / x,
        small ? 1e-14 : 1e-13,
        `1 − φ(${x})`,
      );
      const square = small ? x * x - (2 * x ** 3) / 3 + x ** 4 / 4 : 2 * (1 - Math.exp(-x) * (1 + x));
      if (x > 1e-100) expectClose(truncatedSquare(x), square, small ? 1e-13 : 1e-12, `2(1 − e^−x(1 + x)), x = ${x}`);
      expectClose(exponentialIntegralTo(1e-9, x), x, 1e-6, `∫₀^${x} e^(−1e−9 y) dy`);
      if (x < 1)
        expectClose(
          logExcess(x),
          small ? (x * x) / 2 - x ** 3 / 3 + x ** 4 / 4 || x - Math.log1p(x) : x - Math.log1p(x),
          x > 1e-100 ? 1e-11 : 2,
          `x − ln(1 + x), x = ${x}`,
        );
    }
    // it went on for ever, and a plan with it
    expect(logExcess(Number.NaN)).toBeNaN();
  });
});

describe('decay', () => {
  it('is e^−y to 4 units in the last place, from 0 to where nothing is left', () => {
    const y = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 708, noNaN: true }));
    fc.assert(fc.property(y, (at) => expectClose(negativeExp(at), Math.exp(-at), 1e-15, `e^−${at}`)));
    expect(negativeExp(0)).toBe(1);
    expect(Math.abs(negativeExp(740) - Math.exp(-740))).toBeLessThanOrEqual(2 * Number.MIN_VALUE);
    for (const far of [746, 1e9, Number.POSITIVE_INFINITY]) expect(negativeExp(far)).toBe(0);
    expect(negativeExp(Number.NaN)).toBeNaN();
  });
});
