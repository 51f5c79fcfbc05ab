/**
 * Problems of which each is much like the one before, as the points of a sweep are: the policy iteration begins at the
 * curve of the last one, moved on as much as it moved from the one before that. Curves are integers that stand still
 * for a while and then jump; where they would lie between the integers moves evenly, so that the guess is mostly right
 * in every place and its first evaluation is the proof.
 */
import type { Budget } from '../budget.ts';
import type { Start } from './iteration/optimal-activation.ts';
import type { ActivationAnswer, ActivationProblem } from './problem.ts';
import { solveActivationPolicy } from './solve.ts';

/** A problem that was solved: where its curve lies, in integers or between them, and what it costs. */
interface Solved {
  readonly points: Int32Array | Float64Array;
  readonly cost: number;
  readonly allowance: Float64Array | undefined;
}

/**
 * A solver to be given such problems one after the other. Every answer is proved as `solveActivationPolicy` proves it,
 * so that the two differ in cost by no more than the tolerance; where policies are equally good they may differ in
 * targets. Answers after the first are without a front.
 */
export function activationPoliciesInTurn(): (problem: ActivationProblem, budget: Budget) => ActivationAnswer {
  let last: Solved | null = null;
  let beforeLast: Solved | null = null;
  return (problem, budget) => {
    const { front, ...alone } = problem;
    const near = last === null ? undefined : expected(problem.capacity, last, beforeLast ?? last);
    const answer = solveActivationPolicy(last === null ? { ...alone, front } : alone, budget, near);
    beforeLast = last;
    const { switchPoints, targets, cost, allowance } = answer;
    last = { points: switchPoints ?? targets, cost, allowance };
    return answer;
  };
}

/** The policy that the last two make likely, its curve non-increasing. */
function expected(capacity: number, last: Solved, beforeLast: Solved): Start {
  let most = Number.POSITIVE_INFINITY;
  const curve = Int32Array.from({ length: capacity + 1 }, (_, q) => {
    const point = at(last, q, capacity);
    const moved = point - at(beforeLast, q, capacity);
    most = Math.min(most, Math.max(q === 0 ? 1 : 0, Math.ceil(point + moved)));
    return most;
  });
  const { cost, allowance } = last;
  return { curve, cost: Math.max(0, 2 * cost - beforeLast.cost), ...(allowance && { allowance }) };
}

/** Where a curve for another capacity lies, at the same share of the queue. */
function at({ points }: Solved, q: number, capacity: number): number {
  const place = (q * (points.length - 1)) / capacity;
  const left = Math.floor(place);
  const right = Math.min(points.length - 1, left + 1);
  return points[left] + (place - left) * (points[right] - points[left]);
}
