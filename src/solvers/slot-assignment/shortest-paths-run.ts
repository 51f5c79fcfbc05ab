/**
 * Runs the successive shortest paths over all tasks of a part, within the budget.
 *
 * Stopping rule: done when every task is inserted (exact). When the budget runs out, the tasks not inserted yet are
 * completed without the proof; the prices reached so far are still dual feasible, so the bound they give is true.
 */
import type { Budget } from '../budget.ts';
import { completeMatching } from './completion.ts';
import { dropped } from './instance.ts';
import { insertionOrder } from './matching-problem.ts';
import { type HallSet, type MatchingProblem, matcher } from './shortest-paths.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  readonly exact: boolean;
  readonly visits: number;
}

/**
 * @param soon true when there is just enough time left to complete and to compute the bound
 */
export function assignByShortestPaths(
  problem: MatchingProblem,
  interval: number,
  budget: Budget,
  soon: () => boolean,
): PartMatching | HallSet {
  const n = problem.ideal.length;
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  const matching = matcher(problem, soon);
  let done = 0;
  for (; done < n; done++) {
    if ((done & 1023) === 0) {
      if (soon()) break;
      budget.report({ fraction: done / n });
    }
    const outcome = matching.insert(order[done]);
    if (outcome === 'stopped') break;
    if (outcome !== 'done') return outcome;
  }
  const price = Float64Array.from({ length: matching.owner.length }, (_, s) => matching.price(s));
  const { slotOf, owner } = matching;
  if (done < n) {
    const conflict = completeMatching(problem, order.subarray(done), slotOf, owner, budget);
    if (conflict !== null) return conflict;
  }
  return { slotOf, price, exact: done === n, visits: matching.visits() };
}

/** The Hall set of a part with more tasks than slots and no dropping, found without costs. */
export function tooManyTasks(problem: MatchingProblem, budget: Budget): HallSet {
  const slotOf = new Int32Array(problem.ideal.length).fill(dropped);
  const owner = new Int32Array(problem.lines.entry.length).fill(-1);
  const set = completeMatching(problem, Int32Array.from(slotOf.keys()), slotOf, owner, budget);
  if (set === null) throw new RangeError(`${slotOf.length} tasks found room in ${owner.length} slots`);
  return set;
}
