/**
 * Policy iteration over all policies that see queue, active crawlers and phases, with a proved lower bound. It also
 * serves the plain model where the optimum is no switching curve.
 *
 * Method (Howard 1960): evaluate exactly (phased-evaluation.ts), then take at every decision what has the smaller
 * relative value. It ends when no decision changes, or the cost no longer falls for a while (ties).
 * Bound (Odoni 1969): min over all states of Σ rate·(min of both actions' values − h) + cost, less what rounding can
 * have added to it, whatever h is.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { free, type PhasedChain } from '../evaluate/chain/phased-chain.ts';
import { ChainEvaluator, type PhasedDecisions, type PhasedEvaluation } from '../evaluate/chain/phased-evaluation.ts';

export interface GeneralOutcome {
  /** The best policy; the start where nothing was evaluated. */
  readonly decisions: PhasedDecisions;
  /** Null when the budget ended before the first evaluation. */
  readonly evaluation: PhasedEvaluation | null;
  /** No policy costs less; −∞ when nothing was evaluated. */
  readonly bound: number;
  readonly iterations: number;
  /** False when the budget ended first. */
  readonly converged: boolean;
}

const maxIterations = 200;
/** Evaluations without progress, at most. */
const patience = 13;
/** Costs that differ by less than this share are the same. */
const sameCost = 1e-13;

export function iterateDecisions(chain: PhasedChain, start: PhasedDecisions, budget: Budget): GeneralOutcome {
  const evaluator = new ChainEvaluator(chain);
  const decisions = start.slice();
  let best: PhasedDecisions = start.slice();
  let found: PhasedEvaluation | null = null;
  let bound = Number.NEGATIVE_INFINITY;
  let waited = 0;
  for (let iterations = 0; ; ) {
    const evaluation = unlessStopped(null, () => evaluator.evaluate(decisions, budget));
    if (evaluation === null) return { decisions: best, evaluation: found, bound, iterations, converged: false };
    iterations++;
    const before: number = found?.cost ?? Number.POSITIVE_INFINITY;
    const same = found === null ? 0 : sameCost * Math.abs(before);
    waited = evaluation.cost < before - same ? 0 : waited + 1;
    if (found === null || evaluation.cost <= before + same) {
      best = decisions.slice();
      found = evaluation;
    }
    bound = Math.max(bound, spanBound(chain, evaluation));
    budget.report({ incumbent: found.cost, bound });
    const impatient = iterations >= maxIterations || waited >= patience;
    if (impatient || !improve(chain, evaluation.values, decisions)) {
      return { decisions: best, evaluation: found, bound, iterations, converged: true };
    }
  }
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

/** Takes the better action everywhere; answers whether anything changed. */
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
function spanBound(chain: PhasedChain, { values, cost }: PhasedEvaluation): number {
  const { states, present, begins, rates, targets, costs, decisions: points, active } = chain;
  const W = active.phases;
  let lower = Number.POSITIVE_INFINITY;
  for (let s = 0; s < states; s++) {
    if (present[s] === 0) continue;
    let residual = costs[s] - cost;
    let size = Math.abs(costs[s]) + Math.abs(cost);
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
