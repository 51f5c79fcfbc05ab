/**
 * Matches the tasks and slots of a part within the budget.
 *
 * Stages, each of which may end the search:
 * 1. Cold start: successive shortest paths from prices 0 (shortest-paths.ts). Finishes almost every part that is not
 *    nearly full. Given up after a few hundred entries a task.
 * 2. A simple assignment to fall back on: the heaviest task first, to the nearest free slot (by-weight.ts).
 * 3. Prices to begin with: those of a sample where tasks crowd (prices/sampled-prices.ts), else layered ones
 *    (prices/layered-prices.ts).
 * 4. Auction from these (auction-rounds.ts), until it is within some millionth of a price from the best.
 * 5. Shortest paths again, from the auction's prices: local repairs.
 * 6. Idle slots whose price is not 0 yet (idle-slots.ts). After that the matching is exact.
 *
 * When time ends in stage 3 to 6, the answer is the cheapest of the auction's last complete assignment, the simple one
 * and, where tasks may use some crawlers only, what is dealt to these near the times of an assignment without regard to
 * crawlers (dealing.ts). Neighbours then exchange slots (local-exchange.ts). Its bound is what the last prices prove
 * (slot-price-bound.ts): any prices ≥ 0 prove a true one.
 */
import { type Budget, endingEarlier } from '../../budget.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import { type HallSet, isRestricted, type MatchingProblem } from '../instance/matching-problem.ts';
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
  /** No assignment of the part costs less; null where the prices prove the matching optimal. */
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
  /** For the whole part; each stage leaves time for those after it (timetable.ts). */
  readonly budget: Budget;
  /** Time to be left at the end, for the bound and the answer, ms. */
  readonly reservedMs: number;
  /** Prices to begin with where tasks crowd; null: those of layers. */
  readonly sampled: Float64Array | null;
  /** Entries that the cold start may pass before the auction, for tests; left out: a few hundred a task. */
  readonly coldSteps?: number | undefined;
}

/**
 * Entries of lines that a cold start may pass, a task: while a tenth of the tasks is still to come where slots are
 * scarce and where they are not, and in all. Beyond these the auction is faster.
 */
const coldStepsPerTask = { scarce: 4, early: 16, all: 300 } as const;

/** Further entries for each idle slot, which costs the auction some ten times as much. */
const coldStepsPerIdle = 500;

/** Entries that a cold start may pass whatever the time, about a millisecond: few tasks among many slots are placed. */
const minColdSteps = 100_000;

/** Time that dealing takes, as a multiple of the time of the heaviest first. */
const dealingTime = 3;

/** Share of the tasks placed from which on a cold start may be about to end. */
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
  if (sampled === null && time.past('start')) return finished(unproved, cold, null, cold.slotPrices(), []);
  const start = sampled ?? layeredStart(search, time);
  // Nearly all tasks have their best places, and there is no time for an auction to find the others better ones.
  if (first.done > nearlyAll * n && time.past('cold')) {
    const conflict = fillUp(cold, order, budget);
    return conflict ?? finished(unproved, cold, cold.slotOf, cold.slotPrices(), start === null ? [] : [start]);
  }
  if (start === null) return tooManyTasks(problem, budget);
  const sold = auctionFrom(problem, search.relaxed, interval, start, order, time, simple.dealingMs);
  const matching = new Matching(problem, sold.price);
  if (time.past('auction', sold.slotOf === null ? simple.dealingMs : 0)) matching.hold(sold.lastSlotOf);
  else {
    const second = insertAll(matching, order, () => time.past('exact'), budget);
    if (second.conflict !== null) return second.conflict;
    const settled = second.done === n ? withoutIdlePrices(matching, () => time.past('exact')) : null;
    if (settled !== null) return exactly(settled, cold.visits + matching.visits + settled.visits);
  }
  const { slotOf, proving, relaxedSlotOf } = sold;
  const free = slotOf === null && simple.free !== null ? (relaxedSlotOf ?? simple.free) : null;
  // Prices of the first rounds may prove less than those that the auction began with.
  const open = proving === null && sold.start !== start ? [start, sold.start] : [sold.start];
  return finished({ ...unproved, simple: { ...simple, free } }, matching, slotOf, proving, open);
}

/** When a cold start ends, by the number of tasks done. */
function coldEnds({ problem, coldSteps }: Search, cold: Matching, time: Timetable): (done: number) => boolean {
  const n = problem.ideal.length;
  const idle = problem.lines.entry.length - n;
  const forIdle = minColdSteps + coldStepsPerIdle * Math.max(0, idle);
  const mostSteps = coldSteps ?? coldStepsPerTask.all * n + forIdle;
  // With nine tasks in ten placed it may be about to end. Otherwise it will not end in time, nor will it where the last
  // tasks find hardly a free slot.
  const scarce = isScarce(problem);
  const perTask = coldStepsPerTask[scarce ? 'scarce' : 'early'];
  const earlySteps = coldSteps ?? (scarce && isRestricted(problem) ? minColdSteps : perTask * n + forIdle);
  return (done) =>
    cold.steps >= mostSteps ||
    (cold.steps >= minColdSteps &&
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
  const dealingMs = since < Number.POSITIVE_INFINITY ? dealingTime * (since - budget.remainingMs()) : 0;
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
 * @param open prices of other origins, without regard to crawlers
 */
function finished(
  { search, time, order, simple }: Unproved,
  matching: Matching,
  found: Int32Array | null,
  own: Float64Array | null,
  open: readonly Float64Array[],
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
  let bound = own === null ? 0 : slotPriceBound(problem, own, stop);
  let price = own;
  for (const other of open) {
    if (stop()) break;
    const proved = slotPriceBound(relaxed(), other, stop);
    if (proved > bound || price === null) price = other;
    bound = Math.max(bound, proved);
  }
  // With regard to crawlers it takes several times as long, and proves more where tasks may use few of them.
  if (price !== null && price !== own && isRestricted(problem) && !stop()) {
    bound = Math.max(bound, slotPriceBound(problem, price, stop));
  }
  return { slotOf, price: price ?? matching.slotPrices(), bound, visits: matching.visits };
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
