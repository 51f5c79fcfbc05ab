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
import { scarceIdle } from '../bound/sampled-prices.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { HallSet, MatchingProblem } from '../instance/matching-problem.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import { layeredPrices } from '../sweep/layered-prices.ts';
import type { AuctionAnswer } from './auction/auction.ts';
import { auctioned } from './auction/auctioned.ts';
import { raisedBound } from './auction/price-ascent.ts';
import { dealtByWeight, dealtLike, type LaterDealing, laterDealing, mayDeal, placedByWeight } from './by-weight.ts';
import { completeMatching, tooManyTasks } from './completion.ts';
import { lowerIdlePrices } from './idle-prices.ts';
import { type Settled, settleIdleSlots } from './idle-tasks.ts';
import { improveByExchange } from './local-exchange.ts';
import { Matching } from './matching.ts';
import { isKept } from './relaxation.ts';
import { Timetable } from './timetable.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** Prices of another origin, whose bound may be better; only where nothing is proved. */
  readonly otherPrice: Float64Array | null;
  /** Whether the price tells the crawlers that tasks are kept to apart. */
  readonly tellsCrawlers: boolean;
  /** True when the prices prove the matching optimal; otherwise they still prove a bound. */
  readonly exact: boolean;
  readonly visits: number;
}

/** One part to be matched. */
export interface Search {
  readonly problem: MatchingProblem;
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

/** Share of the tasks that are placed. */
const nearlyAll = 0.9;

/**
 * Matches a part: exactly where time allows, else at least as well as the heaviest tasks first.
 * @throws NothingToReturn when the budget ends before there is any matching
 */
export function matchPart(search: Search): PartMatching | HallSet {
  const { problem, budget, interval } = search;
  const n = problem.ideal.length;
  const time = new Timetable(budget, search.reservedMs);
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  const forIdle = leastColdSteps + coldStepsPerIdle * Math.max(0, problem.lines.entry.length - n);
  const mostSteps = search.coldSteps ?? coldStepsPerTask.all * n + forIdle;
  const cold = new Matching(problem);
  // A cold start that has nine tasks in ten placed may be about to end. One that has not will not be in time, nor one
  // in which the last tasks have hardly a slot to choose from.
  const scarce = problem.lines.entry.length - n < scarceIdle * n;
  const perTask = coldStepsPerTask[scarce ? 'scarce' : 'early'];
  const earlySteps = search.coldSteps ?? (scarce && isKept(problem) ? leastColdSteps : perTask * n + forIdle);
  const coldEnds = (done: number): boolean =>
    cold.steps >= mostSteps ||
    (cold.steps >= leastColdSteps &&
      (time.past('cold') ||
        ((scarce || done <= nearlyAll * n) && (cold.steps >= earlySteps || time.past('slowCold')))));
  const first = insertAll(cold, order, coldEnds, budget);
  if (first.conflict !== null) return first.conflict;
  if (first.done === n) return exactly({ slotOf: cold.slotOf, price: cold.slotPrices() }, cold.visits);
  const beforeLayers = endingEarlier(budget, time.leftMs('layers'));
  const dealing = scarce && mayDeal(problem) ? laterDealing(problem, beforeLayers) : null;
  const nearest = dealing === null ? placedByWeight(problem, beforeLayers) : null;
  const beforeSale = endingEarlier(budget, time.leftMs(search.sampled === null ? 'layers' : 'samples'));
  const simple = dealing === null ? cheaper(problem, nearest, dealtByWeight(problem, beforeSale)) : null;
  const found = afterColdStart(search, { cold, order, placed: first.done, time, simple, dealing });
  if ('tasks' in found || found.exact) return found;
  return { ...found, slotOf: cheaper(problem, simple, found.slotOf) ?? found.slotOf };
}

/** A cold start that did not suffice. */
interface ColdStart {
  readonly cold: Matching;
  readonly order: Int32Array;
  /** How many tasks of the order have places. */
  readonly placed: number;
  readonly time: Timetable;
  /** The assignment of the heaviest first, where there was time for it. */
  readonly simple: Int32Array | null;
  /** In its place, where time allows better. */
  readonly dealing: LaterDealing | null;
}

function afterColdStart(search: Search, coldStart: ColdStart): PartMatching | HallSet {
  const { cold, order, placed, time, dealing } = coldStart;
  const { problem, budget, sampled } = search;
  const n = problem.ideal.length;
  if (sampled === null && time.past('layers')) {
    return fromHeld(search, cold, cold.slotPrices(), order, time);
  }
  const start = sampled ?? layeredStart(search, time);
  // nearly all have their best places, and no time is left for the auction to find them better ones
  if (placed > nearlyAll * n && time.past('cold')) {
    return fromHeld(search, cold, start ?? cold.slotPrices(), order, time);
  }
  if (start === null) return tooManyTasks(problem, budget);
  const sale = auctioned(problem, search.interval, start, order, time, dealing, sampled !== null);
  let { simple } = coldStart;
  if (sale.toDeal !== null) simple = dealtLike(problem, sale.toDeal, endingEarlier(budget, time.leftMs('exchange')));
  const matching = new Matching(problem, sale.price);
  if (time.past('auction')) {
    const slotOf = cheaper(problem, sale.slotOf, simple);
    if (slotOf === null) {
      matching.hold(sale.held);
      return fromHeld(search, matching, sale.start, order, time);
    }
    improveByExchange(problem, slotOf, () => time.past('exchange'));
    const price = provingMost(problem, sale, slotOf, () => time.past('exchange')) ?? sale.start;
    // the first rounds' prices prove less than those they began with
    const other = sale.proving === null ? start : sale.start;
    return {
      slotOf,
      price,
      otherPrice: price === other ? null : other,
      tellsCrawlers: sale.proving !== null,
      exact: false,
      visits: cold.visits,
    };
  }
  const second = insertAll(matching, order, () => time.past('exact'), budget);
  if (second.conflict !== null) return second.conflict;
  const settled = second.done === n ? withoutIdlePrices(matching, () => time.past('exact')) : null;
  const visits = cold.visits + matching.visits + (settled?.visits ?? 0);
  if (settled !== null) return exactly(settled, visits);

  const slotOf = cheaper(problem, sale.slotOf, simple) ?? matching.slotOf;
  if (slotOf === matching.slotOf) {
    const rest = order.filter((j) => matching.slotOf[j] === dropped);
    const conflict = placeRest(matching, rest, budget, time);
    if (conflict !== null) return conflict;
  }
  improveByExchange(problem, slotOf, () => time.past('exchange'));
  const price = provingMost(problem, sale, slotOf, () => time.past('exchange')) ?? sale.price;
  return { slotOf, price, otherPrice: sale.start, tellsCrawlers: sale.proving !== null, exact: false, visits };
}

/** The prices of an auction's last complete round, raised where tasks are kept to crawlers; null without a round. */
function provingMost(
  problem: MatchingProblem,
  { proving, near }: AuctionAnswer,
  slotOf: Int32Array,
  stopRequested: () => boolean,
): Float64Array | null {
  if (proving === null || !isKept(problem)) return proving;
  return raisedBound(problem, proving, near, matchingCost(problem, slotOf), stopRequested);
}

/**
 * When the time ended before every task had a place: those held then, and the best that can be found for the others.
 */
function fromHeld(
  { problem, budget }: Search,
  matching: Matching,
  start: Float64Array,
  order: Int32Array,
  time: Timetable,
): PartMatching | HallSet {
  const rest = order.filter((j) => matching.slotOf[j] === dropped);
  const conflict = placeRest(matching, rest, budget, time);
  if (conflict !== null) return conflict;
  const { slotOf, visits } = matching;
  improveByExchange(problem, slotOf, () => time.past('exchange'));
  // In an unfinished round prices prove less than those that it began with.
  return { slotOf, price: start, otherPrice: matching.slotPrices(), tellsCrawlers: false, exact: false, visits };
}

function exactly({ slotOf, price }: Pick<Settled, 'slotOf' | 'price'>, visits: number): PartMatching {
  return { slotOf, price, otherPrice: null, tellsCrawlers: true, exact: true, visits };
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
  return layeredPrices(problem, groups, interval, time.noRoomForAnother());
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

/**
 * Places the rest without proof, by searches cut short so that all fit into the time. When that is up, the cheapest
 * free slot is taken.
 */
function placeRest(matching: Matching, rest: Int32Array, budget: Budget, time: Timetable): HallSet | null {
  let since = budget.remainingMs();
  let stepsThen = matching.steps;
  let perMs = 10_000;
  for (let done = 0; done < rest.length; done++) {
    const left = budget.remainingMs() - time.leftMs('cut');
    if (left <= 0 || budget.stopRequested()) {
      return completeMatching(matching.problem, rest.subarray(done), matching, budget);
    }
    const spent = since - budget.remainingMs();
    if (spent > 5) {
      perMs = (matching.steps - stepsThen) / spent;
      since = budget.remainingMs();
      stepsThen = matching.steps;
    }
    const mostSteps = (left * perMs) / (rest.length - done);
    const outcome = matching.insert(rest[done], () => time.past('cut'), mostSteps);
    if (outcome === 'stopped')
      done--; // the time is up: seen at once above
    else if (outcome !== 'done') return outcome;
  }
  return null;
}
