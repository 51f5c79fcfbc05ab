/**
 * Makes a matching exact in which every task is where it is cheapest but some idle slots have prices above 0.
 */
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { nearest } from './completion.ts';
import { FreeSlots } from './free-slots.ts';
import { Matching } from './shortest-paths.ts';

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

/**
 * Brings the prices of idle slots to 0. A lowered slot may attract tasks. These are taken out, the prices of the slots
 * they leave are lowered in turn, and so on. Then all of them are inserted again, the heaviest first. Before that every
 * idle slot is at 0 and every task left is where it is cheapest, so the result is exact.
 * Returns false when the time is up before that. All that wait to be lowered are lowered at once: O(M + n) for each
 * such wave, of which there are few, whatever the number of prices.
 */
export function lowerIdlePrices(matching: Matching, stopRequested: () => boolean): boolean {
  const { slotOf, owner, problem } = matching;
  let lowered: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && matching.price(s) > 0) lowered.push(s);
  const out: number[] = [];
  const isOut = new Uint8Array(slotOf.length);
  while (lowered.length > 0) {
    if (stopRequested()) return false;
    for (const s of lowered) matching.setPrice(s, 0);
    const attracted = attractedBy(matching, lowered, isOut);
    lowered = [];
    for (const j of attracted) {
      if (slotOf[j] !== dropped && matching.price(slotOf[j]) > 0) lowered.push(slotOf[j]);
      matching.remove(j);
      isOut[j] = 1;
      out.push(j);
    }
  }
  out.sort((a, b) => problem.weight[b] - problem.weight[a] || a - b);
  return out.every((j) => matching.insert(j, stopRequested) === 'done');
}

/**
 * The tasks, but for those taken out, that would pay less at one of these free slots, whose prices are 0. The slot is
 * the one nearest to their ideal time.
 */
function attractedBy(
  { problem, slotOf, owner, prices }: Matching,
  lowered: readonly number[],
  isOut: Uint8Array,
): number[] {
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const wanted = new Uint8Array(owner.length);
  for (const s of lowered) wanted[s] = 1;
  const standing = new FreeSlots(lines);
  for (let s = 0; s < owner.length; s++) if (wanted[s] === 0) standing.strike(s);
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    if (isOut[j] === 1) continue;
    const s = nearest(problem, standing, j);
    if (s < 0) continue;
    const own = slotOf[j];
    const pays =
      own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + prices.price[entry[own]];
    if (weight[j] * Math.abs(time[entry[s]] - ideal[j]) < pays) attracted.push(j);
  }
  return attracted;
}
