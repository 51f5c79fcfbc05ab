/**
 * The two goods at which a bidder of the auction pays least.
 *
 * Method: prices only rise while tasks bid. A task remembers the eight goods at which it paid least when it last
 * looked, and what it paid at the last of them. Every other good of its lines still costs it at least that. While the
 * second best of the remembered goods, at present prices, is below that, it is the second best of all goods. Else the
 * task scans again.
 *
 * Complexity: eight prices for a third (weighted tasks kept to some crawlers) to three quarters of all bids. All other
 * bids take a scan outward that jumps over expensive blocks.
 * Source: "third best" values as in Bertsekas and Castañón (1989), kept here for more of them.
 */

import { lineAlignment, type MatchingProblem } from '../instance/matching-problem.ts';
import { positions } from '../instance/positions.ts';
import type { BlockMinima } from './block-minima.ts';

/** Goods that a task remembers: with 4 the auction of 10⁵ tasks takes 6% more time, with 16 20%. */
const rememberedGoods = 8;

/** Finds the two cheapest goods of a task, and remembers them for its next search. */
export class BestGoods {
  /** What the task pays at the best good, and at the second best or for being dropped; +∞ without one. */
  bestCost = Number.POSITIVE_INFINITY;
  secondCost = Number.POSITIVE_INFINITY;
  /** Entry of the best good, −1 without one. */
  best = -1;

  private readonly problem: MatchingProblem;
  private readonly lines: GoodLines;
  private readonly prices: BlockMinima;
  /** For each task the entries of the eight goods it remembers in its lines of goods; −1 where it remembers fewer. */
  private readonly memory: Int32Array;
  /** By task: lower bound on what it pays at a good that it does not remember. */
  private readonly floor: Float64Array;
  /** The best goods found by the present scan, in order of what the task pays there. */
  private readonly bestEntry = new Int32Array(rememberedGoods);
  private readonly bestPays = new Float64Array(rememberedGoods);
  private bestCount = 0;
  /** Cost above which the present scan skips goods. */
  private limit = 0;

  constructor(problem: MatchingProblem, lines: GoodLines, prices: BlockMinima) {
    const n = problem.ideal.length;
    this.problem = problem;
    this.lines = lines;
    this.prices = prices;
    this.memory = new Int32Array(rememberedGoods * n).fill(-1);
    this.floor = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  }

  /** Resets the lower bounds of all tasks, so that each scans again: to be called when a price has fallen. O(n). */
  reset(): void {
    this.floor.fill(Number.NEGATIVE_INFINITY);
  }

  /** Finds the two goods at which task j pays least. */
  findBest(j: number): void {
    const { ideal, weight, lineFrom, lineOf, dropPenalty } = this.problem;
    const { time, anchors } = this.lines;
    const { price } = this.prices;
    const { memory, floor } = this;
    const t = ideal[j];
    const w = weight[j];
    const from = rememberedGoods * j;
    let lowest = Number.POSITIVE_INFINITY;
    let secondLowest = dropPenalty;
    let best = -1;
    let maxPays = 0;
    for (let i = from; i < from + rememberedGoods; i++) {
      const e = memory[i];
      const pays = e < 0 ? Number.POSITIVE_INFINITY : w * Math.abs(time[e] - t) + price[e];
      if (pays > maxPays) maxPays = pays;
      if (pays >= secondLowest) continue;
      if (pays < lowest) {
        if (lowest < secondLowest) secondLowest = lowest;
        lowest = pays;
        best = e;
      } else secondLowest = pays;
    }
    if (secondLowest > floor[j]) {
      this.bestCount = 0;
      this.limit = Math.min(maxPays, dropPenalty);
      for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
        this.scan(j, lineOf[i], anchors[i], 1);
        this.scan(j, lineOf[i], anchors[i] - 1, -1);
      }
      const { bestCount, bestEntry, bestPays } = this;
      for (let i = 0; i < rememberedGoods; i++) memory[from + i] = i < bestCount ? bestEntry[i] : -1;
      floor[j] = this.limit;
      best = bestCount > 0 ? bestEntry[0] : -1;
      lowest = bestCount > 0 ? bestPays[0] : Number.POSITIVE_INFINITY;
      secondLowest = bestCount > 1 && bestPays[1] < dropPenalty ? bestPays[1] : dropPenalty;
    }
    this.bestCost = lowest;
    this.secondCost = secondLowest;
    this.best = best;
  }

  /** Scans a line in one direction: step 1 to the right, −1 to the left. */
  private scan(j: number, line: number, from: number, step: 1 | -1): void {
    const { ideal, weight, low, high } = this.problem;
    const { time, lineStart, lineEnd } = this.lines;
    const { prices } = this;
    const { price } = prices;
    const { bestEntry, bestPays } = this;
    const t = ideal[j];
    const slope = step * weight[j];
    const edge = step > 0 ? high[j] : -low[j];
    const end = step > 0 ? lineEnd[line] : lineStart[line] - 1;
    let count = this.bestCount;
    let limit = this.limit;
    for (let e = from; (end - e) * step > 0; e += step) {
      const tau = time[e];
      const reach = slope * (tau - t);
      if (reach > limit || step * tau > edge) break;
      const skip = prices.skipLength(e, step, reach, limit);
      if (skip > 0) {
        e += (skip - 1) * step;
        continue;
      }
      const pays = reach + price[e];
      if (count === rememberedGoods ? pays >= limit : pays > limit) continue;
      let i = count < rememberedGoods ? count++ : rememberedGoods - 1;
      for (; i > 0 && bestPays[i - 1] > pays; i--) {
        bestPays[i] = bestPays[i - 1];
        bestEntry[i] = bestEntry[i - 1];
      }
      bestPays[i] = pays;
      bestEntry[i] = e;
      if (count === rememberedGoods) limit = bestPays[rememberedGoods - 1];
    }
    this.bestCount = count;
    this.limit = limit;
  }
}

/**
 * The lines of a matching problem by goods, for the auction and the bound: slots that no task can tell apart are one
 * good with several places. Where every task may use every crawler, the slots of one time are a good; else every slot
 * is.
 */
export interface GoodLines {
  /** Time of each entry; padding: +∞. */
  readonly time: Float64Array;
  /** Good of each entry; padding: −1. */
  readonly good: Int32Array;
  readonly lineStart: Int32Array;
  readonly lineEnd: Int32Array;
  /** Entry at which each pair of task and line starts its scan, as in the problem. */
  readonly anchors: Int32Array;
  /** The places (dense slot numbers) of good g: place[placeFrom[g] .. placeFrom[g + 1] − 1]. */
  readonly placeFrom: Int32Array;
  readonly place: Int32Array;
  /** Entry of each good, and its other entry or −1. */
  readonly entry: Int32Array;
  readonly otherEntry: Int32Array;
}

/** Groups the slots of a matching problem into goods. O(M + pairs of task and line). */
export function goodLines({ lines, anchors }: MatchingProblem): GoodLines {
  const m = lines.entry.length;
  const { mergedLine, lineStart, lineEnd, time, slot } = lines;
  if (mergedLine < 0 || lineStart.length > 1) {
    const { entry, otherEntry } = lines;
    return {
      time,
      good: slot,
      lineStart,
      lineEnd,
      anchors,
      placeFrom: positions(m + 1),
      place: positions(m),
      entry,
      otherEntry,
    };
  }
  const start = lineStart[mergedLine];
  const goodAt = new Int32Array(m + 1);
  let goods = 0;
  for (let s = 0; s < m; s++) {
    if (s > 0 && time[start + s] !== time[start + s - 1]) goods++;
    goodAt[s] = goods;
  }
  if (m > 0) goods++;
  goodAt[m] = goods;
  const placeFrom = new Int32Array(goods + 1);
  for (let s = 0; s < m; s++) placeFrom[goodAt[s] + 1] = s + 1;
  const goodTime = new Float64Array(2 * lineAlignment + goods).fill(Number.POSITIVE_INFINITY);
  const good = new Int32Array(goodTime.length).fill(-1);
  for (let g = 0; g < goods; g++) {
    goodTime[lineAlignment + g] = time[start + placeFrom[g]];
    good[lineAlignment + g] = g;
  }
  return {
    time: goodTime,
    good,
    lineStart: Int32Array.of(lineAlignment),
    lineEnd: Int32Array.of(lineAlignment + goods),
    anchors: anchors.map((e) => lineAlignment + goodAt[e - start]),
    placeFrom,
    place: positions(m),
    entry: positions(lineAlignment + goods).subarray(lineAlignment),
    otherEntry: new Int32Array(goods).fill(-1),
  };
}

/** The lowest slot price of each good. */
export function minPriceByGood({ placeFrom, place }: GoodLines, price: Float64Array): Float64Array {
  const minPrice = new Float64Array(placeFrom.length - 1).fill(Number.POSITIVE_INFINITY);
  for (let g = 0; g < minPrice.length; g++) {
    for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) minPrice[g] = Math.min(minPrice[g], price[place[i]]);
  }
  return minPrice;
}
