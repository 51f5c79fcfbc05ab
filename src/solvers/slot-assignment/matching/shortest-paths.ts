/**
 * Slot assignment with weights, allowed crawlers, windows and dropping: successive shortest paths with implicit arcs.
 *
 * Symbols: c(j,s) = w_j·|τ_s − t_j|; y_s ≥ 0 price of slot s (0 while it is free); p drop penalty. Kept at all times for
 * the tasks inserted so far: every task sits on a slot (or is dropped) at which c(j,s) + y_s (or p) is least.
 * Method: one task after the other is inserted along a shortest alternating path (Dijkstra over slots). The arcs are
 * never stored: a task offers itself to the slots to the right and to the left of its ideal time, as far as the next
 * free slot on either side (beyond it nothing is cheaper, since prices are ≥ 0), skipping blocks of slots whose least
 * price is too high, and stopping where another task's offer is no worse and that task is no heavier (its offers grow
 * no faster further out). A path ends at a free slot or where dropping a task is cheapest. Prices of the slots passed
 * rise by what their distance fell short of the path's length.
 * A search that reaches no free slot has found a Hall set: the tasks it reached can use only the slots it reached.
 *
 * Complexity: O(n) searches, each O(v log v) for v slots visited; near-constant v at moderate load, up to M at full load.
 * Stopping rule: exact when all tasks are inserted; the budget is polled every few thousand visited slots.
 * Source: successive shortest paths as in Jonker & Volgenant (1987); implicit arcs, dominance and blocks are ours.
 */

import { indexedHeap } from '../../numerics/heaps/indexed-heap.ts';
import { dropped } from '../instance/instance.ts';
import { blockBits, superBlockBits } from '../instance/slot-lines.ts';
import type { HallSet, MatchingProblem } from './matching-problem.ts';

/** The state of a matching that grows by one task at a time. */
export interface Matcher {
  /** Dense slot of each task: −1 where dropped or not inserted yet. */
  readonly slotOf: Int32Array;
  /** Task of each slot, −1 where free. */
  readonly owner: Int32Array;
  /** Sets the prices to start from, before the first task is inserted: y ≥ 0 of each slot. */
  readonly start: (prices: Float64Array) => void;
  /** Price of a slot. */
  readonly price: (slot: number) => number;
  /**
   * Inserts a task: `done`, `stopped` (nothing changed), or the Hall set that shows why it cannot be. A search that
   * has passed `mostSteps` entries takes the best path found so far: a good place, no proof, prices as they were.
   */
  readonly insert: (task: number, mostSteps?: number) => 'done' | 'stopped' | HallSet;
  /** Takes a task out again; its slot stays free at its price. */
  readonly remove: (task: number) => void;
  /** Changes the price of a free slot; every task must still be where it is cheapest. */
  readonly setPrice: (slot: number, price: number) => void;
  /** Slots taken out of the queue so far: the work done. */
  readonly visits: () => number;
  /** Entries of lines passed by scans so far, skipped blocks included: the work done, more finely. */
  readonly steps: () => number;
}

/**
 * A matcher with no task inserted. Memory O(M + pairs of task and line).
 *
 * @param stopRequested polled every few thousand visited slots; a search that is stopped leaves everything as it was
 */
export function matcher(problem: MatchingProblem, stopRequested: () => boolean): Matcher {
  const { ideal, weight, low, high, lineFrom, lineOf, anchors, dropPenalty, lines } = problem;
  const { time, slot: slotAt, entry, otherEntry, lineEnd, lineStart, merged } = lines;
  const n = ideal.length;
  const m = entry.length;
  const entries = time.length;
  const priceAt = new Float64Array(entries);
  for (let e = 0; e < entries; e++) if (slotAt[e] < 0) priceAt[e] = Number.POSITIVE_INFINITY;
  const blockLeast = new Float64Array((entries >> blockBits) + 1);
  const superLeast = new Float64Array((entries >> superBlockBits) + 1);
  const nextFree = Int32Array.from({ length: entries }, (_, e) => e);
  const previousFree = nextFree.slice();
  const slotOf = new Int32Array(n).fill(dropped);
  const owner = new Int32Array(m).fill(-1);
  const distance = new Float64Array(m);
  const offeredBy = new Int32Array(m);
  const seen = new Int32Array(m);
  const settled = new Int32Array(m);
  const heap = indexedHeap(m);
  // Marks of slots reached and of slots settled in the present search.
  let open = 0;
  let closed = 1;
  let visits = 0;
  let steps = 0;
  // The end of the best path so far.
  let length = Number.POSITIVE_INFINITY;
  let endTask = -1;
  let endSlot = -1;

  const find = (links: Int32Array, e: number): number => {
    let x = e;
    while (links[x] !== x) {
      links[x] = links[links[x]];
      x = links[x];
    }
    return x;
  };

  /** Task j offers itself to the slots of one line; `base` is the distance at which it stands, less its cost there. */
  const offerAlong = (j: number, line: number, at: number, base: number): void => {
    const t = ideal[j];
    const w = weight[j];
    const from = low[j];
    const to = high[j];
    const onMerged = line === merged;
    const freeRight = find(nextFree, at);
    if (freeRight < lineEnd[line] && time[freeRight] <= to && time[freeRight] >= from) {
      const offer = base + w * (time[freeRight] - t) + priceAt[freeRight];
      if (offer < length) {
        length = offer;
        endTask = j;
        endSlot = slotAt[freeRight];
      }
    }
    const freeLeft = find(previousFree, at - 1);
    if (freeLeft >= lineStart[line] && time[freeLeft] >= from && time[freeLeft] <= to) {
      const offer = base + w * (t - time[freeLeft]) + priceAt[freeLeft];
      if (offer < length) {
        length = offer;
        endTask = j;
        endSlot = slotAt[freeLeft];
      }
    }
    const rightEnd = priceAt[freeRight] === 0 ? freeRight : lineEnd[line];
    let e = at;
    for (; e < rightEnd; e++) {
      const tau = time[e];
      const reach = base + w * (tau - t);
      if (reach >= length || tau > to) break;
      if ((e & 63) === 0) {
        if ((e & 4095) === 0 && reach + superLeast[e >> superBlockBits] >= length) {
          e += 4095;
          continue;
        }
        if (reach + blockLeast[e >> blockBits] >= length) {
          e += 63;
          continue;
        }
      }
      const s = slotAt[e];
      const offer = reach + priceAt[e];
      const mark = seen[s];
      if (mark === closed || (mark === open && distance[s] <= offer)) {
        const i = offeredBy[s];
        if (weight[i] <= w && high[i] >= to && (!onMerged || lineOf[lineFrom[i]] === merged)) break;
      } else if (offer < length) {
        if (owner[s] < 0) {
          length = offer;
          endTask = j;
          endSlot = s;
          continue;
        }
        seen[s] = open;
        distance[s] = offer;
        offeredBy[s] = j;
        heap.pushOrDecrease(s, offer);
      }
    }
    const leftEnd = priceAt[freeLeft] === 0 ? freeLeft : lineStart[line] - 1;
    steps += e - at;
    for (e = at - 1; e > leftEnd; e--) {
      const tau = time[e];
      const reach = base + w * (t - tau);
      if (reach >= length || tau < from) break;
      if ((e & 63) === 63) {
        if ((e & 4095) === 4095 && reach + superLeast[e >> superBlockBits] >= length) {
          e -= 4095;
          continue;
        }
        if (reach + blockLeast[e >> blockBits] >= length) {
          e -= 63;
          continue;
        }
      }
      const s = slotAt[e];
      const offer = reach + priceAt[e];
      const mark = seen[s];
      if (mark === closed || (mark === open && distance[s] <= offer)) {
        const i = offeredBy[s];
        if (weight[i] <= w && low[i] <= from && (!onMerged || lineOf[lineFrom[i]] === merged)) break;
      } else if (offer < length) {
        if (owner[s] < 0) {
          length = offer;
          endTask = j;
          endSlot = s;
          continue;
        }
        seen[s] = open;
        distance[s] = offer;
        offeredBy[s] = j;
        heap.pushOrDecrease(s, offer);
      }
    }
    steps += at - e;
  };

  /** Task j offers itself to every slot it may use, and to being dropped. */
  const offer = (j: number, base: number): void => {
    if (base + dropPenalty < length) {
      length = base + dropPenalty;
      endTask = j;
      endSlot = dropped;
    }
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) offerAlong(j, lineOf[i], anchors[i], base);
  };

  const refreshBlock = (e: number): void => {
    const b = e >> blockBits;
    let least = Number.POSITIVE_INFINITY;
    for (let x = b << blockBits, end = x + (1 << blockBits); x < end; x++) if (priceAt[x] < least) least = priceAt[x];
    if (least === blockLeast[b]) return;
    blockLeast[b] = least;
    const big = e >> superBlockBits;
    const perSuper = 1 << (superBlockBits - blockBits);
    let superMinimum = Number.POSITIVE_INFINITY;
    const last = Math.min((big + 1) * perSuper, blockLeast.length);
    for (let x = big * perSuper; x < last; x++) if (blockLeast[x] < superMinimum) superMinimum = blockLeast[x];
    superLeast[big] = superMinimum;
  };

  const setPrice = (e: number, value: number): void => {
    const old = priceAt[e];
    priceAt[e] = value;
    const least = blockLeast[e >> blockBits];
    if (old <= least || value < least) refreshBlock(e);
  };

  const take = (s: number): void => {
    const e = entry[s];
    nextFree[e] = e + 1;
    previousFree[e] = e - 1;
    const other = otherEntry[s];
    if (other >= 0) {
      nextFree[other] = other + 1;
      previousFree[other] = other - 1;
    }
  };

  let settledCount = 0;
  const insert = (first: number, mostSteps = Number.POSITIVE_INFINITY): 'done' | 'stopped' | HallSet => {
    const lastStep = steps + mostSteps;
    let cut = false;
    open += 2;
    closed += 2;
    length = Number.POSITIVE_INFINITY;
    endTask = -1;
    heap.clear();
    settledCount = 0;
    offer(first, 0);
    while (heap.least() < length) {
      if (steps > lastStep && endTask >= 0) {
        cut = true;
        break;
      }
      const s = heap.pop();
      settled[settledCount++] = s;
      seen[s] = closed;
      if ((++visits & 2047) === 0 && stopRequested()) return 'stopped';
      const j = owner[s];
      const e = entry[s];
      offer(j, distance[s] - (weight[j] * Math.abs(time[e] - ideal[j]) + priceAt[e]));
    }
    if (endTask < 0) {
      const slots = settled.slice(0, settledCount);
      const tasks = new Int32Array(settledCount + 1);
      tasks[0] = first;
      for (let i = 0; i < settledCount; i++) tasks[i + 1] = owner[slots[i]];
      return { tasks, slots };
    }
    for (let i = 0; i < settledCount && !cut; i++) {
      const s = settled[i];
      const rise = length - distance[s];
      if (rise > 0) {
        setPriceOfSlot(s, priceAt[entry[s]] + rise);
      }
    }
    if (endSlot !== dropped) take(endSlot);
    let j = endTask;
    let s = endSlot;
    for (;;) {
      const left = slotOf[j];
      slotOf[j] = s;
      if (s !== dropped) owner[s] = j;
      if (j === first) return 'done';
      s = left;
      j = offeredBy[s];
    }
  };

  const setPriceOfSlot = (s: number, value: number): void => {
    setPrice(entry[s], value);
    if (otherEntry[s] >= 0) setPrice(otherEntry[s], value);
  };

  const remove = (j: number): void => {
    // The links to the next free slot stay as they are: scans meet the slot on their way.
    if (slotOf[j] !== dropped) owner[slotOf[j]] = -1;
    slotOf[j] = dropped;
  };

  const start = (prices: Float64Array): void => {
    for (let s = 0; s < m; s++) {
      priceAt[entry[s]] = prices[s];
      if (otherEntry[s] >= 0) priceAt[otherEntry[s]] = prices[s];
    }
    blockLeast.fill(Number.POSITIVE_INFINITY);
    superLeast.fill(Number.POSITIVE_INFINITY);
    for (let e = 0; e < entries; e++) {
      if (priceAt[e] < blockLeast[e >> blockBits]) blockLeast[e >> blockBits] = priceAt[e];
      if (priceAt[e] < superLeast[e >> superBlockBits]) superLeast[e >> superBlockBits] = priceAt[e];
    }
  };

  return {
    slotOf,
    owner,
    start,
    price: (s) => priceAt[entry[s]],
    setPrice: setPriceOfSlot,
    insert,
    remove,
    visits: () => visits,
    steps: () => steps,
  };
}
