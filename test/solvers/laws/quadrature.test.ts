/**
 * The laws against plain numerical integration of their survival functions and of e^(−st), for random parameters. It is
 * a midpoint rule on a logarithmic axis, which shares nothing with src/solvers/numerics. Its own error here is about
 * 1e−6.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { anyDistribution } from './any-distribution.ts';

/** ∫₀^upper f by midpoints of steps of 1/400 in ln t, from upper·e^(−40). */
function integrate(f: (t: number) => number, upper: number): number {
  const steps = 16000;
  const h = 40 / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const t = upper * Math.exp(-40 + (i + 0.5) * h);
    sum += f(t) * t * h;
  }
  return sum;
}

const near = (actual: number, expected: number, tolerance: number): boolean =>
  Math.abs(actual - expected) <= tolerance * Math.max(Math.abs(actual), Math.abs(expected)) + 1e-300;

/**
 * What the midpoint rule itself misses: half a step at a jump of the survival function, the square of a step at a kink.
 */
function ownError({ type }: Distribution): number {
  if (type === 'deterministic' || type === 'empirical') return 3e-3;
  return type === 'uniform' || type === 'pareto' ? 5e-4 : 3e-5;
}

const laws = { numRuns: 60 };

describe('a law, whatever its parameters', () => {
  it('has E min(X, t) and E min(X, t)² that are integrals of its survival function', () => {
    fc.assert(
      fc.property(anyDistribution, fc.double({ min: -3, max: 3, noNaN: true }), (distribution, exponent) => {
        const law = createLaw(distribution);
        const t = law.mean * 10 ** exponent;
        const first = integrate((u) => law.survival(u), t);
        const second = integrate((u) => 2 * u * law.survival(u), t);
        const tolerance = ownError(distribution);
        expect(near(law.truncatedMean(t), first, tolerance), `E min: ${law.truncatedMean(t)}, integral ${first}`).toBe(
          true,
        );
        expect(
          near(law.truncatedSecondMoment(t), second, tolerance),
          `E min²: ${law.truncatedSecondMoment(t)}, integral ${second}`,
        ).toBe(true);
      }),
      laws,
    );
  });

  it('has 1 − E e^(−sX) = s∫e^(−st)·P(X > t) dt, and the two parts of the transform sum to 1', () => {
    fc.assert(
      fc.property(anyDistribution, fc.double({ min: -4, max: 4, noNaN: true }), (distribution, exponent) => {
        const law = createLaw(distribution);
        const s = 10 ** exponent / law.mean;
        const integral = integrate((u) => s * Math.exp(-s * u) * law.survival(u), 800 / s);
        const tolerance = ownError(distribution);
        expect(
          near(law.laplaceComplement(s), integral, tolerance),
          `${law.laplaceComplement(s)}, integral ${integral}`,
        ).toBe(true);
        expect(Math.abs(law.laplace(s) + law.laplaceComplement(s) - 1)).toBeLessThan(1e-13);
      }),
      laws,
    );
  });

  it('has a density whose integral from t to 2t is what survives t and not 2t', () => {
    fc.assert(
      fc.property(anyDistribution, fc.double({ min: 0.1, max: 3, noNaN: true }), (distribution, multiple) => {
        const law = createLaw(distribution);
        const { density } = law;
        if (density === null) return;
        const t = law.mean * multiple;
        const steps = 20000;
        let sum = 0;
        for (let i = 0; i < steps; i++) sum += density(t * (1 + (i + 0.5) / steps)) * (t / steps);
        // a jump of the density costs half a step
        const tolerance = distribution.type === 'uniform' || distribution.type === 'pareto' ? 0.02 : 1e-6;
        const expected = law.survival(t) - law.survival(2 * t);
        expect(Math.abs(sum - expected), `by density ${sum}, by survival ${expected}`).toBeLessThan(tolerance);
      }),
      laws,
    );
  });

  it('draws samples with its truncated mean and its survival function, within five standard errors', () => {
    fc.assert(
      fc.property(anyDistribution, fc.integer(), (distribution, seed) => {
        const law = createLaw(distribution);
        const random = seededRandom(seed);
        const n = 4000;
        const t = 2 * law.mean;
        let above = 0;
        let sum = 0;
        for (let i = 0; i < n; i++) {
          const x = law.sample(random);
          if (x > t) above++;
          sum += Math.min(x, t);
        }
        const p = law.survival(t);
        expect(Math.abs(above / n - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n) + 2 / n);
        const deviation = Math.sqrt(Math.max(0, law.truncatedSecondMoment(t) - law.truncatedMean(t) ** 2));
        expect(Math.abs(sum / n - law.truncatedMean(t))).toBeLessThan((5 * deviation) / Math.sqrt(n) + 1e-6 * law.mean);
      }),
      { numRuns: 30, seed: 20061 },
    );
  });

  it('has the moments and the transform of its phase-type form', () => {
    fc.assert(
      fc.property(anyDistribution, fc.double({ min: -3, max: 3, noNaN: true }), (distribution, exponent) => {
        const law = createLaw(distribution);
        const form = law.phaseType();
        const whole = distribution.type === 'gamma' && Number.isInteger(distribution.shape);
        const expected =
          whole || ['exponential', 'erlang', 'hyperexponential', 'phase-type'].includes(distribution.type);
        expect(form !== null).toBe(expected);
        if (form === null) return;
        const same = createLaw({ type: 'phase-type', ...form });
        const x = 10 ** exponent;
        expect(near(same.mean, law.mean, 1e-12)).toBe(true);
        expect(near(same.secondMoment, law.secondMoment, 1e-12)).toBe(true);
        expect(near(same.survival(x * law.mean), law.survival(x * law.mean), 1e-9)).toBe(true);
        expect(near(same.truncatedSecondMoment(x * law.mean), law.truncatedSecondMoment(x * law.mean), 1e-12)).toBe(
          true,
        );
        expect(near(same.laplaceComplement(x / law.mean), law.laplaceComplement(x / law.mean), 1e-12)).toBe(true);
      }),
      { numRuns: 120 },
    );
  });
});
