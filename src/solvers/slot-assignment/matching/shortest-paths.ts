/**
 * Slot assignment with weights, allowed crawlers, windows and dropping: successive shortest paths with implicit arcs.
 *
 * Symbols: c(j,s) = w_j·|τ_s − t_j|; y_s ≥ 0 price of slot s; p drop penalty. A free slot has no price unless the
 * search began with the auction's (idle-slots.ts lowers those). Invariant: every task inserted so far sits on a slot
 * (or is dropped) at which c(j,s) + y_s (or p) is least.
 * Method: one task after the other is inserted along a shortest alternating path, found by Dijkstra over slots. A path
 * ends at a free slot or where dropping a task is cheapest. The price of each settled slot then rises by the path's
 * length less the slot's distance. A search that reaches no free slot has found a Hall set: the tasks it reached can
 * use only the slots it reached. The arcs are never stored. A task offers for the slots on both sides of its ideal
 * time, as far as the next free slot on either side: no slot beyond is cheaper, since prices are ≥ 0. The scan skips
 * blocks of slots whose least price is too high. It stops where another task's offer is no worse and that task is no
 * heavier, so that the other task's offers grow no faster further out.
 *
 * Complexity: O(n) searches, each O(v log v) for v slots visited; near-constant v at moderate load, up to M at full
 * load. Exact when all tasks are inserted and no free slot has a price.
 * Source: successive shortest paths as in Jonker & Volgenant (1987); implicit arcs, dominance and blocks are ours.
 */
import { type IndexedHeap, indexedHeap } from '../../numerics/collections/indexed-heap.ts';
import { dropped } from '../instance/instance.ts';
import type { HallSet, MatchingProblem } from '../instance/matching-problem.ts';
import { BlockMinima } from './block-minima.ts';
import { FreeSlots } from './free-slots.ts';

/** Owner of a reserved slot, which no path may enter. */
const reservedSlot = -2;

/** Slots settled between two polls. */
const settledPerPoll = 2048;

/** A matching that grows by one task at a time. Memory O(M + pairs of task and line). */
export class Matching {
  readonly problem: MatchingProblem;
  /** Dense slot of each task: −1 where dropped or not inserted yet. */
  readonly slotOf: Int32Array;
  /** Task of each slot, −1 where free, −2 where reserved. */
  readonly owner: Int32Array;
  readonly prices: BlockMinima;
  /** Slots settled by all searches so far: the work done. */
  visits = 0;

  private readonly free: FreeSlots;
  private readonly heap: IndexedHeap;
  /** The slots settled by the present search, in order of distance: settled[0 .. settledCount − 1]. */
  private readonly settledSlots: Int32Array;
  private settledCount = 0;
  /** By slot: its distance, and the task that offered for it at that distance. */
  private readonly distance: Float64Array;
  private readonly offeredBy: Int32Array;
  /** Marks of the slots reached and of the slots settled in the present search. */
  private readonly marks: Int32Array;
  private reachedMark = 0;
  private settledMark = 1;
  /** Length of the best path so far, the task at its end and the slot that this task takes (`dropped`: none). */
  private length = Number.POSITIVE_INFINITY;
  private endTask = -1;
  private endSlot = -1;

  /** @param start price y ≥ 0 of each slot to begin with; null: all prices are 0 */
  constructor(problem: MatchingProblem, start: Float64Array | null = null) {
    const { lines, ideal } = problem;
    const m = lines.entry.length;
    this.problem = problem;
    this.slotOf = new Int32Array(ideal.length).fill(dropped);
    this.owner = new Int32Array(m).fill(-1);
    this.prices = new BlockMinima(lines.slot, start ?? new Float64Array(m));
    this.free = new FreeSlots(lines);
    this.settledSlots = new Int32Array(m);
    this.distance = new Float64Array(m);
    this.offeredBy = new Int32Array(m);
    this.marks = new Int32Array(m);
    this.heap = indexedHeap(m);
  }

  /**
   * Takes over the slots that tasks hold already, each near where it is cheapest but not proved to be. Tasks inserted
   * after that get good slots, but the matching is no longer exact.
   */
  adopt(slotOf: Int32Array): void {
    for (let j = 0; j < slotOf.length; j++) {
      if (slotOf[j] === dropped) continue;
      this.slotOf[j] = slotOf[j];
      this.owner[slotOf[j]] = j;
      this.free.remove(slotOf[j]);
    }
  }

  /** Keeps a free slot out of all later searches. */
  reserve(slot: number): void {
    this.owner[slot] = reservedSlot;
    this.free.remove(slot);
  }

  /** Price of a slot. */
  price(slot: number): number {
    return this.prices.price[this.problem.lines.entry[slot]];
  }

  /** Price of every dense slot. */
  slotPrices(): Float64Array {
    const result = new Float64Array(this.owner.length);
    for (let s = 0; s < result.length; s++) result[s] = this.price(s);
    return result;
  }

  /** Changes the price of a slot; every task must still be where it is cheapest. */
  setPrice(slot: number, value: number): void {
    const { entry, otherEntry } = this.problem.lines;
    this.prices.set(entry[slot], value);
    if (otherEntry[slot] >= 0) this.prices.set(otherEntry[slot], value);
  }

  /**
   * Inserts a task. Returns `done`, `stopped` (nothing changed), or the Hall set that shows that the task has no slot.
   */
  insert(task: number, stopRequested: () => boolean): 'done' | 'stopped' | HallSet {
    if (!this.search(task, stopRequested)) return 'stopped';
    if (this.endTask < 0) return this.hallSet(task);
    this.raisePrices();
    this.augment(task);
    return 'done';
  }

  /** Takes a task out again; its slot stays free at its price. */
  remove(task: number): void {
    // the slot is not put back into the free slots, since scans find it by its owner −1
    if (this.slotOf[task] !== dropped) this.owner[this.slotOf[task]] = -1;
    this.slotOf[task] = dropped;
  }

  /** Finds the shortest path from a task without a slot to its end. Returns whether there was time. */
  private search(first: number, stopRequested: () => boolean): boolean {
    const { ideal, weight, lines } = this.problem;
    const { heap, distance, settledSlots, owner, prices } = this;
    this.reachedMark += 2;
    this.settledMark += 2;
    this.length = Number.POSITIVE_INFINITY;
    this.endTask = -1;
    this.settledCount = 0;
    heap.clear();
    this.offer(first, 0);
    while (heap.minKey() < this.length) {
      const s = heap.pop();
      settledSlots[this.settledCount++] = s;
      this.marks[s] = this.settledMark;
      if (++this.visits % settledPerPoll === 0 && stopRequested()) return false;
      const j = owner[s];
      const e = lines.entry[s];
      this.offer(j, distance[s] - (weight[j] * Math.abs(lines.time[e] - ideal[j]) + prices.price[e]));
    }
    return true;
  }

  /**
   * Task j offers for every slot it may use, and for being dropped. `base` is its distance less what it pays at its own
   * slot.
   */
  private offer(j: number, base: number): void {
    const { lineFrom, lineOf, anchors, dropPenalty } = this.problem;
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

  /** Offers for the next free slot in one direction. Returns the entry before which the scan may end. */
  private offerFree(j: number, line: number, from: number, base: number, step: 1 | -1): number {
    const { prices, free } = this;
    const { ideal, weight, low, high, lines } = this.problem;
    const { time, lineStart, lineEnd, slot } = lines;
    const e = free.findNearest(from, step);
    const past = step > 0 ? lineEnd[line] : lineStart[line] - 1;
    if ((past - e) * step <= 0) return past;
    if (time[e] >= low[j] && time[e] <= high[j]) {
      const length = base + step * weight[j] * (time[e] - ideal[j]) + prices.price[e];
      if (length < this.length) this.endAt(j, slot[e], length);
    }
    return prices.price[e] === 0 ? e : past;
  }

  /** Offers for the slots of one line in one direction, from one entry to before another. */
  private offerAlong(j: number, line: number, from: number, end: number, base: number, step: 1 | -1): void {
    const { prices, owner } = this;
    const { ideal, weight, low, high, lineFrom, lineOf, lines } = this.problem;
    const { time, slot, mergedLine } = lines;
    const { price } = prices;
    const { marks, distance, offeredBy, reachedMark, settledMark } = this;
    const t = ideal[j];
    const w = weight[j];
    const slope = step * w;
    const window = step > 0 ? high : low;
    const edge = step * window[j];
    const onMerged = line === mergedLine;
    for (let e = from; (end - e) * step > 0; e += step) {
      const tau = time[e];
      const reach = base + slope * (tau - t);
      if (reach >= this.length || step * tau > edge) break;
      const skip = prices.skipLength(e, step, reach, this.length);
      if (skip > 0) {
        e += (skip - 1) * step;
        continue;
      }
      const s = slot[e];
      const offer = reach + price[e];
      const mark = marks[s];
      if (mark === settledMark || (mark === reachedMark && distance[s] <= offer)) {
        const i = offeredBy[s];
        // The other task may go as far on this line as task j, and is no heavier. So further out task j offers no less
        // than it.
        if (weight[i] <= w && step * window[i] >= edge && (!onMerged || lineOf[lineFrom[i]] === mergedLine)) break;
      } else if (offer < this.length) {
        if (owner[s] < 0) {
          if (owner[s] !== reservedSlot) this.endAt(j, s, offer);
          continue;
        }
        marks[s] = reachedMark;
        distance[s] = offer;
        offeredBy[s] = j;
        this.heap.pushOrDecrease(s, offer);
      }
    }
  }

  private hallSet(first: number): HallSet {
    const slots = this.settledSlots.slice(0, this.settledCount);
    const tasks = new Int32Array(slots.length + 1);
    tasks[0] = first;
    for (let i = 0; i < slots.length; i++) tasks[i + 1] = this.owner[slots[i]];
    return { tasks, slots };
  }

  private raisePrices(): void {
    const { settledSlots, settledCount, distance, length } = this;
    for (let i = 0; i < settledCount; i++) {
      const s = settledSlots[i];
      const rise = length - distance[s];
      if (rise > 0) this.setPrice(s, this.price(s) + rise);
    }
  }

  /** Moves every task on the path to the slot through which the next one was reached. */
  private augment(first: number): void {
    const { endSlot, endTask, offeredBy } = this;
    if (endSlot !== dropped) this.free.remove(endSlot);
    let j = endTask;
    let s = endSlot;
    for (;;) {
      const vacatedSlot = this.slotOf[j];
      this.slotOf[j] = s;
      if (s !== dropped) this.owner[s] = j;
      if (j === first) return;
      s = vacatedSlot;
      j = offeredBy[s];
    }
  }
}
