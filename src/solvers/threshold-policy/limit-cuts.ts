/**
 * Limits inside branch and bound. Every limit is linear in the stationary law:
 *
 *   P_loss ≤ x ⇔ loss − x·(loss + expiry + ends) ≤ 0, likewise P_obs; V1 ≤ x ⇔ n1 − x·D ≤ 0; P_star − x ≤ 0; N_act − x ≤ 0,
 *
 * so its least value over the full-information policies of a node is one policy iteration; when that is above 0, no
 * policy of the node keeps the limit.
 */
import type { MemorylessQueue } from './evaluate-memoryless.ts';
import { FullInformation, type Weights } from './full-information.ts';
import { type Constraints, type CostWeights, constraintNames, limitTolerance } from './measures.ts';
import { rewardsOf } from './rewards.ts';

const none: CostWeights = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };

interface LinearLimit {
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

/** A test for nodes: false when some limit cannot be kept within the allowed modes. */
export function limitCuts(prepared: MemorylessQueue, constraints: Constraints) {
  const { queue } = prepared;
  const limits: LinearLimit[] = [];
  for (const name of constraintNames) {
    const x = constraints[name];
    if (x === undefined) continue;
    const { costs, weights } = linear(name, x);
    limits.push({ relaxation: new FullInformation(prepared, rewardsOf(prepared, costs, 'cost')), weights });
  }
  return (lowest: Uint8Array, highest: Uint8Array): boolean =>
    limits.every(({ relaxation, weights }) => {
      const modes = new Uint8Array((queue.topLevel + 1) * relaxation.n);
      const { bound } = relaxation.minimise(weights, lowest, highest, modes);
      // Rounding may lift the least value of a limit that is just kept.
      const scale =
        Math.abs(weights[2]) * relaxation.totals[2] + Math.abs(weights[3]) + relaxation.totals[1] * weights[1];
      return bound <= 1e-9 * scale + limitTolerance;
    });
}
