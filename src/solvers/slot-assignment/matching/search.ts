/**
 * Matches the tasks and slots of a part within the budget: cold start, auction, exact search, and what remains when
 * time is up.
 *
 * Method: successive shortest paths from prices 0 (a cold start) finish almost every part that is not nearly full. One
 * that takes more than a few hundred steps a task is given to the auction. It begins at the layered prices and ends
 * within some millionth of a price from the best. The shortest paths start again from its prices, which leaves local
 * repairs. Prices of slots that stay idle must be 0: a start from positive prices may leave some above. Where no task
 * may be dropped, tasks of weight 0 take these slots, and all prices are lowered by what they pay. Else these prices
 * are lowered, the tasks they attract taken out and inserted again. Stopping rule: exact when every task is inserted
 * and every idle slot's price is 0. When the budget runs out, the answer is the better of two. One is the auction's
 * last complete assignment. The other is that of the heaviest first (by-weight.ts), or what an auction without regard
 * to crawlers gives, dealt to them. Without any, the places held then, the other tasks placed without the proof. Any
 * prices ≥ 0 give a true bound, so the gap stated is true.
 */
import { type Budget, endingEarlier } from '../../budget.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import { type HallSet, isKept, type MatchingProblem } from '../instance/matching-problem.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import { layeredPrices } from '../prices/layered-prices.ts';
import { scarceIdle } from '../prices/sampled-prices.ts';
import { auctionFrom } from './auction-rounds.ts';
import { dealtLike, mayDeal, placedByWeight } from './by-weight.ts';
import { completeMatching, tooManyTasks } from './completion.ts';
import { lowerIdlePrices, type Settled, settleIdleSlots } from './idle-slots.ts';
import { improveByExchange } from './local-exchange.ts';
import { Matching } from './shortest-paths.ts';
import { slotPriceBound } from './slot-price-bound.ts';
import { Timetable } from './timetable.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** What no assignment can beat; null where the prices prove the matching optimal. */
  readonly bound: number | null;
  readonly visits: number;
}

/** One part to be matched. */
export interface Search {
  readonly problem: MatchingProblem;
  /** The same as if each task could use every crawler: what costs no more. */
  readonly relaxed: () => MatchingProblem;
  /** The slots of the part. */
  readonly groups: SlotGroups;
  readonly interval: number;
  /** When it ends, everything ends; the stages before leave time for those that follow. */
  readonly budget: Budget;
  /** To be left at the end, for the bound and the answer. */
  readonly reservedMs: number;
  /** Prices to begin with where tasks crowd; null: those of layers. */
  readonly sampled: Float64Array | null;
  /** Entries the cold start may pass before the auction; left out: a few hundred a task. */
  readonly coldSteps?: number | undefined;
}

/**
 * A cold start that has passed more entries a task than `early` with a tenth of the tasks to come would pass many more.
 */
const coldStepsPerTask = { scarce: 4, early: 16, all: 300 } as const;

/** And so many for every slot that stays idle, each of which costs the auction some ten times as much. */
const coldStepsPerIdle = 500;

/** What a cold start may pass whatever the time: a millisecond, in which few tasks among many slots all find theirs. */
const leastColdSteps = 100_000;

/** Dealing takes so many times what the heaviest first takes. */
const dealingTakes = 4;

/** Share of the tasks that are placed. */
const nearlyAll = 0.9;

/**
 * Matches a part: exactly where time allows, else at least as well as the heaviest tasks first.
 * @throws NothingToReturn when the budget ends before there is any matching
 */
export function matchPart(search: Search): PartMatching | HallSet {
  const { problem, budget, interval, sampled } = search;
  const n = problem.ideal.length;
  const time = new Timetable(budget, search.reservedMs);
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  const cold = new Matching(problem);
  const first = insertAll(cold, order, coldEnds(search, cold, time), budget);
  if (first.conflict !== null) return first.conflict;
  if (first.done === n) return exactly({ slotOf: cold.slotOf, price: cold.slotPrices() }, cold.visits);

  const simple = simpleAssignment(search, time);
  const unproved: Unproved = { search, time, order, simple };
  if (sampled === null && time.past('start')) return finished(unproved, cold, null, [cold.slotPrices(), null]);
  const start = sampled ?? layeredStart(search, time);
  // nearly all have their best places, and no time is left for the auction to find them better ones
  if (first.done > nearlyAll * n && time.past('cold')) {
    const conflict = fillUp(cold, order, budget);
    return conflict ?? finished(unproved, cold, cold.slotOf, [cold.slotPrices(), start]);
  }
  if (start === null) return tooManyTasks(problem, budget);
  const sale = auctionFrom(problem, search.relaxed, interval, start, order, time, simple.dealingMs);
  const matching = new Matching(problem, sale.price);
  if (time.past('auction', sale.slotOf === null ? simple.dealingMs : 0)) matching.hold(sale.held);
  else {
    const second = insertAll(matching, order, () => time.past('exact'), budget);
    if (second.conflict !== null) return second.conflict;
    const settled = second.done === n ? withoutIdlePrices(matching, () => time.past('exact')) : null;
    if (settled !== null) return exactly(settled, cold.visits + matching.visits + settled.visits);
  }
  const { slotOf, proving, relaxedSlotOf } = sale;
  const free = slotOf === null && simple.free !== null ? (relaxedSlotOf ?? simple.free) : null;
  return finished({ ...unproved, simple: { ...simple, free } }, matching, slotOf, [proving, sale.start]);
}

/** When a cold start ends, by the number of tasks done. */
function coldEnds({ problem, coldSteps }: Search, cold: Matching, time: Timetable): (done: number) => boolean {
  const n = problem.ideal.length;
  const idle = problem.lines.entry.length - n;
  const forIdle = leastColdSteps + coldStepsPerIdle * Math.max(0, idle);
  const mostSteps = coldSteps ?? coldStepsPerTask.all * n + forIdle;
  // A cold start that has nine tasks in ten placed may be about to end. One that has not will not be in time, nor one
  // in which the last tasks have hardly a slot to choose from.
  const scarce = isScarce(problem);
  const perTask = coldStepsPerTask[scarce ? 'scarce' : 'early'];
  const earlySteps = coldSteps ?? (scarce && isKept(problem) ? leastColdSteps : perTask * n + forIdle);
  return (done) =>
    cold.steps >= mostSteps ||
    (cold.steps >= leastColdSteps &&
      (time.past('cold') ||
        ((scarce || done <= nearlyAll * n) && (cold.steps >= earlySteps || time.past('slowCold')))));
}

/** The assignment of the heaviest first, or that in the relaxed problem, still to be dealt to crawlers. */
interface Simple {
  readonly slotOf: Int32Array | null;
  readonly free: Int32Array | null;
  /** About what dealing takes, ms. */
  readonly dealingMs: number;
}

/** At full load tasks kept to crawlers are dealt once the auction is over, from what it gives. */
function simpleAssignment({ problem, relaxed, interval, budget }: Search, time: Timetable): Simple {
  const before = endingEarlier(budget, time.leftMs('start'));
  if (!mayDeal(problem)) return { slotOf: placedByWeight(problem, before), free: null, dealingMs: 0 };
  const open = relaxed();
  const since = budget.remainingMs();
  const free = placedByWeight(open, before);
  const dealingMs = since < Number.POSITIVE_INFINITY ? dealingTakes * (since - budget.remainingMs()) : 0;
  if (isScarce(problem)) return { slotOf: null, free, dealingMs };
  const slotOf = cheaper(problem, free && dealtLike(problem, free, interval, before), placedByWeight(problem, before));
  return { slotOf, free: null, dealingMs: 0 };
}

/** Whether hardly a slot stays idle. */
function isScarce({ lines, ideal }: MatchingProblem): boolean {
  return lines.entry.length - ideal.length < scarceIdle * ideal.length;
}

/** A search that time has ended. */
interface Unproved {
  readonly search: Search;
  readonly time: Timetable;
  readonly order: Int32Array;
  readonly simple: Simple;
}

/**
 * The best assignment there is, improved, and what prices prove. Without any, the places held in the matching, filled
 * up.
 *
 * @param own prices of the last complete round, or of the matching; null without
 * @param open prices of another origin, without regard to crawlers
 */
function finished(
  { search, time, order, simple }: Unproved,
  matching: Matching,
  found: Int32Array | null,
  [own, open]: readonly [Float64Array | null, Float64Array | null],
): PartMatching | HallSet {
  const { problem, relaxed, interval, budget } = search;
  const dealt =
    simple.free && dealtLike(problem, simple.free, interval, endingEarlier(budget, time.leftMs('exchange')));
  let slotOf = cheaper(problem, found, cheaper(problem, simple.slotOf, dealt));
  if (slotOf === null) {
    const conflict = fillUp(matching, order, budget);
    if (conflict !== null) return conflict;
    slotOf = matching.slotOf;
  }
  improveByExchange(problem, slotOf, () => time.past('exchange'));
  const stop = (): boolean => budget.stopRequested();
  let bound = 0;
  const prove = (as: MatchingProblem, price: Float64Array | null): void => {
    if (price !== null && !stop()) bound = Math.max(bound, slotPriceBound(as, price, stop));
  };
  prove(problem, own);
  prove(relaxed(), open);
  // with regard to crawlers it takes several times as long, and proves more where tasks may use few of them
  if (own === null && isKept(problem)) prove(problem, open);
  return { slotOf, price: own ?? open ?? matching.slotPrices(), bound, visits: matching.visits };
}

/** Gives the tasks without a place the nearest that are left. Returns the Hall set where not all fit. */
function fillUp(matching: Matching, order: Int32Array, budget: Budget): HallSet | null {
  const rest = order.filter((j) => matching.slotOf[j] === dropped);
  return completeMatching(matching.problem, rest, matching, budget);
}

function exactly({ slotOf, price }: Pick<Settled, 'slotOf' | 'price'>, visits: number): PartMatching {
  return { slotOf, price, bound: null, visits };
}

/**
 * A matching in which every task is where it is cheapest, made exact: no idle slot has a price. Null when time is up.
 */
function withoutIdlePrices(matching: Matching, stopRequested: () => boolean): Settled | null {
  if (matching.problem.dropPenalty === Number.POSITIVE_INFINITY) return settleIdleSlots(matching, stopRequested);
  if (!lowerIdlePrices(matching, stopRequested)) return null;
  return { slotOf: matching.slotOf, price: matching.slotPrices(), visits: 0 };
}

/** Prices of layers; null when already the release tasks do not fit. */
function layeredStart({ problem, groups, interval }: Search, time: Timetable): Float64Array | null {
  const { ideal, low, dropPenalty } = problem;
  // Layered prices know nothing of release tasks that may be dropped: no start for those.
  if (dropPenalty < Number.POSITIVE_INFINITY && low.some((earliest, j) => earliest >= ideal[j])) {
    return new Float64Array(slotsIn(groups));
  }
  return layeredPrices(problem, groups, interval, () => time.past('start'));
}

/** The assignment that costs less; null counts as infinitely expensive. */
function cheaper(problem: MatchingProblem, a: Int32Array | null, b: Int32Array | null): Int32Array | null {
  if (a === null || b === null) return a ?? b;
  return matchingCost(problem, a) < matchingCost(problem, b) ? a : b;
}

/** What an assignment to dense slots costs, penalties included. O(n). */
function matchingCost({ ideal, weight, lines, dropPenalty }: MatchingProblem, slotOf: Int32Array): number {
  const { time, entry } = lines;
  return slotOf.reduce(
    (sum, s, j) => sum + (s === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[s]] - ideal[j])),
    0,
  );
}

/** Inserts the tasks in order until `stop` says so, asked now and then with the number of tasks done. */
function insertAll(
  matching: Matching,
  order: Int32Array,
  stop: (done: number) => boolean,
  budget: Budget,
): { readonly done: number; readonly conflict: HallSet | null } {
  for (let done = 0; done < order.length; done++) {
    if ((done & 1023) === 0) {
      if (stop(done)) return { done, conflict: null };
      budget.report({ fraction: done / order.length });
    }
    const outcome = matching.insert(order[done], () => stop(done));
    if (outcome === 'stopped') return { done, conflict: null };
    if (outcome !== 'done') return { done, conflict: outcome };
  }
  return { done: order.length, conflict: null };
}
