import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';

/** Σ log f(x) + log P(X > open); −∞ where the law has no density at a value. */
export function logLikelihoodOf(distribution: Distribution, values: Float64Array, open: number): number {
  const { density, survival } = createLaw(distribution);
  if (density === null) return Number.NEGATIVE_INFINITY;
  let sum = Math.log(survival(open));
  for (const value of values) sum += Math.log(density(value));
  return sum;
}
