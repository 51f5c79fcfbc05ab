/**
 * Matches the tasks and slots of a part within the budget.
 *
 * Stages, each of which may end the search:
 * 1. Cold start: successive shortest paths from prices 0 (shortest-paths.ts). Finishes almost every part that is not
 *    nearly full, and is exact then: only prices of used slots rise, so that idle slots keep price 0. Given up where the
 *    auction will be faster.
 * 2. Prices to begin with: those of a sample of the tasks (sampled-prices.ts), and what they prove. A part that is full
 *    and has restricted pairs skips the cold start and goes on from these prices as if nothing were restricted: one round
 *    of an auction in which equal slots are one good. Smoothed, its prices prove more than raw ones at half the ε.
 * 3. Auction from these (auction.ts), until it is within some millionth of a price from the best.
 * 4. Shortest paths again, from the auction's prices: local repairs.
 * 5. Idle slots to which the auction gave a price (idle-slots.ts). After that the matching is exact.
 *
 * When time ends first, the answer is the cheapest of three assignments: (a) the heaviest tasks first, each in the
 * nearest free slot (completion.ts); (b) the auction's last complete one; (c) the slots held at the end, with the other
 * tasks filled in. Neighbours then exchange slots (local-exchange.ts). The bound is the better of those that the last
 * prices and the sample's prices prove (slot-price-bound.ts): any prices ≥ 0 prove one.
 */
import { type Budget, reserveShare, unlessStopped } from '../../budget.ts';
import { insertionOrder } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import { type HallSet, isRestricted, type MatchingProblem } from '../instance/matching-problem.ts';
import { type AuctionAnswer, auction } from './auction.ts';
import { completeMatching, placeByWeight } from './completion.ts';
import { lowerIdlePrices, type PricedMatching, settleIdleSlots } from './idle-slots.ts';
import { improveByExchange } from './local-exchange.ts';
import { tasksPerSample } from './sampled-prices.ts';
import { Matching } from './shortest-paths.ts';
import { slotPriceBound } from './slot-price-bound.ts';

/** A matching of a part: dense slot of each task (−1 dropped), price of each dense slot. */
export interface PartMatching {
  readonly slotOf: Int32Array;
  readonly price: Float64Array;
  /** Lower bound on the cost of any assignment of the part; null where the prices prove the matching optimal. */
  readonly openBound: number | null;
  readonly visits: number;
}

/** A part to be matched, with the means of doing it. */
export interface Search {
  readonly problem: MatchingProblem;
  /** The part with every crawler open to every task. */
  readonly relaxProblem: () => MatchingProblem;
  readonly interval: number;
  readonly budget: Budget;
  /** Prices to begin with, from a sample of the tasks; null where tasks are few or the time is up. */
  readonly samplePrices: () => Float64Array | null;
  /**
   * Visits that the cold start may still need before an auction takes its place, for tests; left out: `auctionVisits` a
   * slot.
   */
  readonly coldVisits?: number | undefined;
}

/**
 * Share of the time that is reserved for concluding a search: completing the matching, its bound, exchanges. These take
 * longer where a part is full: with .1 there, 10⁵ tasks with 80% of the pairs forbidden cost 7% more after 3 s.
 */
const concludeShare = { usual: 0.1, full: 0.15 } as const;

/**
 * Visits per slot that a cold start may still need; above it an auction is faster. With 5 instead, 10⁵ tasks take 5.9 s
 * in place of 1.0 s at 97% load, and 7% less at full load.
 */
const auctionVisits = 8;

/** Tasks between two polls, over which the pace of a cold start is measured. */
const tasksPerBlock = 1024;

/**
 * Share of idle slots below which a part with restricted pairs is full. It gets no cold start, which would take half a
 * second in vain.
 */
const maxIdleShareOfFullPart = 0.01;

/**
 * First ε of an auction, relative to the noise of the prices it begins with: usually, and for a full part without and
 * with its restrictions.
 */
const firstEpsilon = { usual: 1, relaxed: 2, restricted: 0.25 } as const;

/**
 * Half the window of slots over which prices are smoothed, as a share of all slots. It raises the bound that the
 * sample's prices prove for 10⁵ full tasks with 80% of the pairs forbidden from 5 to 12.5 where the optimum is 16, and
 * from 10 to 29 where it is 37.
 */
const windowShare = 0.003;

/** ε of an auction's last round as a share of a price: the exact search that follows repairs the rest. */
const auctionPrecision = 1e-7;

/**
 * Matches a part: exactly where time allows, else at least as well as the heaviest tasks first.
 * @throws NothingToReturn when the budget ends before there is any matching
 */
export function matchPart(search: Search): PartMatching | HallSet {
  const { problem, budget, interval } = search;
  const n = problem.ideal.length;
  const order = insertionOrder(problem.weight, problem.ideal, interval);
  if (n > problem.lines.entry.length && problem.dropPenalty === Number.POSITIVE_INFINITY) {
    const overload = placeByWeight(problem, budget);
    if ('tasks' in overload) return overload;
  }
  const slotCount = problem.lines.entry.length;
  const isFull =
    isRestricted(problem) &&
    slotCount - n < maxIdleShareOfFullPart * n &&
    problem.dropPenalty === Number.POSITIVE_INFINITY;
  const searchBudget = reserveShare(budget, isFull ? concludeShare.full : concludeShare.usual);
  const stop = (): boolean => searchBudget.stopRequested();
  const cold = new Matching(problem);
  const visitsAhead = search.coldVisits ?? (isFull ? 0 : auctionVisits * slotCount);
  const first = insertAll(cold, order, coldStop(cold, visitsAhead, stop), budget);
  if (first.conflict !== null) return first.conflict;
  if (first.insertedCount === n)
    return { slotOf: cold.slotOf, price: cold.slotPrices(), openBound: null, visits: cold.visits };

  const ruleSlotOf = unlessStopped(null, () => placeByWeight(problem, budget));
  if (ruleSlotOf !== null && 'tasks' in ruleSlotOf) return ruleSlotOf;
  const stoppedSearch: StoppedSearch = { search, order, ruleSlotOf, startPrices: null, startBound: null };
  if (stop()) return concludeSearch(stoppedSearch, cold, null, cold.slotPrices());
  const samplePrices = search.samplePrices();
  const isRelaxed = isFull && samplePrices !== null;
  stoppedSearch.startPrices = isRelaxed ? relaxedPrices(search, samplePrices, order, stop) : samplePrices;
  // where prices are relaxed their bound is computed at the end, so that the auction has the time
  if (!isRelaxed && samplePrices !== null && budget.remainingMs() < Number.POSITIVE_INFINITY)
    stoppedSearch.startBound = slotPriceBound(problem, samplePrices, () => budget.stopRequested());
  const epsilon = { first: isRelaxed ? firstEpsilon.restricted : firstEpsilon.usual, last: auctionPrecision };
  const sale = auctionFrom(problem, interval, stoppedSearch.startPrices, order, epsilon, stop);
  const matching = new Matching(problem, sale.price);
  if (stop()) matching.adopt(sale.lastSlotOf);
  else {
    const second = insertAll(matching, order, stop, budget);
    if (second.conflict !== null) return second.conflict;
    const optimum = second.insertedCount === n ? settlePrices(matching, stop) : null;
    if (optimum !== null)
      return { ...optimum, openBound: null, visits: cold.visits + matching.visits + optimum.visits };
  }
  return concludeSearch(stoppedSearch, matching, sale.slotOf, sale.roundPrice);
}

/** Smoothed prices of an auction without restrictions, run for one round; the sample's prices where time ends it. */
function relaxedPrices(
  { relaxProblem, interval }: Search,
  samplePrices: Float64Array,
  order: Int32Array,
  stopRequested: () => boolean,
): Float64Array {
  const start = smooth(samplePrices);
  const epsilon = { first: firstEpsilon.relaxed, last: Number.POSITIVE_INFINITY };
  const { roundPrice } = auctionFrom(relaxProblem(), interval, start, order, epsilon, stopRequested);
  return roundPrice === null ? start : smooth(roundPrice);
}

/**
 * Moving averages of the prices, over windows that are shorter at both ends: they remove noise and keep the shape.
 * O(M).
 */
function smooth(price: Float64Array): Float64Array {
  const half = Math.floor(windowShare * price.length);
  const sums = new Float64Array(price.length + 1);
  for (let s = 0; s < price.length; s++) sums[s + 1] = sums[s] + price[s];
  return price.map((_, s) => {
    const reach = Math.min(half, s, price.length - 1 - s);
    return Math.max(0, sums[s + reach + 1] - sums[s - reach]) / (2 * reach + 1);
  });
}

/**
 * Runs an auction from given prices. Without prices, ε is measured by the most that a task may cost.
 *
 * @param epsilon the first one relative to the noise of a sample's prices, the last one as a share of a price
 */
function auctionFrom(
  problem: MatchingProblem,
  interval: number,
  prices: Float64Array | null,
  order: Int32Array,
  epsilon: { readonly first: number; readonly last: number },
  stopRequested: () => boolean,
): AuctionAnswer {
  const { weight, dropPenalty, lines } = problem;
  const start = prices ?? new Float64Array(lines.entry.length);
  const mean = start.reduce((sum, y) => sum + y, 0) / start.length;
  const dearest = (interval * weight.reduce((sum, w) => sum + w, 0)) / weight.length;
  const unit = mean > 0 ? mean : Math.min(dropPenalty, dearest);
  const first = epsilon.first * Math.sqrt(tasksPerSample / order.length);
  return auction(problem, start, order, { unit, first, last: epsilon.last }, stopRequested);
}

/**
 * Decides, by the number of tasks inserted, when a cold start ends: once the tasks to come would take longer at its
 * present pace than an auction.
 */
function coldStop(cold: Matching, visitsAhead: number, stop: () => boolean): (insertedCount: number) => boolean {
  const n = cold.slotOf.length;
  let [blockTasks, blockVisits] = [0, 0];
  return (insertedCount) => {
    const isSlow = ((cold.visits - blockVisits) / tasksPerBlock) * (n - insertedCount) >= visitsAhead;
    if (insertedCount - blockTasks >= tasksPerBlock) [blockTasks, blockVisits] = [insertedCount, cold.visits];
    return isSlow || stop();
  };
}

/** The state of a search when its time has ended. */
interface StoppedSearch {
  readonly search: Search;
  readonly order: Int32Array;
  /** The assignment by the heaviest tasks first; null where there was no time for it. */
  readonly ruleSlotOf: Int32Array | null;
  /** Prices that the auction began with, and the bound they prove; null where it has not been computed. */
  startPrices: Float64Array | null;
  startBound: number | null;
}

/**
 * The cheapest of the assignments at hand, improved by exchanges, and the best bound that prices prove. One of the
 * assignments is the matching, completed.
 *
 * @param lastPrices prices of the last complete round, or of the matching; null without
 */
function concludeSearch(
  { search, order, ruleSlotOf, startPrices, startBound }: StoppedSearch,
  matching: Matching,
  complete: Int32Array | null,
  lastPrices: Float64Array | null,
): PartMatching | HallSet {
  const { problem, budget } = search;
  const stop = (): boolean => budget.stopRequested();
  const boundOf = (price: Float64Array | null): number => (price === null ? 0 : slotPriceBound(problem, price, stop));
  const firstBound = startBound ?? boundOf(startPrices);
  const best = cheaperOf(problem, complete, ruleSlotOf);
  const fill = (): Int32Array | HallSet => fillUp(matching, order, budget);
  const filled = best === null ? fill() : unlessStopped(null, fill);
  if (filled !== null && 'tasks' in filled) return filled;
  const slotOf = cheaperOf(problem, best, filled) ?? matching.slotOf;
  improveByExchange(problem, slotOf, stop);
  const lastBound = boundOf(lastPrices);
  const price = (lastBound >= firstBound ? lastPrices : startPrices) ?? matching.slotPrices();
  return { slotOf, price, openBound: Math.max(0, firstBound, lastBound), visits: matching.visits };
}

/** Gives the tasks without a slot the nearest free ones. Returns the Hall set where not all fit. */
function fillUp(matching: Matching, order: Int32Array, budget: Budget): Int32Array | HallSet {
  const unassigned = order.filter((j) => matching.slotOf[j] === dropped);
  return completeMatching(matching.problem, unassigned, matching, budget) ?? matching.slotOf;
}

/**
 * Makes a matching exact in which every task is where it is cheapest, by lowering the prices of idle slots to 0. Null
 * when the time is up first.
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

/**
 * Inserts the tasks in order until `stop` returns true. `stop` is called at intervals with the number of tasks
 * inserted.
 */
function insertAll(
  matching: Matching,
  order: Int32Array,
  stop: (insertedCount: number) => boolean,
  budget: Budget,
): { readonly insertedCount: number; readonly conflict: HallSet | null } {
  for (let insertedCount = 0; insertedCount < order.length; insertedCount++) {
    if (insertedCount % tasksPerBlock === 0) {
      if (stop(insertedCount)) return { insertedCount, conflict: null };
      budget.report({ fraction: insertedCount / order.length });
    }
    const outcome = matching.insert(order[insertedCount], () => stop(insertedCount));
    if (outcome === 'stopped') return { insertedCount, conflict: null };
    if (outcome !== 'done') return { insertedCount, conflict: outcome };
  }
  return { insertedCount: order.length, conflict: null };
}
