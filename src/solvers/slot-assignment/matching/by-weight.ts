/**
 * The assignment of the shortest rule: the heaviest task first, each to the nearest free slot, then exchanges of
 * neighbours. No answer is worse.
 *
 * Where tasks may use some crawlers only, there is another one. The rule is followed as if they could use all; they are
 * then dealt to their crawlers near the times that this gives them. At full load a light task at the end of the rule
 * itself finds slots far away only.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { heaviestFirst } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { completeMatching } from './completion.ts';
import { dealtNear } from './dealing.ts';
import { improveByExchange, ownersOf } from './local-exchange.ts';
import { isKept, relaxation } from './relaxation.ts';

/** The slot of each task; null where the budget ends first. O(n log M) where windows are wide. */
export function placedByWeight(problem: MatchingProblem, budget: Budget, exchange = true): Int32Array | null {
  const none = new Int32Array(problem.weight.length).fill(dropped);
  return unlessStopped(null, () => completed(problem, none, budget, exchange));
}

/** The same dealt to crawlers; null where {@link mayDeal} is not so or time is up. */
export function dealtByWeight(problem: MatchingProblem, budget: Budget): Int32Array | null {
  const free = mayDeal(problem) ? placedByWeight(relaxation(problem), budget, false) : null;
  return free && dealtLike(problem, free, budget);
}

/** Whether tasks are kept to crawlers and to nothing else: none has a window of its own or may be dropped. */
export function mayDeal(problem: MatchingProblem): boolean {
  const { low, high, dropPenalty } = problem;
  return (
    isKept(problem) &&
    dropPenalty === Number.POSITIVE_INFINITY &&
    low.every((each) => each <= 0) &&
    high.every((each) => each === Number.POSITIVE_INFINITY)
  );
}

/**
 * Tasks dealt to their crawlers near the times that an assignment without regard to crawlers gives them. Null when time
 * is up.
 */
export function dealtLike(problem: MatchingProblem, free: Int32Array, budget: Budget): Int32Array | null {
  const { time, entry } = problem.lines;
  return unlessStopped(null, () => {
    const target = Float64Array.from(free, (s, j) => (s === dropped ? problem.ideal[j] : time[entry[s]]));
    const slotOf = dealtNear(problem, target, () => budget.stopRequested());
    return slotOf && completed(problem, slotOf, budget, true);
  });
}

/** Dealing takes so many times what the heaviest first takes, and so many dealings make room for an auction. */
const dealingTakes = 3;
const dealingsToCome = 2;

/** What is to be dealt to crawlers if the auction comes to nothing. */
export interface LaterDealing {
  /** The problem without regard to crawlers, and the heaviest first in it. */
  readonly relaxed: MatchingProblem;
  readonly free: Int32Array;
  /** About what dealing takes. */
  readonly ms: number;
}

/** Null where time is short: then dealing comes first. */
export function laterDealing(problem: MatchingProblem, budget: Budget): LaterDealing | null {
  const before = budget.remainingMs();
  const relaxed = relaxation(problem);
  const free = placedByWeight(relaxed, budget, false);
  const left = budget.remainingMs();
  const ms = dealingTakes * (before - left);
  return free !== null && left > dealingsToCome * ms ? { relaxed, free, ms } : null;
}

/** Every task without a slot gets one, the heaviest first; then neighbours may exchange theirs. */
function completed(problem: MatchingProblem, slotOf: Int32Array, budget: Budget, exchange: boolean): Int32Array | null {
  const owner = ownersOf(problem, slotOf);
  const rest = heaviestFirst(problem.weight).filter((j) => slotOf[j] === dropped);
  if (completeMatching(problem, rest, { slotOf, owner }, budget) !== null) return null;
  if (exchange) improveByExchange(problem, slotOf, () => budget.stopRequested());
  return slotOf;
}
