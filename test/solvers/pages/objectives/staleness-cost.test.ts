import { describe, expect, it } from 'vitest';
import { type ObjectiveName, objectiveNames, stalenessCost } from '../../../../src/solvers/pages/objectives/index.ts';

/**
 * c(a) as each objective is defined: nothing shared with the
 * kernels.
 */
const defined: Readonly<Record<ObjectiveName, (rate: number, age: number) => number>> = {
  freshness: (rate, age) => 1 - Math.exp(-rate * age),
  delay: (rate, age) => rate * age,
  harmonic: (rate, age) => Math.log(1 + rate * age) + (rate * age) / (1 + rate * age),
};

/** ∫₀ᵗ f by Simpson's rule. */
function quadrature(f: (u: number) => number, t: number, steps: number): number {
  let sum = f(0) + f(t);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * f((k * t) / steps);
  return (sum * t) / (3 * steps);
}

describe.each(objectiveNames)('the cost of staleness by %s', (name) => {
  const kernel = stalenessCost(name);

  it('is its definition, and its integral and worth follow from it', () => {
    for (const rate of [0.02, 1, 37]) {
      for (const y of [0.05, 0.9, 1.1, 6, 40]) {
        const age = y / rate;
        const c = defined[name](rate, age);
        const integral = quadrature((u) => defined[name](rate, u), age, 400);
        expect(kernel.cost(rate, age) / c).toBeCloseTo(1, 8);
        expect(kernel.integral(rate, age) / integral).toBeCloseTo(1, 7);
        expect(kernel.worth(rate, 3, age) / (3 * (age * c - integral))).toBeCloseTo(1, 5);
      }
    }
  });

  it('grows as its definition does, and what more of a gap costs is the integral of that', () => {
    for (const rate of [0.02, 1, 37]) {
      for (const y of [0.05, 0.9, 6]) {
        const age = y / rate;
        const [before, after] = [defined[name](rate, age * 0.9999), defined[name](rate, age * 1.0001)];
        expect((kernel.growth(rate, age) * 0.0002 * age) / (after - before)).toBeCloseTo(1, 5);
        for (const more of [0.01 * age, age, 9 * age]) {
          const c = defined[name](rate, age);
          const beyond = quadrature((u) => defined[name](rate, age + u) - c, more, 300);
          expect(kernel.excessCost(rate, age, more) / beyond).toBeCloseTo(1, 5);
        }
      }
    }
  });

  it('loses no digits of what more of a gap costs, from 1e−14 to 1e+14', () => {
    for (const y of [1e-14, 1e-7, 1e-2, 1, 30, 1e7, 1e14]) {
      for (const d of [1e-6 * y, y, 1e6 * y]) {
        const [before, whole, after] = [
          kernel.excessCost(1, y, d),
          kernel.excessCost(1, y, 2 * d),
          kernel.excessCost(1, y + d, d),
        ];
        // over 2d it is the two halves, and what the second costs beyond c at its own start
        const between = kernel.excessCost(1, y, d * (1 + 1e-6)) - kernel.excessCost(1, y, d * (1 - 1e-6));
        expect(Math.abs(before + after + (d * between) / (2e-6 * d) - whole)).toBeLessThanOrEqual(1e-8 * whole);
      }
    }
  });

  it('inverts its worth from 1e−14 to 1e+14, in any unit of time', () => {
    for (const rate of [1e-14, 1e-5, 1, 1e5, 1e14]) {
      for (const y of [1e-14, 1e-7, 1e-3, 0.5, 2, 20]) {
        const age = y / rate;
        const price = kernel.worth(rate, 2, age);
        expect(price).toBeGreaterThan(0);
        expect(kernel.intervalAt(rate, 2, price) / age).toBeCloseTo(1, 7);
      }
      if (name === 'freshness') continue;
      for (const y of [1e4, 1e14]) {
        expect(kernel.intervalAt(rate, 2, kernel.worth(rate, 2, y / rate)) / (y / rate)).toBeCloseTo(1, 7);
      }
    }
  });

  it('needs no fetch without weight, and all the time without a price', () => {
    expect(kernel.intervalAt(1, 0, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(kernel.intervalAt(1, 1, 0)).toBe(0);
  });
});
