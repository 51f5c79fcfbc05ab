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

/** Crawlers of a task, in the mean: with fewer, those matter to what a task pays, and to where it goes. */
const fewCrawlers = 4;

/** Where tasks are kept to few and to many crawlers: the last ε without regard to them, in shares of the mean price. */
const relaxedShares = { few: auctionShares.first / 32, many: auctionShares.first / 1024 } as const;

/**
 * The first ε with regard to crawlers, in shares of what a mean task pays to wait for the next slot of a crawler. Prices
 * differ between crawlers by that. A first round then takes so many bids a task.
 */
const keptShares = { first: 0.1, factor: 4, bidsPerTask: 10 } as const;

/** With a first ε twice as wide a round takes so much of that. */
const widerTakes = 0.65;

/** The auction from these prices, first without regard to crawlers where tasks are kept to some. */
export function auctioned(
  problem: MatchingProblem,
  interval: number,
  given: Float64Array,
  order: Int32Array,
  time: Timetable,
  dealing: LaterDealing | null,
  crowded: boolean,
): AuctionAnswer & { readonly toDeal: Int32Array | null } {
  const { ideal, weight, dropPenalty } = problem;
  const mean = given.reduce((sum, y) => sum + y, 0) / given.length;
  const whole = (interval * weight.reduce((sum, w) => sum + w, 0)) / weight.length;
  const span = Math.min(dropPenalty, whole);
  const { first, last, factor, bidsPerTask } = auctionShares;
  // without a price to begin with, an eighth of what a task may cost
  const [unit, widest] = mean > 0 ? [mean, first * mean] : [span / 8, span / 8];
  const held = new Int32Array(ideal.length).fill(-1);
  if (!(unit > 0)) {
    return {
      start: given,
      price: given,
      proving: null,
      slotOf: null,
      held,
      near: held,
      bids: 0,
      toDeal: dealing?.free ?? null,
    };
  }
  const rounds: Rounds = { first: widest, last: last * unit, factor, bidsPerTask };
  const past = (): boolean => time.past('auction');
  if (!isKept(problem)) return { ...auction(problem, given, order, rounds, past), toDeal: null };
  const early = (): boolean => time.past('cut', dealing?.ms);
  const before = time.msFor('cut');
  const { few, many } = relaxedShares;
  const relaxed = problem.lineOf.length < fewCrawlers * ideal.length ? few : many;
  const coarse = { ...rounds, last: relaxed * unit };
  const relaxedProblem = dealing?.relaxed ?? relaxation(problem);
  const wider = auction(relaxedProblem, given, order, coarse, early);
  const after = time.msFor('cut');
  const roundTakes = (keptShares.bidsPerTask * ideal.length * (before - after)) / Math.max(1, wider.bids);
  const start = wider.proving ?? given;
  if (dealing !== null && after < widerTakes * roundTakes) {
    // no round with regard to crawlers would end, so the time goes to what is dealt
    const further = { ...coarse, first: coarse.last / factor, last: many * unit };
    const closer =
      wider.slotOf && further.first >= further.last ? auction(relaxedProblem, start, order, further, early) : wider;
    const proving = closer.proving ?? start;
    const toDeal = closer.slotOf ?? wider.slotOf ?? dealing.free;
    return { ...wider, start: proving, held, proving: null, slotOf: null, toDeal };
  }
  const stop = (complete: boolean): boolean => (complete ? past() : time.past('cut', crowded ? dealing?.ms : 0));
  const crawlers = problem.lines.lineStart.length - (problem.lines.merged < 0 ? 0 : 1);
  const wait = (whole * crawlers) / given.length;
  const share = after < roundTakes ? 2 * keptShares.first : keptShares.first;
  const fine = { ...rounds, first: Math.max(rounds.last, share * wait), factor: keptShares.factor };
  const found = auction(problem, wider.price, positions(ideal.length), fine, stop);
  const toDeal = found.slotOf === null && dealing !== null ? (wider.slotOf ?? dealing.free) : null;
  return { ...found, start, toDeal };
}
