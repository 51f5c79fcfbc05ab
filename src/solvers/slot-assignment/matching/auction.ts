/**
 * Near-optimal prices and assignments by an auction with ε-scaling: what the exact search starts from at full load.
 *
 * Symbols: v_j(g) = c(j,g) + y_g, what task j pays for good g; ε > 0. Method: a task without a place bids for the good
 * at which it pays least. It raises the price until it pays ε more than at the next best (or than being dropped). The
 * task that held the place loses it, and bids again. When every task has a place, each pays at most ε more than at its
 * cheapest good. So the assignment costs at most n·ε more than the best. From round to round ε falls by a factor. Each
 * round begins with the prices of the last and all places free. Slots that no task can tell apart are one good with
 * several places. Its price is the lowest bid that holds one, so equal slots do not bid each other up in steps of ε.
 * Slots that stay idle must end at the least price of all. Where no task may be dropped, each slot too many has an idle
 * task of weight 0 that bids for the cheapest good. Then the auction is one of as many tasks as slots, and at its end
 * all prices are lowered by what the idle tasks pay. Where tasks may be dropped, goods with a place left over are free
 * after a round. Ending every round when a thousandth of the tasks is left saves half of the bids, but the exact search
 * that follows was not shorter.
 *
 * Complexity: in practice 2–30 bids a task and round, at the goods a task remembers or after a scan (./best-goods.ts).
 * Source: Bertsekas (1988), the auction algorithm; Bertsekas and Castañón (1989), similar objects; the implicit arcs
 * are ours.
 */
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { BestGoods, type GoodLines, goodLines, minPriceByGood } from './best-goods.ts';
import { BlockMinima } from './block-minima.ts';

/** Prices and assignments that an auction ends with. */
export interface AuctionAnswer {
  /** Price of each dense slot, less what the idle tasks pay. */
  readonly price: Float64Array;
  /**
   * The prices after the last complete round, whose bound is higher than that of an unfinished round; null without a
   * complete round.
   */
  readonly roundPrice: Float64Array | null;
  /** Dense slot of each task after the last complete round (−1: dropped); null without a complete round. */
  readonly slotOf: Int32Array | null;
  /** Dense slot of each task when the auction ended (−1: none): nearly all tasks have one. */
  readonly lastSlotOf: Int32Array;
}

/** Divisor of ε from round to round. */
const epsilonFactor = 8;

/**
 * Runs an auction with ε scaling.
 *
 * @param start price of each dense slot to begin with
 * @param order the order in which the tasks bid first
 * @param scale `unit` is the price that ε is measured by; `first` and `last` are the ε of the first and of the last
 * round as shares of it
 * @param stopRequested polled every 256 bids; the prices reached are returned
 */
export function auction(
  problem: MatchingProblem,
  start: Float64Array,
  order: Int32Array,
  { unit, ...shares }: { readonly unit: number; readonly first: number; readonly last: number },
  stopRequested: () => boolean,
): AuctionAnswer {
  const state = new AuctionState(problem, start);
  let slotOf: Int32Array | null = null;
  let roundPrice: Float64Array | null = null;
  const last = shares.last * unit;
  for (let epsilon = shares.first * unit; unit > 0; epsilon = Math.max(last, epsilon / epsilonFactor)) {
    if (stopRequested() || !state.runRound(order, epsilon, stopRequested)) break;
    slotOf = state.assignment();
    roundPrice = state.slotPrices();
    if (epsilon <= last) break;
  }
  return { price: state.slotPrices(), roundPrice, slotOf, lastSlotOf: state.assignment() };
}

/** The state of an auction: prices, and who holds which place. */
class AuctionState {
  private bids = 0;
  private readonly problem: MatchingProblem;
  private readonly lines: GoodLines;
  private readonly prices: BlockMinima;
  private readonly goods: BestGoods;
  /** Dense slot of each task (−1: none), the idle tasks last. */
  private readonly slotOf: Int32Array;
  /** By dense slot: the task that holds it or −1, and its bid. The slots of a good form a heap by bid. */
  private readonly owner: Int32Array;
  private readonly bid: Float64Array;
  /** What the present bidder pays at the best good and at the next best, and the entry of the best. */
  private bestCost = 0;
  private secondCost = 0;
  private best = -1;

  constructor(problem: MatchingProblem, start: Float64Array) {
    this.problem = problem;
    this.lines = goodLines(problem);
    const { placeFrom, place, good } = this.lines;
    this.bid = new Float64Array(start.length);
    const lowest = minPriceByGood(this.lines, start);
    for (let g = 0; g < lowest.length; g++) {
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) this.bid[place[i]] = lowest[g];
    }
    this.prices = new BlockMinima(good, lowest);
    this.goods = new BestGoods(problem, this.lines, this.prices);
    this.owner = new Int32Array(start.length).fill(-1);
    const n = problem.ideal.length;
    const bidders = problem.dropPenalty === Number.POSITIVE_INFINITY ? Math.max(n, start.length) : n;
    this.slotOf = new Int32Array(bidders).fill(dropped);
  }

  /** Dense slot of each task at present, without the idle tasks. */
  assignment(): Int32Array {
    return this.slotOf.slice(0, this.problem.ideal.length);
  }

  /** One round at one ε. Returns whether it ended with every task in a slot or dropped because that is cheaper. */
  runRound(order: Int32Array, epsilon: number, stopRequested: () => boolean): boolean {
    this.freeAllSlots();
    const { dropPenalty } = this.problem;
    const n = order.length;
    const bidders = this.slotOf.length;
    // a stack: the tasks in their order on top, the idle ones below
    const stack = new Int32Array(bidders);
    for (let i = 0; i < bidders; i++) stack[i] = i < bidders - n ? n + i : order[bidders - 1 - i];
    let top = stack.length;
    let complete = true;
    while (top > 0) {
      if ((++this.bids & 255) === 0 && stopRequested()) return false;
      const j = stack[--top];
      if (j < n) this.findGood(j);
      else this.findIdleGood();
      if (this.best < 0 || this.bestCost >= dropPenalty) {
        if (dropPenalty === Number.POSITIVE_INFINITY) complete = false;
        continue;
      }
      // with a single good there is no second price, so any rise will do
      const rise = this.secondCost === Number.POSITIVE_INFINITY ? 0 : this.secondCost - this.bestCost;
      const loser = this.take(j, this.lines.good[this.best], rise + epsilon);
      if (loser >= 0) stack[top++] = loser;
    }
    return complete;
  }

  /** Price of each dense slot: that of its good, less what the idle tasks pay; 0 where a slot is free or idle. */
  slotPrices(): Float64Array {
    this.resetFreePrices();
    const { placeFrom, place, entry } = this.lines;
    const result = new Float64Array(this.bid.length);
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      const price = this.prices.price[entry[g]];
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) result[place[i]] = price;
    }
    const idle = this.slotOf.subarray(this.problem.ideal.length).filter((s) => s !== dropped);
    const level = idle.reduce((most, s) => Math.max(most, result[s]), 0);
    if (level > 0) for (let s = 0; s < result.length; s++) result[s] = Math.max(0, result[s] - level);
    for (const s of idle) result[s] = 0;
    return result;
  }

  /** Frees all slots at the prices of their goods. */
  private freeAllSlots(): void {
    if (this.bids > 0) this.resetFreePrices();
    const { placeFrom, place, entry } = this.lines;
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      const price = this.prices.price[entry[g]];
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) this.bid[place[i]] = price;
    }
    this.owner.fill(-1);
    this.slotOf.fill(dropped);
  }

  /** Sets the prices of goods with a free slot to 0 at the end of a round, where tasks may be dropped. */
  private resetFreePrices(): void {
    const { placeFrom, place, entry, otherEntry } = this.lines;
    if (this.problem.dropPenalty === Number.POSITIVE_INFINITY || this.slotOf.length >= this.owner.length) return;
    this.goods.reset();
    for (let g = 0; g + 1 < placeFrom.length; g++) {
      let idle = false;
      for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) if (this.owner[place[i]] < 0) idle = true;
      if (!idle) continue;
      this.prices.price[entry[g]] = 0;
      if (otherEntry[g] >= 0) this.prices.price[otherEntry[g]] = 0;
    }
    this.prices.rebuild();
  }

  /** Finds the good that task j bids for. */
  private findGood(j: number): void {
    const { goods } = this;
    goods.findBest(j);
    this.bestCost = goods.bestCost;
    this.secondCost = goods.secondCost;
    this.best = goods.best;
  }

  /** Finds the good that an idle task bids for: the cheapest, since it has no other cost. */
  private findIdleGood(): void {
    const { prices } = this;
    prices.findCheapest();
    this.bestCost = prices.cheapestPrice;
    this.secondCost = prices.nextPrice;
    this.best = prices.cheapest;
  }

  /**
   * Task j takes the cheapest slot of good g and raises its bid. Returns the task that loses the slot, −1 if it was
   * free.
   */
  private take(j: number, g: number, rise: number): number {
    const { placeFrom, place, entry, otherEntry } = this.lines;
    const from = placeFrom[g];
    const s = place[from];
    const previousOwner = this.owner[s];
    if (previousOwner >= 0) this.slotOf[previousOwner] = dropped;
    this.owner[s] = j;
    this.slotOf[j] = s;
    this.bid[s] += rise;
    this.sink(from, placeFrom[g + 1] - from);
    const price = this.bid[place[from]];
    if (price !== this.prices.price[entry[g]]) {
      this.prices.set(entry[g], price);
      if (otherEntry[g] >= 0) this.prices.set(otherEntry[g], price);
    }
    return previousOwner;
  }

  /** Restores the heap of a good's slots after the bid at its top has risen. O(log of the slots). */
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
