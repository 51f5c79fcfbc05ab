/**
 * Runs the successive shortest paths over all tasks of a part, within the budget.
 *
 * Method: a cold start (all prices 0) finishes almost every part that is not nearly full. One that takes more than a
 * thousand steps a task is started again from the layered prices, which leave only local repairs. Prices of slots that
 * stay idle must be 0: a start from positive prices may leave some above, which are then set to 0, the tasks they
 * attract taken out and inserted again.
 * Stopping rule: exact when every task is inserted and every idle slot's price is 0. When the budget runs out, the tasks
 * not inserted yet are placed without the proof; any prices ≥ 0 give a true bound, so the gap stated is true.
 */
import type { Budget } from '../budget.ts';
import { completeMatching } from './completion.ts';
import { dropped } from './instance.ts';
import { layeredPrices } from './layered-prices.ts';
import { improveByExchange } from './local-exchange.ts';
import { insertionOrder } from './matching-problem.ts';
import { type HallSet, type Matcher, type MatchingProblem, matcher, mayUse } from './shortest-paths.ts';
import type { TimeOrder } from './time-sort.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** True when the prices prove the matching optimal; otherwise they still prove a bound. */
  readonly exact: boolean;
  readonly visits: number;
  /** Whether the search began from layered prices. */
  readonly layered: boolean;
}

const coldStepsPerTask = 1000;

/** Shares of the time that must be left when a stage ends; without a deadline no stage ends for lack of time. */
const leftAfter = { cold: 0.65, layers: 0.5, exact: 0.3, cut: 0.12 } as const;

/**
 * @param slots the slots of the part in time order
 * @param budget when it ends, everything ends; the stages before leave time for those that follow
 */
export function assignByShortestPaths(
  problem: MatchingProblem,
  slots: TimeOrder,
  interval: number,
  budget: Budget,
): PartMatching | HallSet {
  const n = problem.ideal.length;
  const whole = budget.remainingMs();
  const past = (share: number): boolean => budget.stopRequested() || budget.remainingMs() < share * whole;
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  const coldSteps = coldStepsPerTask * n + 100_000;
  const coldEnds = (): boolean => cold.steps() > coldSteps || past(leftAfter.cold);
  const cold: Matcher = matcher(problem, coldEnds);
  const first = insertAll(cold, order, coldEnds, budget);
  if (first.conflict !== null) return first.conflict;
  if (first.done === n) return proved(cold, false);

  const started = budget.remainingMs();
  const levels = (): number => {
    const each = started - budget.remainingMs();
    const room = budget.remainingMs() - leftAfter.layers * whole;
    return each > 0 ? Math.max(2, Math.min(mostLevels, Math.floor(room / each))) : mostLevels;
  };
  const prices = layeredPrices(problem, slots, interval, levels);
  if (prices === null) return tooManyTasks(problem, budget);
  const exactEnds = (): boolean => past(leftAfter.exact);
  let warmEnds = exactEnds;
  const warm = matcher(problem, () => warmEnds());
  warm.start(prices);
  const second = insertAll(warm, order, exactEnds, budget);
  if (second.conflict !== null) return second.conflict;
  const visits = (): number => cold.visits() + warm.visits();
  if (second.done === n && lowerIdlePrices(problem, warm, exactEnds))
    return { ...proved(warm, true), visits: visits() };

  const price = pricesOf(warm);
  const rest = order.filter((j) => warm.slotOf[j] === dropped);
  warmEnds = () => past(leftAfter.cut);
  const conflict = placeRest(problem, warm, rest, budget, leftAfter.cut * whole);
  if (conflict !== null) return conflict;
  improveByExchange(problem, warm.slotOf, warm.owner, () => budget.stopRequested());
  return { slotOf: warm.slotOf, price, exact: false, visits: visits(), layered: true };
}

const mostLevels = 64;

function insertAll(
  matching: Matcher,
  order: Int32Array,
  stop: () => boolean,
  budget: Budget,
): { readonly done: number; readonly conflict: HallSet | null } {
  for (let done = 0; done < order.length; done++) {
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

function proved(matching: Matcher, layered: boolean): PartMatching {
  const { slotOf } = matching;
  return { slotOf, price: pricesOf(matching), exact: true, visits: matching.visits(), layered };
}

function pricesOf({ owner, price }: Matcher): Float64Array {
  return Float64Array.from(owner, (_, s) => price(s));
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
 * Brings the prices of idle slots to 0: lowered, a slot may attract tasks, which are taken out and inserted again.
 * Returns whether all are 0 and every task is in place.
 */
function lowerIdlePrices(problem: MatchingProblem, matching: Matcher, soon: () => boolean): boolean {
  const { slotOf, owner, price } = matching;
  const queue: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && price(s) > 0) queue.push(s);
  const most = 1000 + 100 * queue.length;
  for (let next = 0; next < queue.length; next++) {
    const s = queue[next];
    if (owner[s] >= 0 || price(s) === 0) continue;
    if (next > most || soon()) return false;
    matching.setPrice(s, 0);
    const attracted = attractedBy(problem, matching, s);
    const left = attracted.map((j) => slotOf[j]).filter((slot) => slot !== dropped);
    for (const j of attracted) matching.remove(j);
    for (const j of attracted) if (matching.insert(j) !== 'done') return false;
    for (const slot of left) if (owner[slot] < 0 && price(slot) > 0) queue.push(slot);
  }
  return true;
}

/** The tasks that would pay less at the free slot s, whose price is 0, the heaviest first. */
function attractedBy(problem: MatchingProblem, { slotOf, price }: Matcher, s: number): number[] {
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const tau = time[entry[s]];
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    const own = slotOf[j];
    const pays = own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + price(own);
    if (weight[j] * Math.abs(tau - ideal[j]) < pays && mayUse(problem, j, s)) attracted.push(j);
  }
  return attracted.sort((a, b) => weight[b] - weight[a]);
}

/** The Hall set of a part with more tasks than slots and no dropping, found without costs. */
export function tooManyTasks(problem: MatchingProblem, budget: Budget): HallSet {
  const slotOf = new Int32Array(problem.ideal.length).fill(dropped);
  const owner = new Int32Array(problem.lines.entry.length).fill(-1);
  const set = completeMatching(problem, Int32Array.from(slotOf.keys()), slotOf, owner, budget);
  if (set === null) throw new RangeError(`${slotOf.length} tasks found room in ${owner.length} slots`);
  return set;
}
