/**
 * The simple rule that no answer may be worse than: the heaviest task first, each to the nearest free slot.
 *
 * Where tasks may use some crawlers only, the rule is followed as if they could use all, and they are then dealt to
 * their crawlers near the times this gives them: at full load the rule itself leaves the last tasks slots far away.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { heaviestFirst } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import { isRestricted, type MatchingProblem } from '../instance/matching-problem.ts';
import { completeMatching } from './completion.ts';
import { dealtNear } from './dealing.ts';
import { ownersOf } from './local-exchange.ts';

/** Dense slot of each task by the rule; null where the budget ends first. O(n log M) where windows are wide. */
export function placedByWeight(problem: MatchingProblem, budget: Budget): Int32Array | null {
  const none = new Int32Array(problem.weight.length).fill(dropped);
  return unlessStopped(null, () => completed(problem, none, budget));
}

/** Whether tasks are restricted to crawlers and by nothing else: none has a window or may be dropped. */
export function mayDeal(problem: MatchingProblem): boolean {
  const { low, high, dropPenalty } = problem;
  return (
    isRestricted(problem) &&
    dropPenalty === Number.POSITIVE_INFINITY &&
    low.every((each) => each <= 0) &&
    high.every((each) => each === Number.POSITIVE_INFINITY)
  );
}

/**
 * Tasks dealt to their crawlers near the times that an assignment without regard to crawlers gives them. Null when time
 * is up.
 */
export function dealtLike(
  problem: MatchingProblem,
  free: Int32Array,
  interval: number,
  budget: Budget,
): Int32Array | null {
  const { time, entry } = problem.lines;
  const target = Float64Array.from(free, (s, j) => (s === dropped ? problem.ideal[j] : time[entry[s]]));
  return unlessStopped(null, () => {
    const slotOf = dealtNear(problem, target, interval, () => budget.stopRequested());
    return slotOf && completed(problem, slotOf, budget);
  });
}

/** Every task without a slot gets one, the heaviest first. */
function completed(problem: MatchingProblem, slotOf: Int32Array, budget: Budget): Int32Array | null {
  const owner = ownersOf(problem, slotOf);
  const rest = heaviestFirst(problem.weight).filter((j) => slotOf[j] === dropped);
  if (completeMatching(problem, rest, { slotOf, owner }, budget) !== null) return null;
  return slotOf;
}
