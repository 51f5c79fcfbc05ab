import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { Matching } from './matching.ts';

/** A matching with prices that are 0 at every idle slot. */
export interface Settled {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** Slots visited by the searches. */
  readonly visits: number;
}

/**
 * Makes a matching exact in which every task is where it is cheapest but some idle slots have prices above 0. No task
 * may be dropped. Returns null when the time is up before that.
 *
 * Method: an idle slot is the slot of an idle task, of weight 0, that may use any slot and pays its price. Those of
 * price 0 have theirs; one more for each of the others is inserted along a shortest path. All idle tasks then pay the
 * same, the least price of all, by which every price is lowered. No path needs the slots of the idle tasks that are
 * settled: it would come back to prices no lower than those it began at. O(M) and a search for each idle slot of
 * positive price.
 */
export function settleIdleSlots(matching: Matching, stopRequested: () => boolean): Settled | null {
  const { problem, owner, slotOf } = matching;
  const price = matching.slotPrices();
  const n = slotOf.length;
  let idle = 0;
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price[s] > 0) idle++;
  if (idle === 0) return { slotOf, price, visits: 0 };
  const extended = new Matching(withIdleTasks(problem, idle), price);
  const held = new Int32Array(n + idle).fill(dropped);
  held.set(slotOf);
  extended.hold(held);
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price[s] === 0) extended.reserve(s);
  for (let j = n; j < n + idle; j++) if (extended.insert(j, stopRequested) !== 'done') return null;
  const level = extended.price(extended.slotOf[n + idle - 1]);
  const lowered = new Float64Array(owner.length);
  const settled = extended.slotOf.slice(0, n);
  for (const s of settled) lowered[s] = Math.max(0, extended.price(s) - level);
  return { slotOf: settled, price: lowered, visits: extended.visits };
}

/** The problem with that many tasks of weight 0 more, each of which may use any slot. */
function withIdleTasks(problem: MatchingProblem, idle: number): MatchingProblem {
  const { lines, lineOf } = problem;
  const n = problem.ideal.length;
  const all = lines.merged >= 0 ? Int32Array.of(lines.merged) : Int32Array.from(lines.lineStart.keys());
  const pairs = lineOf.length + idle * all.length;
  const result = {
    ...problem,
    ideal: longer(problem.ideal, n + idle, 0),
    weight: longer(problem.weight, n + idle, 0),
    low: longer(problem.low, n + idle, Number.NEGATIVE_INFINITY),
    high: longer(problem.high, n + idle, Number.POSITIVE_INFINITY),
    lineFrom: new Int32Array(n + idle + 1),
    lineOf: new Int32Array(pairs),
    anchors: new Int32Array(pairs),
  };
  result.lineFrom.set(problem.lineFrom);
  result.lineOf.set(lineOf);
  result.anchors.set(problem.anchors);
  for (let i = 0, at = lineOf.length; i < idle; i++, at += all.length) {
    result.lineFrom[n + i + 1] = at + all.length;
    result.lineOf.set(all, at);
    for (let a = 0; a < all.length; a++) result.anchors[at + a] = lines.lineStart[all[a]];
  }
  return result;
}

function longer(values: Float64Array, length: number, rest: number): Float64Array {
  const result = new Float64Array(length).fill(rest);
  result.set(values);
  return result;
}
