/**
 * The auction of a part from prices to begin with. Where tasks are kept to crawlers it is held first without regard to
 * them. Equal slots are then one good, a bid costs a third, and the prices are nearly those wanted. The tasks bid for
 * the slots of their own crawlers from these prices, in order of time, in which they share the cache.
 */
import type { MatchingProblem } from '../../instance/matching-problem.ts';
import { positions } from '../../instance/slot-lines.ts';
import type { LaterDealing } from '../by-weight.ts';
import { isKept, relaxation } from '../relaxation.ts';
import type { Timetable } from '../timetable.ts';
import { type AuctionAnswer, auction, type Rounds } from './auction.ts';

/** ε of the auction in shares of the mean price to begin with: an eighth of that each round, down to the last share. */
const auctionShares = { first: 4e-2, last: 1e-7, factor: 8, bidsPerTask: 100 } as const;

/** Where tasks are kept to crawlers: the last ε without regard to them, and the first one with, where these are many. */
const keptShares = {
  relaxed: auctionShares.first / auctionShares.factor ** 2,
  toMany: 6e-4,
  toFew: 2.5e-4,
} as const;

/** Crawlers of a task, in the mean. */
const fewCrawlers = 4;

/** The auction from these prices, first without regard to crawlers where tasks are kept to some. */
export function auctioned(
  problem: MatchingProblem,
  interval: number,
  start: Float64Array,
  order: Int32Array,
  time: Timetable,
  dealing: LaterDealing | null,
): AuctionAnswer & { readonly free: Int32Array | null } {
  const { ideal, weight, dropPenalty } = problem;
  const mean = start.reduce((sum, y) => sum + y, 0) / start.length;
  const span = Math.min(dropPenalty, (interval * weight.reduce((sum, w) => sum + w, 0)) / weight.length);
  const { first, last, factor, bidsPerTask } = auctionShares;
  // without a price to begin with, an eighth of what a task may cost
  const [unit, widest] = mean > 0 ? [mean, first * mean] : [span / 8, span / 8];
  if (!(unit > 0)) {
    const held = new Int32Array(ideal.length).fill(-1);
    return { start, price: start, proving: null, slotOf: null, held, bids: 0, free: null };
  }
  const rounds: Rounds = { first: widest, last: last * unit, factor, bidsPerTask };
  const past = (): boolean => time.past('auction');
  if (!isKept(problem)) return { ...auction(problem, start, order, rounds, past), free: null };
  const { relaxed, toFew, toMany } = keptShares;
  const kept = problem.lineOf.length < fewCrawlers * ideal.length ? toFew : toMany;
  const early = (): boolean => time.past('cut', dealing?.ms);
  const coarse = { ...rounds, last: relaxed * unit };
  const wider = auction(dealing?.relaxed ?? relaxation(problem), start, order, coarse, early);
  const stop = (complete: boolean): boolean => (complete ? past() : early());
  const found = auction(problem, wider.price, positions(ideal.length), { ...rounds, first: kept * unit }, stop);
  return { ...found, start: wider.proving ?? start, free: wider.slotOf };
}
