/**
 * Matches the tasks and slots of a part within the budget.
 *
 * Stages, each of which may end the search:
 * 1. Cold start: successive shortest paths from prices 0 (shortest-paths.ts). Finishes almost every part that is not
 *    nearly full, and is exact then: only prices of used slots rise, so that idle slots keep price 0. Given up after a few
 *    hundred entries a task.
 * 2. A simple assignment to fall back on: the heaviest task first, to the nearest free slot (completion.ts).
 * 3. Prices to begin with: those of a sample of the tasks (sampled-prices.ts), and what they prove.
 * 4. Auction from these (auction.ts), until it is within some millionth of a price from the best.
 * 5. Shortest paths again, from the auction's prices: local repairs.
 * 6. Idle slots to which the auction gave a price (idle-slots.ts). After that the matching is exact.
 *
 * When time ends in stage 3 to 6, the answer is the cheapest of the simple assignment, the auction's last complete one,
 * and the places held at the end, filled up. Neighbours then exchange slots (local-exchange.ts). Its bound is what the
 * last prices prove, or what those of the sample did (slot-price-bound.ts): any prices ≥ 0 prove a true one.
 */
import { type Budget, NothingToReturn, reserveTime, unlessStopped } from '../../budget.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { HallSet, MatchingProblem } from '../instance/matching-problem.ts';
import { type AuctionAnswer, auction } from './auction.ts';
import { completeMatching, placeByWeight } from './completion.ts';
import { lowerIdlePrices, type PricedMatching, settleIdleSlots } from './idle-slots.ts';
import { improveByExchange } from './local-exchange.ts';
import { Matching } from './shortest-paths.ts';
import { slotPriceBound } from './slot-price-bound.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** No assignment of the part costs less; null where the prices prove the matching optimal. */
  readonly openBound: number | null;
  readonly visits: number;
}

/** One part to be matched. */
export interface Search {
  readonly problem: MatchingProblem;
  readonly interval: number;
  /** For the whole part; each stage leaves time for those after it. */
  readonly budget: Budget;
  /** Prices to begin with, from a sample of the tasks; null where there are none. */
  readonly samplePrices: () => Float64Array | null;
  /** Whether this is a sample: only prices are wanted, and approximate ones will do. */
  readonly pricesOnly: boolean;
  /** Entries that the cold start may pass before the auction, for tests; left out: a few hundred a task. */
  readonly coldSteps?: number | undefined;
}

/** Time to give a task any slot at all and to write it out, ms: reserved at the end of a search. */
const msPerTask = 3e-4;

/** Time that the bound of the last prices takes, as a multiple of that of the sample's. */
const boundTime = 2;

/**
 * Shares of the time, less what is reserved, that must be left when a stage of a search ends: the cold start, the prices
 * to begin with, the auction, the exact search, the exchanges of neighbours.
 */
const leftAfter = { cold: 0.55, start: 0.3, auction: 0.1, exact: 0.05, exchange: 0.01 } as const;

/** ε of an auction's last round as a share of a price: the exact search that follows repairs the rest. */
const auctionPrecision = 1e-7;

/** The same where prices of a sample are wanted, whose noise is larger. */
const samplePrecision = 5e-4;

/**
 * Entries of lines that a cold start may pass, a task: while a tenth of the tasks is still to come, and in all. Beyond
 * these the auction is faster.
 */
const coldStepsPerTask = { early: 16, all: 450 } as const;

/** Further entries for each idle slot, which costs the auction some ten times as much. */
const coldStepsPerIdle = 500;

/** Entries that a cold start may pass whatever the time, about a millisecond: few tasks among many slots are placed. */
const minColdSteps = 100_000;

/** Share of the tasks placed from which on a cold start may be about to end. */
const nearlyAll = 0.9;

/** Idle slots as a share of the tasks below which slots are scarce. */
const scarceIdle = 0.01;

/** When the stages of a search end; without a deadline no stage ends for lack of time. */
class StageTimes {
  readonly #budget: Budget;
  readonly #wholeMs: number;
  #reservedMs = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#wholeMs = budget.remainingMs();
  }

  get isLimited(): boolean {
    return this.#wholeMs < Number.POSITIVE_INFINITY;
  }

  /** Reserves time after the last stage, in place of what was reserved. */
  reserve(ms: number): void {
    if (this.isLimited) this.#reservedMs = Math.min(this.#wholeMs, ms);
  }

  /** Milliseconds that must be left when the stage ends. */
  leftMs(stage: keyof typeof leftAfter): number {
    return this.isLimited ? this.#reservedMs + leftAfter[stage] * (this.#wholeMs - this.#reservedMs) : 0;
  }

  /** Whether the stage must end. */
  past(stage: keyof typeof leftAfter): boolean {
    return this.#budget.stopRequested() || this.#budget.remainingMs() < this.leftMs(stage);
  }
}

/**
 * Matches a part: exactly where time allows, else at least as well as the heaviest tasks first.
 * @throws NothingToReturn when the budget ends before there is any matching, or any prices of a sample
 */
export function matchPart(search: Search): PartMatching | HallSet {
  const { problem, budget, interval } = search;
  const n = problem.ideal.length;
  const time = new StageTimes(budget);
  time.reserve(msPerTask * n);
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  if (n > problem.lines.entry.length && problem.dropPenalty === Number.POSITIVE_INFINITY) {
    const overload = placeByWeight(problem, budget);
    if ('tasks' in overload) return overload;
  }
  const cold = new Matching(problem);
  const first = insertAll(cold, order, coldEnds(search, cold, time), budget);
  if (first.conflict !== null) return first.conflict;
  if (first.done === n) return { slotOf: cold.slotOf, price: cold.slotPrices(), openBound: null, visits: cold.visits };

  if (search.pricesOnly) {
    const given = search.samplePrices();
    const { proving, slotOf } = auctionFrom(search, given, order, time);
    if (proving === null || slotOf === null) throw new NothingToReturn('a sample had no prices yet');
    // Prices that time has left coarse may prove less than those of the smaller sample that they began with.
    const bound = (price: Float64Array): number => slotPriceBound(problem, price, () => false);
    const isCoarse = given !== null && time.past('auction') && bound(given) > bound(proving);
    return { slotOf, price: isCoarse ? given : proving, openBound: 0, visits: cold.visits };
  }
  const simple = unlessStopped(null, () => placeByWeight(problem, reserveTime(budget, time.leftMs('start'))));
  if (simple !== null && 'tasks' in simple) return simple;
  const unproved: StoppedSearch = { search, time, order, simple, samplePrices: null, sampleBound: 0 };
  if (time.past('start')) return concludeSearch(unproved, cold, null, cold.slotPrices());
  const start = search.samplePrices();
  if (time.isLimited) {
    // what this takes tells how fast the machine is just now, so what must be left for the bound of the last prices
    const since = budget.remainingMs();
    const stop = (): boolean => budget.stopRequested();
    unproved.sampleBound = slotPriceBound(problem, start ?? new Float64Array(problem.lines.entry.length), stop);
    unproved.samplePrices = start;
    time.reserve(msPerTask * n + boundTime * (since - budget.remainingMs()));
  }
  // Nearly all tasks have their best places, and there is no time for an auction to find the others better ones.
  if (first.done > nearlyAll * n && time.past('cold')) return concludeSearch(unproved, cold, null, cold.slotPrices());
  const sold = auctionFrom(search, start, order, time);
  const matching = new Matching(problem, sold.price);
  if (time.past('auction')) matching.hold(sold.lastSlotOf);
  else {
    const second = insertAll(matching, order, () => time.past('exact'), budget);
    if (second.conflict !== null) return second.conflict;
    const settled = second.done === n ? settlePrices(matching, () => time.past('exact')) : null;
    if (settled !== null)
      return { ...settled, openBound: null, visits: cold.visits + matching.visits + settled.visits };
  }
  return concludeSearch(unproved, matching, sold.slotOf, sold.proving);
}

/** An auction from given prices; without any, ε begins at an eighth of what a task may cost. */
function auctionFrom(
  { problem, interval, pricesOnly }: Search,
  given: Float64Array | null,
  order: Int32Array,
  time: StageTimes,
): AuctionAnswer {
  const { weight, dropPenalty, lines } = problem;
  const start = given ?? new Float64Array(lines.entry.length);
  const mean = start.reduce((sum, y) => sum + y, 0) / start.length;
  const dearest = (interval * weight.reduce((sum, w) => sum + w, 0)) / weight.length;
  const unit = mean > 0 ? mean : Math.min(dropPenalty, dearest) / 8;
  // without a complete round all the time goes into one
  const precision = pricesOnly ? samplePrecision : auctionPrecision;
  return auction(problem, start, order, { unit, precision }, (complete) => time.past(complete ? 'auction' : 'exact'));
}

/** When a cold start ends, by the number of tasks done. */
function coldEnds({ problem, coldSteps }: Search, cold: Matching, time: StageTimes): (done: number) => boolean {
  const n = problem.ideal.length;
  const idle = problem.lines.entry.length - n;
  const forIdle = minColdSteps + coldStepsPerIdle * Math.max(0, idle);
  const mostSteps = coldSteps ?? coldStepsPerTask.all * n + forIdle;
  // With nine tasks in ten placed it may be about to end. Otherwise it will not end in time, nor will it where the last
  // tasks find hardly a free slot.
  const scarce = isScarce(problem);
  const earlySteps = coldSteps ?? (scarce ? minColdSteps : coldStepsPerTask.early * n + forIdle);
  return (done) =>
    cold.steps >= mostSteps ||
    (cold.steps >= minColdSteps &&
      (time.past('cold') || ((scarce || done <= nearlyAll * n) && cold.steps >= earlySteps)));
}

/** Whether hardly a slot stays idle. */
function isScarce({ lines, ideal }: MatchingProblem): boolean {
  return lines.entry.length - ideal.length < scarceIdle * ideal.length;
}

/** A search that time has ended. */
interface StoppedSearch {
  readonly search: Search;
  readonly time: StageTimes;
  readonly order: Int32Array;
  /** The heaviest tasks first; null where there was no time for it. */
  readonly simple: Int32Array | null;
  /** Prices of the sample, and what they prove. */
  samplePrices: Float64Array | null;
  sampleBound: number;
}

/**
 * The best assignment there is, improved, and what prices prove. One of them is the places held in the matching, filled
 * up.
 *
 * @param lastPrices prices of the last complete round, or of the matching; null without
 */
function concludeSearch(
  { search, time, order, simple, samplePrices, sampleBound }: StoppedSearch,
  matching: Matching,
  complete: Int32Array | null,
  lastPrices: Float64Array | null,
): PartMatching | HallSet {
  const { problem, budget } = search;
  const best = cheaperOf(problem, complete, simple);
  const fill = (): Int32Array | HallSet => fillUp(matching, order, budget);
  const filled = best === null ? fill() : unlessStopped(null, fill);
  if (filled !== null && 'tasks' in filled) return filled;
  const slotOf = cheaperOf(problem, best, filled) ?? matching.slotOf;
  const lastBound = lastPrices === null ? 0 : slotPriceBound(problem, lastPrices, () => budget.stopRequested());
  time.reserve(msPerTask * problem.ideal.length);
  improveByExchange(problem, slotOf, () => time.past('exchange'));
  const price = (lastBound >= sampleBound ? lastPrices : samplePrices) ?? matching.slotPrices();
  return { slotOf, price, openBound: Math.max(sampleBound, lastBound), visits: matching.visits };
}

/** Gives the tasks without a place the nearest that are left. Returns the Hall set where not all fit. */
function fillUp(matching: Matching, order: Int32Array, budget: Budget): Int32Array | HallSet {
  const rest = order.filter((j) => matching.slotOf[j] === dropped);
  return completeMatching(matching.problem, rest, matching, budget) ?? matching.slotOf;
}

/**
 * A matching in which every task is where it is cheapest, made exact: no idle slot has a price. Null when time is up.
 */
function settlePrices(matching: Matching, stopRequested: () => boolean): PricedMatching | null {
  if (matching.problem.dropPenalty === Number.POSITIVE_INFINITY) return settleIdleSlots(matching, stopRequested);
  if (!lowerIdlePrices(matching, stopRequested)) return null;
  return { slotOf: matching.slotOf, price: matching.slotPrices(), visits: 0 };
}

/** The assignment that costs less; null counts as infinitely expensive. */
function cheaperOf(problem: MatchingProblem, a: Int32Array | null, b: Int32Array | null): Int32Array | null {
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
