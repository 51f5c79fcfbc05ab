/**
 * Near-optimal prices and assignments by an auction with ε-scaling: what the exact search starts from at full load.
 *
 * Symbols: v_j(g) = c(j,g) + y_g, what task j pays for good g; ε > 0. Method: a task without a place bids for the good at which it
 * pays least, raising its price until it pays ε more than at the next best (or than being dropped), and puts out whoever held the
 * place it takes. When nobody is left without a place, every task pays at most ε more than it could, so the assignment costs
 * at most n·ε more than the best. ε falls by a factor from round to round; the prices stay, all places are given anew.
 * Slots that no task can tell apart are one good with several places: its price is the lowest bid that holds one, so
 * equal slots do not bid each other up in steps of ε.
 * A round that passes its share of bids ends early: its prices are still prices, its assignment is not complete. To end every
 * round when a thousandth of the tasks is left saves half of the bids, but the exact search that follows was not shorter.
 *
 * Complexity: in practice 10–30 bids a task and round, each a scan outward that jumps over dear blocks.
 * Source: Bertsekas (1988), the auction algorithm; Bertsekas and Castañón (1989), similar objects; the implicit arcs are ours.
 */
import { dropped } from '../instance/instance.ts';
import { type AuctionLines, auctionLines } from './auction-lines.ts';
import { BlockMinima, blockBits, superBlockBits } from './block-minima.ts';
import type { MatchingProblem } from './matching-problem.ts';

/** What the auction came to. */
export interface AuctionAnswer {
  /** Price of each dense slot that it began with. */
  readonly start: Float64Array;
  /** Price of each dense slot. */
  readonly price: Float64Array;
  /** Dense slot of each task after the last complete round (−1: dropped), null when there was none. */
  readonly slotOf: Int32Array | null;
  /** Dense slot of each task when it ended (−1: none): nearly all of them have one. */
  readonly held: Int32Array;
  readonly bids: number;
}

/** The rounds: ε from `first` down to `last`, divided by `factor` each time. */
export interface Rounds {
  readonly first: number;
  readonly last: number;
  readonly factor: number;
  /** Bids a task may make on average in a round. */
  readonly bidsPerTask: number;
}

/**
 * @param start price of each dense slot to begin with
 * @param order the order in which the tasks bid first
 * @param stopRequested polled every 256 bids; the prices reached are returned
 */
export function auction(
  problem: MatchingProblem,
  start: Float64Array,
  order: Int32Array,
  rounds: Rounds,
  stopRequested: () => boolean,
): AuctionAnswer {
  const sale = new Sale(problem, start);
  let slotOf: Int32Array | null = null;
  for (let epsilon = rounds.first; ; epsilon = Math.max(rounds.last, epsilon / rounds.factor)) {
    if (stopRequested()) break;
    const complete = sale.round(order, epsilon, rounds.bidsPerTask * order.length, stopRequested);
    if (complete) slotOf = sale.slotOf.slice();
    else break;
    if (epsilon <= rounds.last) break;
  }
  const held = sale.slotOf.slice();
  return { start, price: sale.slotPrices(), slotOf, held, bids: sale.bids };
}

/** The state of an auction: prices, and who holds which place. */
class Sale {
  readonly slotOf: Int32Array;
  bids = 0;
  private readonly problem: MatchingProblem;
  private readonly lines: AuctionLines;
  private readonly prices: BlockMinima;
  /** By dense slot: the task that holds it or −1, and its bid. The places of a good form a heap by bid. */
  private readonly owner: Int32Array;
  private readonly bid: Float64Array;
  /** What the present bidder pays at the best good, at the next best, and the best. */
  private least = 0;
  private second = 0;
  /** No good dearer than this needs to be looked at. */
  private limit = 0;
  private best = -1;
  private next = -1;
  /** By task: the two goods at which it paid least when it last looked. What they cost now bounds the next look. */
  private readonly bestOf: Int32Array;
  private readonly nextOf: Int32Array;

  constructor(problem: MatchingProblem, start: Float64Array) {
    this.problem = problem;
    this.lines = auctionLines(problem);
    const { placeFrom, place, good } = this.lines;
    this.bid = start.slice();
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      let lowest = Number.POSITIVE_INFINITY;
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) lowest = Math.min(lowest, start[place[i]]);
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) this.bid[place[i]] = lowest;
    }
    const price = Float64Array.from(good, (g) => (g < 0 ? Number.POSITIVE_INFINITY : this.bid[place[placeFrom[g]]]));
    this.prices = new BlockMinima(price);
    this.owner = new Int32Array(start.length).fill(-1);
    this.slotOf = new Int32Array(problem.ideal.length).fill(dropped);
    this.bestOf = this.slotOf.slice();
    this.nextOf = this.slotOf.slice();
  }

  /** One round at one ε. Returns whether every task has a place or drops out of its own will. */
  round(order: Int32Array, epsilon: number, mostBids: number, stopRequested: () => boolean): boolean {
    this.giveBack();
    const { dropPenalty } = this.problem;
    const stack = order.slice().reverse();
    const lastBid = this.bids + mostBids;
    let top = stack.length;
    let complete = true;
    while (top > 0) {
      if ((++this.bids & 255) === 0 && (this.bids > lastBid || stopRequested())) return false;
      const j = stack[--top];
      this.look(j);
      if (this.best < 0 || this.least >= dropPenalty) {
        if (dropPenalty === Number.POSITIVE_INFINITY) complete = false;
        continue;
      }
      // With one good only there is nothing to compare with: any rise will do.
      const rise = this.second === Number.POSITIVE_INFINITY ? 0 : this.second - this.least;
      const out = this.take(j, this.best, rise + epsilon);
      if (out >= 0) stack[top++] = out;
    }
    return complete;
  }

  /** Price of each dense slot: that of its good; 0 where a place is free. */
  slotPrices(): Float64Array {
    this.freeGoods();
    const { placeFrom, place, entry } = this.lines;
    const result = new Float64Array(this.bid.length);
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      const price = this.prices.price[entry[g]];
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) result[place[i]] = price;
    }
    return result;
  }

  /** All places are free again, at the prices of their goods. */
  private giveBack(): void {
    if (this.bids > 0) this.freeGoods();
    const { placeFrom, place, entry } = this.lines;
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      const price = this.prices.price[entry[g]];
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) this.bid[place[i]] = price;
    }
    this.owner.fill(-1);
    this.slotOf.fill(dropped);
  }

  /** Where slots stay idle their price must end at 0: goods with a place left over are free when a round ends. */
  private freeGoods(): void {
    const { placeFrom, place, entry, otherEntry } = this.lines;
    if (this.slotOf.length >= this.owner.length) return;
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      let idle = false;
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) if (this.owner[place[i]] < 0) idle = true;
      if (!idle) continue;
      this.prices.price[entry[g]] = 0;
      if (otherEntry[g] >= 0) this.prices.price[otherEntry[g]] = 0;
    }
    this.prices.rebuild();
  }

  /** Task j looks outward along its lines for the two goods at which it pays least. */
  private look(j: number): void {
    const { lineFrom, lineOf, dropPenalty } = this.problem;
    this.least = Number.POSITIVE_INFINITY;
    this.second = dropPenalty;
    this.best = -1;
    this.next = -1;
    this.limit = Math.max(this.pays(j, this.bestOf[j]), this.pays(j, this.nextOf[j]));
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
      this.scan(j, lineOf[i], this.lines.anchors[i], 1);
      this.scan(j, lineOf[i], this.lines.anchors[i] - 1, -1);
    }
    this.bestOf[j] = this.best;
    this.nextOf[j] = this.next;
  }

  /** What task j would pay for good g, +∞ without one. */
  private pays(j: number, g: number): number {
    if (g < 0) return Number.POSITIVE_INFINITY;
    const { ideal, weight } = this.problem;
    const e = this.lines.entry[g];
    return weight[j] * Math.abs(this.lines.time[e] - ideal[j]) + this.prices.price[e];
  }

  /** One direction of `look`: step 1 to the right, −1 to the left. */
  private scan(j: number, line: number, from: number, step: 1 | -1): void {
    const { ideal, weight, low, high } = this.problem;
    const { time, good, lineStart, lineEnd } = this.lines;
    const { price, least: blockLeast, superLeast } = this.prices;
    const t = ideal[j];
    const slope = step * weight[j];
    const edge = step > 0 ? high[j] : -low[j];
    const end = step > 0 ? lineEnd[line] : lineStart[line] - 1;
    const blockStart = step > 0 ? 0 : 63;
    const superStart = step > 0 ? 0 : 4095;
    let { least, second, best, next } = this;
    let limit = Math.min(second, this.limit);
    for (let e = from; (end - e) * step > 0; e += step) {
      const tau = time[e];
      const reach = slope * (tau - t);
      if (reach > limit || step * tau > edge) break;
      if ((e & 63) === blockStart) {
        if ((e & 4095) === superStart && reach + superLeast[e >> superBlockBits] > limit) {
          e += 4095 * step;
          continue;
        }
        if (reach + blockLeast[e >> blockBits] > limit) {
          e += 63 * step;
          continue;
        }
      }
      const pays = reach + price[e];
      if (pays >= second) continue;
      if (pays < least) {
        if (least < second) {
          second = least;
          next = best;
        }
        least = pays;
        best = good[e];
      } else {
        second = pays;
        next = good[e];
      }
      if (second < limit) limit = second;
    }
    this.least = least;
    this.second = second;
    this.best = best;
    this.next = next;
  }

  /** Task j takes the cheapest place of good g and raises its bid. Returns the task put out, −1 without one. */
  private take(j: number, g: number, rise: number): number {
    const { placeFrom, place, entry, otherEntry } = this.lines;
    const from = placeFrom[g];
    const s = place[from];
    const out = this.owner[s];
    if (out >= 0) this.slotOf[out] = dropped;
    this.owner[s] = j;
    this.slotOf[j] = s;
    this.bid[s] += rise;
    this.sink(from, placeFrom[g + 1] - from);
    const price = this.bid[place[from]];
    if (price !== this.prices.price[entry[g]]) {
      this.prices.set(entry[g], price);
      if (otherEntry[g] >= 0) this.prices.set(otherEntry[g], price);
    }
    return out;
  }

  /** Restores the heap of a good's places after the bid at its top has risen. O(log of the places). */
  private sink(from: number, count: number): void {
    const { place } = this.lines;
    const { bid } = this;
    const s = place[from];
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= count) break;
      if (child + 1 < count && bid[place[from + child + 1]] < bid[place[from + child]]) child++;
      if (bid[place[from + child]] >= bid[s]) break;
      place[from + i] = place[from + child];
      i = child;
    }
    place[from + i] = s;
  }
}
