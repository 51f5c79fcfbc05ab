import type { UpdateCandidate } from '../../../src/solvers/estimation/laws/update-process.ts';
import type { UpdateProcessProblem } from '../../../src/solvers/estimation/problem.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';

/**
 * The faults of laws fitted to gaps between updates; empty if there are none. Checks that log-likelihoods and
 * Kolmogorov–Smirnov distances are those of the gaps, that changing a parameter by 2% does not raise the likelihood,
 * and that the candidates are in order of AIC.
 */
export function certifyUpdateProcess(
  { gaps, openGap }: UpdateProcessProblem,
  { candidates }: { readonly candidates: readonly UpdateCandidate[] },
): string[] {
  const violations: string[] = [];
  const tolerance = 1e-6 * Math.max(1, gaps.length / 100);
  const sorted = gaps.slice().sort();
  for (const [rank, { distribution, logLikelihood, aic, ks }] of candidates.entries()) {
    const { type } = distribution;
    const likelihood = logLikelihoodOf(distribution, gaps, openGap);
    if (Math.abs(likelihood - logLikelihood) > tolerance) {
      violations.push(`${type}: the log-likelihood is ${likelihood}; said to be ${logLikelihood}`);
    }
    for (const neighbour of neighboursOf(distribution)) {
      const other = logLikelihoodOf(neighbour, gaps, openGap);
      if (other > likelihood + tolerance) {
        violations.push(`${type}: ${JSON.stringify(neighbour)} has the larger log-likelihood ${other}`);
      }
    }
    const distance = largestDistance(distribution, sorted);
    if (Math.abs(distance - ks) > 1e-9) violations.push(`${type}: the distance is ${distance}; said to be ${ks}`);
    if (rank > 0 && !(candidates[rank - 1].aic <= aic)) violations.push(`${type}: a larger AIC comes before it`);
  }
  return violations;
}

/** The laws with one parameter 2% smaller or larger. */
function neighboursOf(distribution: Distribution): Distribution[] {
  return Object.entries(distribution).flatMap(([name, value]) =>
    typeof value === 'number' ? [0.98, 1.02].map((factor) => ({ ...distribution, [name]: factor * value })) : [],
  );
}

/** sup |F_n − F| by both sides of every step of the sample's distribution. */
function largestDistance(distribution: Distribution, sorted: Float64Array): number {
  const { survival } = createLaw(distribution);
  const n = sorted.length;
  let largest = 0;
  for (let k = 0; k < n; k++) {
    const F = 1 - survival(sorted[k]);
    largest = Math.max(largest, Math.abs((k + 1) / n - F), Math.abs(F - k / n));
  }
  return largest;
}

/** Σ log f(x) + log P(X > open); −∞ where the law has no density at a value. */
function logLikelihoodOf(distribution: Distribution, values: Float64Array, open: number): number {
  const { density, survival } = createLaw(distribution);
  if (density === null) return Number.NEGATIVE_INFINITY;
  let sum = Math.log(survival(open));
  for (const value of values) sum += Math.log(density(value));
  return sum;
}
