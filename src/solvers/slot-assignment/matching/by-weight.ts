/**
 * The assignment of the shortest rule: the heaviest task first, each to the nearest free slot that it may use, then
 * exchanges of neighbours. No answer is worse.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { heaviestFirst } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { completeMatching } from './completion.ts';
import { improveByExchange } from './local-exchange.ts';

/** The slot of each task; null where the budget ends first. O(n log M) where windows are wide. */
export function placedByWeight(problem: MatchingProblem, budget: Budget): Int32Array | null {
  const { weight, lines } = problem;
  const slotOf = new Int32Array(weight.length).fill(dropped);
  const owner = new Int32Array(lines.entry.length).fill(-1);
  return unlessStopped(null, () => {
    if (completeMatching(problem, heaviestFirst(weight), { slotOf, owner }, budget) !== null) return null;
    improveByExchange(problem, slotOf, owner, () => budget.stopRequested());
    return slotOf;
  });
}
