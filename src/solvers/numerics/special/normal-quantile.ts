import { normalDistribution } from './error-function.ts';

/**
 * The z with P(Z ≤ z) = p for a standard normal Z, 0.5 ≤ p < 1: Newton on the logarithm of the upper tail, to 1e−14.
 */
export function standardNormalQuantile(p: number): number {
  const target = Math.log(1 - p);
  let z = p > 0.5 ? Math.sqrt(Math.max(0, -2 * target - Math.log(2 * Math.PI * (1 - 2 * target)))) : 0;
  for (let iteration = 0; iteration < 60; iteration++) {
    const tail = normalDistribution(-z);
    const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    const step = ((Math.log(tail) - target) * tail) / density;
    z += step;
    if (Math.abs(step) <= 1e-14 * Math.max(1, z)) break;
  }
  return z;
}

/** The z with P(|Z| ≤ z) = 95% for a standard normal Z. */
export const normal95 = 1.959963984540054;
