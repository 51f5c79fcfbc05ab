/**
 * Policy iteration over all policies that see queue, active crawlers and phases, with a proved lower bound.
 *
 * Method (Howard 1960): evaluate exactly (phased-evaluation.ts), take at every decision what has the smaller relative
 * value.
 * Bound (Odoni 1969): min over all states of Σ rate·(min of both actions' values − h) + cost, less what rounding can
 * have added to it, whatever h is. Stopping rule: that of table-iteration.ts.
 */
import type { Budget } from '../../budget.ts';
import { type Iterated, iterateTables } from '../iterate/table-iteration.ts';
import { free, type PhasedChain } from './phased-chain.ts';
import { evaluatePhased, type PhasedDecisions, type PhasedEvaluation } from './phased-evaluation.ts';

export type PhasedOutcome = Iterated<PhasedEvaluation>;

const patience = { evaluations: 13, sameCost: 1e-13 };

export function iteratePhased(chain: PhasedChain, start: PhasedDecisions, budget: Budget): PhasedOutcome {
  return iterateTables(
    {
      evaluate: (decisions) => evaluatePhased(chain, decisions, budget),
      improve: ({ values }, decisions) => improve(chain, values, decisions),
      bound: (evaluation) => spanBound(chain, evaluation),
    },
    start,
    patience,
    budget,
  );
}

/** What activating is worth at a decision: the value of off less that of on; 0 where there is no choice. */
export function gainOf({ decisions: points, active }: PhasedChain, values: Float64Array, d: number): number {
  if (points.forced[d] !== free) return 0;
  let gain = 0;
  const W = active.phases;
  for (let i = d * W; i < (d + 1) * W; i++) {
    if (points.shares[i] > 0) gain += points.shares[i] * (values[points.off[d]] - values[points.on[i]]);
  }
  return gain;
}

function improve(chain: PhasedChain, values: Float64Array, decisions: PhasedDecisions): boolean {
  let changed = false;
  for (let d = 0; d < decisions.length; d++) {
    const gain = gainOf(chain, values, d);
    if (gain === 0 || decisions[d] === (gain > 0 ? 1 : 0)) continue;
    decisions[d] = gain > 0 ? 1 : 0;
    changed = true;
  }
  return changed;
}

/** The lower bound that relative values prove. */
export function spanBound(chain: PhasedChain, { values, cost }: PhasedEvaluation): number {
  const { states, present, begins, rates, targets, costs, decisions: points, active } = chain;
  const W = active.phases;
  let lower = Number.POSITIVE_INFINITY;
  for (let s = 0; s < states; s++) {
    if (present[s] === 0) continue;
    let residual = costs[s] - cost;
    let size = costs[s] + Math.abs(cost);
    for (let at = begins[s]; at < begins[s + 1]; at++) {
      const target = targets[at];
      let least = Number.POSITIVE_INFINITY;
      if (target >= 0) least = values[target];
      else {
        const d = -1 - target;
        if (points.forced[d] !== 1) least = values[points.off[d]];
        if (points.forced[d] !== 0) {
          let on = 0;
          for (let i = d * W; i < (d + 1) * W; i++)
            if (points.shares[i] > 0) on += points.shares[i] * values[points.on[i]];
          least = Math.min(least, on);
        }
      }
      residual += rates[at] * (least - values[s]);
      size += rates[at] * (Math.abs(least) + Math.abs(values[s]));
    }
    // Each term passes through at most as many sums as there are events, and a few products.
    const rounding = (begins[s + 1] - begins[s] + W + 6) * 2 ** -53 * size;
    lower = Math.min(lower, residual - rounding);
  }
  return cost + lower;
}
