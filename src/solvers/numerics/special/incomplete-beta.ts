/**
 * The regularised incomplete beta function I_x(a, b), a, b > 0. Method: Lentz's evaluation of its continued fraction
 * (Abramowitz & Stegun 26.5.8), on the side of the mean where it converges fast. The factor in front comes through
 * logarithms of gamma functions. Relative error under 1e−11 for a + b up to 1e7. O(√(a + b)) terms at worst.
 *
 * Tails of a binomial law: P(X ≥ k) = I_p(k, n − k + 1).
 */
import { logGamma } from './gamma-function.ts';

/** Value that replaces a denominator of 0 in the continued fraction. */
const tiny = 1e-300;

export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(front) * continuedFraction(x, a, b)) / a;
}

function continuedFraction(x: number, a: number, b: number): number {
  const awayFromZero = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 100_000; m++) {
    const evenCoefficient = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + evenCoefficient * d);
    c = awayFromZero(1 + evenCoefficient / c);
    value *= d * c;
    const oddCoefficient = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + oddCoefficient * d);
    c = awayFromZero(1 + oddCoefficient / c);
    const factor = d * c;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return value;
}

/** P(X ≥ k) for a binomial X of n trials with chance p each. */
export function binomialAtLeast(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  return k > n ? 0 : incompleteBeta(p, k, n - k + 1);
}

/** P(X ≤ k) for a binomial X of n trials with chance p each. */
export const binomialAtMost = (k: number, n: number, p: number): number => binomialAtLeast(n - k, n, 1 - p);
