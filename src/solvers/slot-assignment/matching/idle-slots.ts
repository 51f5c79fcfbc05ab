/**
 * Two ways to make a matching exact in which every task is where it is cheapest but some idle slots have prices above 0.
 * Where no task may be dropped, idle tasks take these slots (settleIdleSlots): one search for each. Where tasks may be
 * dropped, idle tasks would have to be dropped too, so the prices are lowered (lowerIdlePrices). That alone would do, but
 * not in time: 10⁴ tasks, 30% of them with equal ideal times, are exact in 1.2 s one way and not in 3 s the other.
 */
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { nearestFreeSlot } from './completion.ts';
import { FreeSlots } from './free-slots.ts';
import { Matching } from './shortest-paths.ts';

/** A matching with prices that are 0 at every idle slot. */
export interface PricedMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** Slots visited by the searches. */
  readonly visits: number;
}

/**
 * Makes a matching exact where no task may be dropped. Null when the time is up first.
 *
 * Method: every idle slot gets an idle task of weight 0 that may use any slot and pays its price. Slots of price 0 hold
 * theirs from the start; for each other slot one idle task is inserted along a shortest path. All idle tasks then pay
 * the same, the least price of all, by which every price is lowered. No path needs a slot of price 0 that an idle task
 * holds: it would come back to prices no lower than those it began at. O(M) and a search for each idle slot of positive
 * price.
 */
export function settleIdleSlots(matching: Matching, stopRequested: () => boolean): PricedMatching | null {
  const { problem, owner, slotOf } = matching;
  const price = matching.slotPrices();
  const n = slotOf.length;
  let idle = 0;
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price[s] > 0) idle++;
  if (idle === 0) return { slotOf, price, visits: 0 };
  const extended = new Matching(addIdleTasks(problem, idle), price);
  const startSlotOf = new Int32Array(n + idle).fill(dropped);
  startSlotOf.set(slotOf);
  extended.adopt(startSlotOf);
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price[s] === 0) extended.reserve(s);
  for (let j = n; j < n + idle; j++) if (extended.insert(j, stopRequested) !== 'done') return null;
  const level = extended.price(extended.slotOf[n + idle - 1]);
  const lowered = new Float64Array(owner.length);
  const finalSlotOf = extended.slotOf.slice(0, n);
  for (const s of finalSlotOf) lowered[s] = Math.max(0, extended.price(s) - level);
  return { slotOf: finalSlotOf, price: lowered, visits: extended.visits };
}

/** The problem with `idle` more tasks, of weight 0, each of which may use any slot. */
function addIdleTasks(problem: MatchingProblem, idle: number): MatchingProblem {
  const { lines, lineOf } = problem;
  const n = problem.ideal.length;
  const all = lines.mergedLine >= 0 ? Int32Array.of(lines.mergedLine) : Int32Array.from(lines.lineStart.keys());
  const pairs = lineOf.length + idle * all.length;
  const result = {
    ...problem,
    ideal: extend(problem.ideal, n + idle, 0),
    weight: extend(problem.weight, n + idle, 0),
    low: extend(problem.low, n + idle, Number.NEGATIVE_INFINITY),
    high: extend(problem.high, n + idle, Number.POSITIVE_INFINITY),
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

function extend(values: Float64Array, length: number, rest: number): Float64Array {
  const result = new Float64Array(length).fill(rest);
  result.set(values);
  return result;
}

/**
 * Lowers the prices of idle slots to 0, also where tasks may be dropped. Returns whether there was time for it.
 *
 * Method: a lowered slot may attract tasks. They are removed, the prices of the slots they leave are lowered in turn,
 * and so on. In the end every idle slot has price 0 and every task that still has a slot pays least there. So inserting
 * the removed tasks again, the heaviest first, gives an exact matching. All idle slots of positive price are lowered at
 * once: O(M + n) for each such wave, of which there are few.
 */
export function lowerIdlePrices(matching: Matching, stopRequested: () => boolean): boolean {
  const { slotOf, owner, problem } = matching;
  let lowered: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && matching.price(s) > 0) lowered.push(s);
  const removed: number[] = [];
  const isRemoved = new Uint8Array(slotOf.length);
  while (lowered.length > 0) {
    if (stopRequested()) return false;
    for (const s of lowered) matching.setPrice(s, 0);
    const attracted = attractedTasks(matching, lowered, isRemoved);
    lowered = [];
    for (const j of attracted) {
      if (slotOf[j] !== dropped && matching.price(slotOf[j]) > 0) lowered.push(slotOf[j]);
      matching.remove(j);
      isRemoved[j] = 1;
      removed.push(j);
    }
  }
  removed.sort((a, b) => problem.weight[b] - problem.weight[a] || a - b);
  return removed.every((j) => matching.insert(j, stopRequested) === 'done');
}

/**
 * The tasks that would pay less at one of these idle slots, whose prices are 0: at the one nearest to their ideal time.
 * Removed tasks are left out.
 */
function attractedTasks(
  { problem, slotOf, owner, prices }: Matching,
  lowered: readonly number[],
  isRemoved: Uint8Array,
): number[] {
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const isLowered = new Uint8Array(owner.length);
  for (const s of lowered) isLowered[s] = 1;
  const candidates = new FreeSlots(lines);
  for (let s = 0; s < owner.length; s++) if (isLowered[s] === 0) candidates.remove(s);
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    if (isRemoved[j] === 1) continue;
    const s = nearestFreeSlot(problem, candidates, j);
    if (s < 0) continue;
    const own = slotOf[j];
    const pays =
      own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + prices.price[entry[own]];
    if (weight[j] * Math.abs(time[entry[s]] - ideal[j]) < pays) attracted.push(j);
  }
  return attracted;
}
