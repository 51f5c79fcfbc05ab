/**
 * Limits inside branch and bound. Every limit is linear in the stationary distribution:
 *
 *   P_loss ≤ x ⇔ loss − x·(loss + expiry + ends) ≤ 0, likewise P_obs; V1 ≤ x ⇔ n1 − x·D ≤ 0; P_star − x ≤ 0; N_act − x ≤ 0,
 *
 * so its least value over the full-information policies of a node is one policy iteration. When that is above 0, no
 * policy of the node keeps the limit.
 */
import type { Budget } from '../../budget.ts';
import { type Constraints, type CostWeights, constraintNames, constraintTolerance } from '../../queue/measures.ts';
import { largestRate } from '../../queue/ranges.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import { type FullInformation, relaxationOfCost } from './relaxation/full-information.ts';

const none: CostWeights = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };

/** A limit counts as no smaller than this share of the least that could matter. */
const leastShare = 1e-6;

export interface LinearConstraint {
  readonly name: keyof Constraints;
  readonly limit: number;
  /** Its own reward columns; `evaluate(weights, modes)` is the excess of a policy per unit of time. */
  readonly relaxation: FullInformation;
  readonly weights: Weights;
}

/** The limit as reward weights: its excess per unit of time is what they add up to. */
function linear(name: keyof Constraints, x: number): { readonly costs: CostWeights; readonly weights: Weights } {
  switch (name) {
    case 'lossProbability':
      return { costs: { ...none, loss: 1 - x, obsolescence: -x }, weights: [1, 0, -x, 0] };
    case 'obsolescenceProbability':
      return { costs: { ...none, loss: -x, obsolescence: 1 - x }, weights: [1, 0, -x, 0] };
    case 'starvationProbability':
      return { costs: { ...none, starvation: 1 }, weights: [1, 0, 0, -x] };
    case 'activeCrawlers':
      return { costs: { ...none, crawler: 1 }, weights: [1, 0, 0, -x] };
    case 'responseTime':
      return { costs: none, weights: [0, 1, -x, 0] };
  }
}

/** The limits that are given. */
export function linearConstraints(
  prepared: MemorylessQueue,
  constraints: Constraints,
  budget: Budget,
): LinearConstraint[] {
  return constraintNames.flatMap((name) => {
    const written = constraints[name];
    if (written === undefined) return [];
    // What no policy can exceed is not made larger than it need be: products of it stay in range.
    const limit = Math.min(written, name.endsWith('Probability') ? 1 : largestRate);
    const { costs, weights } = linear(name, limit);
    return [
      {
        name,
        limit,
        relaxation: relaxationOfCost(prepared, costs, budget),
        weights,
      },
    ];
  });
}

/** What the excess of a limit is compared with, at the policy last evaluated: a limit of 0 leaves next to nothing. */
export function relativeScale(limit: LinearConstraint): number {
  const { relaxation, weights } = limit;
  const [, toBeServed, ends] = relaxation.totals;
  const scale = Math.abs(weights[2]) * ends + Math.abs(weights[3]) + weights[1] * toBeServed;
  return Math.max(scale, leastShare ** 2 * unitOf(limit));
}

/** The size of an excess that matters, at the policy last evaluated: above 0 for a limit of 0 too. */
export function constraintScale(limit: LinearConstraint): number {
  return Math.max(relativeScale(limit), leastShare * unitOf(limit));
}

/** A limit on a share of the pages is one per page; the others are averages over time. */
function unitOf({ name, relaxation }: LinearConstraint): number {
  const perPage = name === 'lossProbability' || name === 'obsolescenceProbability';
  return perPage ? relaxation.totals[2] : 1;
}

/** A test for nodes: false when some limit cannot be kept within the allowed modes. */
export function constraintTest(limits: readonly LinearConstraint[], states: number) {
  return (lowest: Uint8Array, highest: Uint8Array): boolean =>
    limits.every((limit) => {
      const bound = limit.relaxation.minimise(limit.weights, lowest, highest, new Uint8Array(states));
      // Rounding may lift the least value of a limit that is just kept.
      return !(bound > 1e-9 * constraintScale(limit) + constraintTolerance);
    });
}
