/**
 * Runs the successive shortest paths over all tasks of a part, within the budget.
 *
 * Method: a cold start (all prices 0) finishes almost every part that is not nearly full. One that takes more than a
 * few hundred steps a task is started again from the layered prices, which leave only local repairs. Prices of slots that
 * stay idle must be 0: a start from positive prices may leave some above, which are then set to 0, the tasks they
 * attract taken out and inserted again.
 * Stopping rule: exact when every task is inserted and every idle slot's price is 0. When the budget runs out, the tasks
 * not inserted yet are placed without the proof; any prices ≥ 0 give a true bound, so the gap stated is true.
 */
import type { Budget } from '../../budget.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { TimeOrder } from '../instance/time-sort.ts';
import { layeredPrices } from '../sweep/layered-prices.ts';
import { completeMatching } from './completion.ts';
import { improveByExchange } from './local-exchange.ts';
import { type HallSet, type MatchingProblem, mayUse } from './matching-problem.ts';
import { type Matcher, matcher } from './shortest-paths.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** Prices of another origin, whose bound may be better; only where nothing is proved. */
  readonly otherPrice: Float64Array | null;
  /** True when the prices prove the matching optimal; otherwise they still prove a bound. */
  readonly exact: boolean;
  readonly visits: number;
  /** Whether the search began from layered prices. */
  readonly layered: boolean;
}

const coldStepsPerTask = 300;

/**
 * Shares of the time, less what is reserved, that must be left when a stage ends; without a deadline no stage ends for
 * lack of time.
 */
const leftAfter = { slowCold: 0.8, cold: 0.55, layers: 0.3, exact: 0.2, cut: 0.06, exchange: 0.02 } as const;

/**
 * @param slots the slots of the part in time order
 * @param budget when it ends, everything ends; the stages before leave time for those that follow
 * @param reservedMs to be left at the end, for the bound and the answer
 * @param coldSteps entries the cold start may pass before the layered prices take over
 */
export function assignByShortestPaths(
  problem: MatchingProblem,
  slots: TimeOrder,
  interval: number,
  budget: Budget,
  reservedMs: number,
  coldSteps = coldStepsPerTask * problem.ideal.length + 100_000,
): PartMatching | HallSet {
  const { ideal, low, weight, dropPenalty } = problem;
  const n = ideal.length;
  const whole = budget.remainingMs();
  const leftMs = (share: number): number =>
    whole === Number.POSITIVE_INFINITY ? 0 : reservedMs + share * Math.max(0, whole - reservedMs);
  const past = (share: number): boolean => budget.stopRequested() || budget.remainingMs() < leftMs(share);
  const order = insertionOrder(weight, ideal, interval);
  // Layered prices know nothing of release tasks that may be dropped: no start for those.
  const layered = dropPenalty === Number.POSITIVE_INFINITY || low.every((earliest, j) => earliest < ideal[j]);
  const mostSteps = layered ? coldSteps : Number.POSITIVE_INFINITY;
  const coldShare = layered ? leftAfter.cold : leftAfter.exact;
  const progress = { done: 0 };
  // A cold start that has nine tasks in ten placed may be about to end; one that has not will not be in time.
  let ends = (): boolean =>
    cold.steps() >= mostSteps || past(coldShare) || (layered && progress.done < 0.9 * n && past(leftAfter.slowCold));
  const cold: Matcher = matcher(problem, () => ends());
  const first = insertAll(cold, order, () => ends(), budget, progress);
  if (first.conflict !== null) return first.conflict;
  if (first.done === n)
    return { ...stateOf(cold), otherPrice: null, exact: true, visits: cold.visits(), layered: false };

  let matching = cold;
  if (layered) {
    const prices = layeredPrices(problem, slots, interval, noRoomForAnother(budget, leftMs(leftAfter.layers)));
    if (prices === null) return tooManyTasks(problem, budget);
    ends = () => past(leftAfter.exact);
    matching = matcher(problem, () => ends());
    matching.start(prices);
    const second = insertAll(matching, order, ends, budget, progress);
    if (second.conflict !== null) return second.conflict;
    if (second.done === n && lowerIdlePrices(problem, matching, ends)) {
      return {
        ...stateOf(matching),
        otherPrice: null,
        exact: true,
        visits: cold.visits() + matching.visits(),
        layered,
      };
    }
  }
  const { price } = stateOf(matching);
  const otherPrice = layered
    ? null
    : layeredPrices(problem, slots, interval, noRoomForAnother(budget, leftMs(leftAfter.cut)));
  const rest = layered ? order.filter((j) => matching.slotOf[j] === dropped) : order.subarray(first.done);
  ends = () => past(leftAfter.cut);
  const conflict = placeRest(problem, matching, rest, budget, leftMs(leftAfter.cut));
  if (conflict !== null) return conflict;
  improveByExchange(problem, matching.slotOf, matching.owner, () => past(leftAfter.exchange));
  const visits = matching === cold ? cold.visits() : cold.visits() + matching.visits();
  return { slotOf: matching.slotOf, price, otherPrice, exact: false, visits, layered };
}

/** Says when one more step of the kind done since it was last asked would leave less than `leftMs`. */
function noRoomForAnother(budget: Budget, leftMs: number): () => boolean {
  let before = budget.remainingMs();
  return () => {
    const now = budget.remainingMs();
    const step = before - now;
    before = now;
    return budget.stopRequested() || now - step < leftMs;
  };
}

function insertAll(
  matching: Matcher,
  order: Int32Array,
  stop: () => boolean,
  budget: Budget,
  progress: { done: number },
): { readonly done: number; readonly conflict: HallSet | null } {
  for (let done = 0; done < order.length; done++) {
    progress.done = done;
    if ((done & 1023) === 0) {
      if (stop()) return { done, conflict: null };
      budget.report({ fraction: done / order.length });
    }
    const outcome = matching.insert(order[done]);
    if (outcome === 'stopped') return { done, conflict: null };
    if (outcome !== 'done') return { done, conflict: outcome };
  }
  return { done: order.length, conflict: null };
}

function stateOf({ slotOf, owner, price }: Matcher): { slotOf: Int32Array; price: Float64Array } {
  return { slotOf, price: Float64Array.from(owner, (_, s) => price(s)) };
}

/**
 * Places the rest without proof: by searches cut short so that all fit into the time, and when that is up, by the
 * cheapest free slot.
 */
function placeRest(
  problem: MatchingProblem,
  matching: Matcher,
  rest: Int32Array,
  budget: Budget,
  leftMs: number,
): HallSet | null {
  let since = budget.remainingMs();
  let stepsThen = matching.steps();
  let perMs = 10_000;
  for (let done = 0; done < rest.length; done++) {
    const left = budget.remainingMs() - leftMs;
    if (left <= 0 || budget.stopRequested()) {
      return completeMatching(problem, rest.subarray(done), matching.slotOf, matching.owner, budget);
    }
    const spent = since - budget.remainingMs();
    if (spent > 5) {
      perMs = (matching.steps() - stepsThen) / spent;
      since = budget.remainingMs();
      stepsThen = matching.steps();
    }
    const outcome = matching.insert(rest[done], (left * perMs) / (rest.length - done));
    if (outcome === 'stopped')
      done--; // the time is up: seen at once above
    else if (outcome !== 'done') return outcome;
  }
  return null;
}

/**
 * Brings the prices of idle slots to 0. Lowered, a slot may attract tasks: these are taken out, the prices of the slots
 * they leave are lowered in turn, and so on; then all of them are inserted again, the heaviest first. Before that
 * every idle slot is at 0 and every task left is where it is cheapest, so the result is exact.
 * Returns false when the time is up before that.
 */
function lowerIdlePrices(problem: MatchingProblem, matching: Matcher, soon: () => boolean): boolean {
  const { slotOf, owner, price } = matching;
  const queue: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price(s) > 0) queue.push(s);
  const out: number[] = [];
  const isOut = new Uint8Array(slotOf.length);
  for (let next = 0; next < queue.length; next++) {
    if (soon()) return false;
    matching.setPrice(queue[next], 0);
    for (const j of attractedBy(problem, matching, queue[next], isOut)) {
      if (slotOf[j] !== dropped && price(slotOf[j]) > 0) queue.push(slotOf[j]);
      matching.remove(j);
      isOut[j] = 1;
      out.push(j);
    }
  }
  out.sort((a, b) => problem.weight[b] - problem.weight[a] || a - b);
  return out.every((j) => matching.insert(j) === 'done');
}

/** The tasks, but for those taken out, that would pay less at the free slot s, whose price is 0. */
function attractedBy(problem: MatchingProblem, { slotOf, price }: Matcher, s: number, isOut: Uint8Array): number[] {
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const tau = time[entry[s]];
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    if (isOut[j] === 1) continue;
    const own = slotOf[j];
    const pays = own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + price(own);
    if (weight[j] * Math.abs(tau - ideal[j]) < pays && mayUse(problem, j, s)) attracted.push(j);
  }
  return attracted;
}

/** The Hall set of a part with more tasks than slots and no dropping, found without costs. */
export function tooManyTasks(problem: MatchingProblem, budget: Budget): HallSet {
  const slotOf = new Int32Array(problem.ideal.length).fill(dropped);
  const owner = new Int32Array(problem.lines.entry.length).fill(-1);
  const set = completeMatching(problem, Int32Array.from(slotOf.keys()), slotOf, owner, budget);
  if (set === null) throw new RangeError(`${slotOf.length} tasks found room in ${owner.length} slots`);
  return set;
}
