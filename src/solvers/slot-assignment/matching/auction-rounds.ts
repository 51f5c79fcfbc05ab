/**
 * The auction of a part from prices to begin with. Where tasks are kept to crawlers it is lastSlotOf first without regard to
 * them. Equal slots are then one good, a bid costs a third, and the prices are nearly those wanted. The tasks bid for
 * the slots of their own crawlers from these prices, in order of time, in which they share the cache.
 */
import { isRestricted, type MatchingProblem } from '../instance/matching-problem.ts';
import { positions } from '../instance/positions.ts';
import { type AuctionAnswer, auction, type Rounds } from './auction.ts';
import type { Timetable } from './timetable.ts';

/** ε of the first and of the last round, as shares of the mean price to begin with; its divisor from round to round. */
const auctionShares = { first: 4e-2, last: 1e-7, factor: 8, bidsPerTask: 100 } as const;

/** ε of the last round without regard to crawlers, as a share of the mean price to begin with. */
const relaxedShare = auctionShares.first / 1024;

/**
 * ε of the first round with regard to crawlers, as a share of what a mean task pays to wait for the next slot of a
 * crawler (prices differ between crawlers by that), and its divisor.
 */
const restrictedShares = { first: 0.1, factor: 4 } as const;

/** What an auction came to, and the one before it without regard to crawlers. */
export interface PartAuction extends AuctionAnswer {
  /** Dense slot of each task after the last complete round without regard to crawlers; null without one. */
  readonly relaxedSlotOf: Int32Array | null;
}

/**
 * @param relaxed the problem without regard to crawlers
 * @param given price of each dense slot
 * @param order the order in which the tasks bid first
 * @param reservedMs to be left when no round with regard to crawlers is complete
 */
export function auctionFrom(
  problem: MatchingProblem,
  relaxed: () => MatchingProblem,
  interval: number,
  given: Float64Array,
  order: Int32Array,
  time: Timetable,
  reservedMs: number,
): PartAuction {
  const { ideal, weight, dropPenalty } = problem;
  const { first, last, factor, bidsPerTask } = auctionShares;
  const mean = given.reduce((sum, y) => sum + y, 0) / given.length;
  const whole = (interval * weight.reduce((sum, w) => sum + w, 0)) / weight.length;
  // without a price to begin with, an eighth of what a task may cost
  const unit = mean > 0 ? mean : Math.min(dropPenalty, whole) / 8;
  const widest = mean > 0 ? first * mean : unit;
  if (!(unit > 0)) {
    const lastSlotOf = new Int32Array(ideal.length).fill(-1);
    return { start: given, price: given, proving: null, slotOf: null, lastSlotOf, bids: 0, relaxedSlotOf: null };
  }
  const rounds: Rounds = { first: widest, last: last * unit, factor, bidsPerTask };
  // without a complete round all the time goes into one
  const stop = (complete: boolean): boolean => (complete ? time.past('auction') : time.past('exact', reservedMs));
  if (!isRestricted(problem)) return { ...auction(problem, given, order, rounds, stop), relaxedSlotOf: null };
  const wider = auction(relaxed(), given, order, { ...rounds, last: relaxedShare * unit }, () => stop(false));
  const crawlers = problem.lines.lineStart.length - (problem.lines.merged < 0 ? 0 : 1);
  const wait = (whole * crawlers) / given.length;
  const fine = {
    ...rounds,
    first: Math.max(rounds.last, restrictedShares.first * wait),
    factor: restrictedShares.factor,
  };
  const found = auction(problem, wider.price, positions(ideal.length), fine, stop);
  return { ...found, start: wider.proving ?? given, relaxedSlotOf: wider.slotOf };
}
