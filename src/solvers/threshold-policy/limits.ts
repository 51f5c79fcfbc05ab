/**
 * Limits on measures: every limit says that a function linear in the stationary distribution, its excess, is at most 0.
 * With the rates of loss and of expiry, D service ends per unit of time and n1 the mean number in system of pages that
 * will be served (Totals of queue/measures.ts):
 *
 *   P_loss ≤ x ⇔ loss − x·(loss + expiry + D) ≤ 0, P_obs alike with expiry;   V1 ≤ x ⇔ n1 − x·D ≤ 0.
 *
 * P_star and the mean of active crawlers are totals themselves. So the least excess of the policies that see the phases
 * is one policy iteration: above 0, no policy keeps the limit.
 */
import { type ConstraintName, type Constraints, constraintNames } from '../queue/measures.ts';
import { largestRate } from '../queue/ranges.ts';
import type { AllowedModes, PhaseChain, TotalsWeights } from './phase-chain.ts';

/** A linear function of the totals that is at most 0 exactly where a policy keeps the limit. */
export interface LinearExcess {
  readonly weights: TotalsWeights;
  readonly constant: number;
}

/** Relative distance from a limit within which rounding decides whether it is kept. */
const limitRounding = 1e-9;

export function excessesOf(constraints: Constraints): LinearExcess[] {
  return constraintNames.flatMap((name) => {
    const limit = constraints[name];
    if (limit === undefined) return [];
    // Clamped, a probability to 1, a time or count to the size of the largest rate: its products stay in range of doubles.
    const largest = name.endsWith('Probability') ? 1 : largestRate;
    return [excessOf(name, Math.min(largest, limit + limitRounding * Math.max(limit, limitRounding)))];
  });
}

function excessOf(name: ConstraintName, x: number): LinearExcess {
  switch (name) {
    case 'lossProbability':
      return { weights: { lossRate: 1 - x, obsolescenceRate: -x, successRate: -x }, constant: 0 };
    case 'obsolescenceProbability':
      return { weights: { lossRate: -x, obsolescenceRate: 1 - x, successRate: -x }, constant: 0 };
    case 'starvationProbability':
      return { weights: { starvationProbability: 1 }, constant: -x };
    case 'activeCrawlers':
      return { weights: { activeCrawlers: 1 }, constant: -x };
    case 'responseTime':
      return { weights: { toBeServed: 1, successRate: -x }, constant: 0 };
  }
}

/** False when no policy within these modes can keep some limit. */
export function mayBeFeasible(
  chain: PhaseChain,
  excesses: readonly LinearExcess[],
  allowedModes: AllowedModes,
): boolean {
  return excesses.every(({ weights, constant }) => {
    const start = chain.fromLevels(allowedModes.lowest);
    return chain.minimise(weights, allowedModes, start) + constant <= 0;
  });
}
