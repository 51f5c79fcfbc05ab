/**
 * One search for a shortest alternating path: from a task without a slot to a free slot, or to a task that is dropped.
 *
 * Method: Dijkstra over slots. The arcs are never stored. A task offers itself to the slots on both sides of its ideal
 * time, as far as the next free slot on either side. Beyond it nothing is cheaper, since prices are ≥ 0. It skips
 * blocks of slots whose least price is too high. It stops where another task's offer is no worse and that task is no
 * heavier, so that its offers grow no faster further out.
 */

import { type IndexedHeap, indexedHeap } from '../../numerics/heaps/indexed-heap.ts';
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { type BlockMinima, blockBits, smallBlockBits, superBlockBits } from './block-minima.ts';
import type { FreeSlots } from './free-slots.ts';

/** In the place of a slot's task: no path may enter the slot. */
export const reserved = -2;

/** What a search reads: the matching as it stands. */
interface SearchedMatching {
  readonly problem: MatchingProblem;
  readonly prices: BlockMinima;
  readonly free: FreeSlots;
  /** Task of each slot, −1 where free, `reserved` where no path may enter. */
  readonly owner: Int32Array;
}

/** Buffers of the searches in one matching, and what the last search found. */
export class ShortestPath {
  /** Length of the path found, the task at its end and the slot that this task takes (`dropped`: none). */
  length = Number.POSITIVE_INFINITY;
  endTask = -1;
  endSlot = -1;
  /** The slots settled, in order of distance: settled[0 .. settledCount − 1]. */
  readonly settled: Int32Array;
  settledCount = 0;
  /** By slot: its distance, and the task through which it was reached. */
  readonly distance: Float64Array;
  readonly offeredBy: Int32Array;
  /** Slots settled, and entries of lines passed (skipped blocks included), by all searches so far: the work done. */
  visits = 0;
  steps = 0;

  private readonly matching: SearchedMatching;
  private readonly heap: IndexedHeap;
  /** Marks of the slots reached and of the slots settled in the present search. */
  private readonly seen: Int32Array;
  private open = 0;
  private closed = 1;

  constructor(matching: SearchedMatching) {
    const m = matching.owner.length;
    this.matching = matching;
    this.settled = new Int32Array(m);
    this.distance = new Float64Array(m);
    this.offeredBy = new Int32Array(m);
    this.seen = new Int32Array(m);
    this.heap = indexedHeap(m);
  }

  /**
   * Searches from a task that has no slot. `found`: the shortest path; `cut`: the best path met in `mostSteps` entries.
   * `none`: there is none, the slots settled are all that can be reached; `stopped`.
   */
  run(first: number, mostSteps: number, stopRequested: () => boolean): 'found' | 'cut' | 'none' | 'stopped' {
    const { problem, prices, owner } = this.matching;
    const { ideal, weight, lines } = problem;
    const { heap, distance, settled } = this;
    const lastStep = this.steps + mostSteps;
    this.open += 2;
    this.closed += 2;
    this.length = Number.POSITIVE_INFINITY;
    this.endTask = -1;
    this.settledCount = 0;
    heap.clear();
    this.offer(first, 0);
    while (heap.least() < this.length) {
      if (this.steps > lastStep && this.endTask >= 0) return 'cut';
      const s = heap.pop();
      settled[this.settledCount++] = s;
      this.seen[s] = this.closed;
      if ((++this.visits & 2047) === 0 && stopRequested()) return 'stopped';
      const j = owner[s];
      const e = lines.entry[s];
      this.offer(j, distance[s] - (weight[j] * Math.abs(lines.time[e] - ideal[j]) + prices.price[e]));
    }
    return this.endTask >= 0 ? 'found' : 'none';
  }

  /**
   * Task j offers itself to every slot it may use, and to being dropped; `base`: its distance less its cost where it
   * is.
   */
  private offer(j: number, base: number): void {
    const { lineFrom, lineOf, anchors, dropPenalty } = this.matching.problem;
    if (base + dropPenalty < this.length) this.endAt(j, dropped, base + dropPenalty);
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
      const right = this.offerFree(j, lineOf[i], anchors[i], base, 1);
      const left = this.offerFree(j, lineOf[i], anchors[i] - 1, base, -1);
      this.offerAlong(j, lineOf[i], anchors[i], right, base, 1);
      this.offerAlong(j, lineOf[i], anchors[i] - 1, left, base, -1);
    }
  }

  private endAt(task: number, slot: number, length: number): void {
    this.length = length;
    this.endTask = task;
    this.endSlot = slot;
  }

  /** Offers to the next free slot in one direction. Returns the entry before which the scan may end. */
  private offerFree(j: number, line: number, from: number, base: number, step: 1 | -1): number {
    const { problem, prices, free } = this.matching;
    const { ideal, weight, low, high, lines } = problem;
    const { time, lineStart, lineEnd, slot } = lines;
    const e = free.nearest(from, step);
    const past = step > 0 ? lineEnd[line] : lineStart[line] - 1;
    if ((past - e) * step <= 0) return past;
    if (time[e] >= low[j] && time[e] <= high[j]) {
      const length = base + step * weight[j] * (time[e] - ideal[j]) + prices.price[e];
      if (length < this.length) this.endAt(j, slot[e], length);
    }
    return prices.price[e] === 0 ? e : past;
  }

  /** Offers to the slots of one line in one direction, from one entry to before another. */
  private offerAlong(j: number, line: number, from: number, end: number, base: number, step: 1 | -1): void {
    const { problem, prices, owner } = this.matching;
    const { ideal, weight, low, high, lineFrom, lineOf, lines } = problem;
    const { time, slot, merged } = lines;
    const { price, smallLeast, least, superLeast } = prices;
    const { seen, distance, offeredBy, open, closed } = this;
    const t = ideal[j];
    const w = weight[j];
    const slope = step * w;
    const window = step > 0 ? high : low;
    const edge = step * window[j];
    const onMerged = line === merged;
    const smallStart = step > 0 ? 0 : 15;
    const blockStart = step > 0 ? 0 : 255;
    const superStart = step > 0 ? 0 : 4095;
    let e = from;
    for (; (end - e) * step > 0; e += step) {
      const tau = time[e];
      const reach = base + slope * (tau - t);
      if (reach >= this.length || step * tau > edge) break;
      if ((e & 15) === smallStart) {
        if ((e & 4095) === superStart && reach + superLeast[e >> superBlockBits] >= this.length) {
          e += 4095 * step;
          continue;
        }
        if ((e & 255) === blockStart && reach + least[e >> blockBits] >= this.length) {
          e += 255 * step;
          continue;
        }
        if (reach + smallLeast[e >> smallBlockBits] >= this.length) {
          e += 15 * step;
          continue;
        }
      }
      const s = slot[e];
      const offer = reach + price[e];
      const mark = seen[s];
      if (mark === closed || (mark === open && distance[s] <= offer)) {
        const i = offeredBy[s];
        // The other task may go as far as this one, on this line, and is no heavier: further out it offers no more.
        if (weight[i] <= w && step * window[i] >= edge && (!onMerged || lineOf[lineFrom[i]] === merged)) break;
      } else if (offer < this.length) {
        if (owner[s] < 0) {
          if (owner[s] !== reserved) this.endAt(j, s, offer);
          continue;
        }
        seen[s] = open;
        distance[s] = offer;
        offeredBy[s] = j;
        this.heap.pushOrDecrease(s, offer);
      }
    }
    this.steps += (e - from) * step;
  }
}
