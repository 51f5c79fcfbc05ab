/**
 * Problems of which each is much like the one before, as the points of a sweep are: the policy iteration begins at the curve
 * of the last one, moved on as much as it moved from the one before that.
 */
import type { Budget } from '../budget.ts';
import type { SwitchingCurve } from './model/activation-model.ts';
import type { ActivationAnswer, ActivationProblem } from './problem.ts';
import { solveActivationPolicy } from './solve.ts';

/**
 * A solver to be given such problems one after the other. Every answer is proved as `solveActivationPolicy` proves it, so
 * that the two differ in cost by no more than the tolerance; where policies are equally good they may differ in targets.
 * Answers after the first are without a front.
 */
export function activationPoliciesInTurn(): (problem: ActivationProblem, budget: Budget) => ActivationAnswer {
  let last: Int32Array | null = null;
  let beforeLast: Int32Array | null = null;
  return (problem, budget) => {
    const { front, ...alone } = problem;
    const near = expected(problem.capacity, last, beforeLast);
    const answer = solveActivationPolicy(last === null ? { ...alone, front } : alone, budget, near);
    beforeLast = last;
    last = answer.targets;
    return answer;
  };
}

/** The curve that the last two make likely, non-increasing. */
function expected(
  capacity: number,
  last: Int32Array | null,
  beforeLast: Int32Array | null,
): SwitchingCurve | undefined {
  if (last === null) return undefined;
  let most = Number.POSITIVE_INFINITY;
  return Int32Array.from({ length: capacity + 1 }, (_, q) => {
    const target = at(last, q, capacity);
    const moved = beforeLast === null ? 0 : target - at(beforeLast, q, capacity);
    most = Math.min(most, Math.max(q === 0 ? 1 : 0, Math.round(target + moved)));
    return most;
  });
}

/** The target of a curve for another capacity, at the same share of the queue. */
function at(targets: Int32Array, q: number, capacity: number): number {
  const place = (q * (targets.length - 1)) / capacity;
  const left = Math.floor(place);
  const right = Math.min(targets.length - 1, left + 1);
  return targets[left] + (place - left) * (targets[right] - targets[left]);
}
