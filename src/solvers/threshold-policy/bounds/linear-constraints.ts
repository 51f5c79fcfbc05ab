/**
 * Limits inside branch and bound. Every limit is linear in the stationary distribution:
 *
 *   P_loss ≤ x ⇔ loss − x·(loss + expiry + ends) ≤ 0, likewise P_obs; V1 ≤ x ⇔ n1 − x·D ≤ 0; P_star − x ≤ 0; N_act − x ≤ 0,
 *
 * so its least value over the full-information policies of a node is one policy iteration; when that is above 0, no
 * policy of the node keeps the limit.
 */
import type { Budget } from '../../budget.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { type Constraints, type CostWeights, constraintNames, constraintTolerance } from '../model/measures.ts';
import { largestRate } from '../model/ranges.ts';
import { FullInformation } from './full-information.ts';
import { rewardsOf, type Weights } from './rewards.ts';

const none: CostWeights = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };

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
        relaxation: new FullInformation(prepared, rewardsOf(prepared, costs, 'cost'), budget, 'likeliest'),
        weights,
      },
    ];
  });
}

/** Size of what the excess of a limit is made of, at the policy last evaluated. */
export function constraintScale({ relaxation, weights }: LinearConstraint): number {
  const [, toBeServed, ends] = relaxation.totals;
  return Math.abs(weights[2]) * ends + Math.abs(weights[3]) + weights[1] * toBeServed;
}

/** A test for nodes: false when some limit cannot be kept within the allowed modes. */
export function constraintTest(limits: readonly LinearConstraint[], states: number) {
  return (lowest: Uint8Array, highest: Uint8Array): boolean =>
    limits.every((limit) => {
      const { bound } = limit.relaxation.minimise(limit.weights, lowest, highest, new Uint8Array(states));
      // Rounding may lift the least value of a limit that is just kept.
      return !(bound > 1e-9 * constraintScale(limit) + constraintTolerance);
    });
}
