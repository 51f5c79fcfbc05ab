/** Random laws for property tests: any of the twelve, shapes from .05 to 200, scales from 1e−9 to 1e9. */
import fc from 'fast-check';
import type { Distribution } from '../../../src/solvers/laws/index.ts';

const between = (low: number, high: number) =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
const scale = between(1e-9, 1e9);
const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });

/** Two phases, each left at a rate of its own; `p` and `q` split the moves between the other phase and the exit. */
const phaseType = fc
  .tuple(share, between(0.1, 10), between(0.1, 10), share, share, scale)
  .map(([first, a, b, p, q, unit]): Distribution => {
    const initial = [first, 1 - first];
    return {
      type: 'phase-type',
      initial,
      generator: [
        [-a / unit, (a * p) / unit],
        [(b * q) / unit, -b / unit],
      ],
    };
  });

export const anyDistribution: fc.Arbitrary<Distribution> = fc.oneof(
  scale.map((value): Distribution => ({ type: 'deterministic', value })),
  scale.map((rate): Distribution => ({ type: 'exponential', rate })),
  fc
    .tuple(fc.integer({ min: 1, max: 20 }), scale)
    .map(([shape, rate]): Distribution => ({ type: 'erlang', shape, rate })),
  fc.tuple(between(0.05, 200), scale).map(([shape, rate]): Distribution => ({ type: 'gamma', shape, rate })),
  fc.tuple(share, scale, between(1e-3, 1e3)).map(
    ([p, rate, ratio]): Distribution => ({
      type: 'hyperexponential',
      probabilities: [p, 1 - p],
      rates: [rate, rate * ratio],
    }),
  ),
  fc
    .tuple(fc.oneof(fc.constant(0), scale), scale)
    .map(([min, width]): Distribution => ({ type: 'uniform', min, max: min + Math.max(width, min * 1e-3) })),
  fc
    .tuple(fc.double({ min: -20, max: 20, noNaN: true }), between(0.05, 3))
    .map(([mu, sigma]): Distribution => ({ type: 'lognormal', mu, sigma })),
  fc.tuple(between(0.2, 100), scale).map(([shape, size]): Distribution => ({ type: 'weibull', shape, scale: size })),
  fc.tuple(between(1.05, 200), scale).map(([shape, size]): Distribution => ({ type: 'pareto', shape, scale: size })),
  fc.tuple(between(1.05, 200), scale).map(([shape, size]): Distribution => ({ type: 'lomax', shape, scale: size })),
  phaseType,
  fc.array(fc.tuple(between(0.01, 100), between(0.01, 1)), { minLength: 1, maxLength: 6 }).map(
    (pairs): Distribution => ({
      type: 'empirical',
      values: pairs.map(([value]) => value),
      weights: pairs.map(([, weight]) => weight),
    }),
  ),
);
