/**
 * Slot assignment with weights, allowed crawlers, windows and dropping: successive shortest paths with implicit arcs.
 *
 * Symbols: c(j,s) = w_j·|τ_s − t_j|; y_s ≥ 0 price of slot s (0 while it is free); p drop penalty. The following is
 * kept at all times for the tasks inserted so far. Every task sits on a slot (or is dropped) at which c(j,s) + y_s (or
 * p) is least.
 * Method: one task after the other is inserted along a shortest alternating path. A path ends at a free slot or where
 * dropping a task is cheapest. Prices of the slots passed rise by what their distance fell short of the path's length.
 * A search that reaches no free slot has found a Hall set: the tasks it reached can use only the slots it reached.
 * Complexity: O(n) searches, each O(v log v) for v slots visited; near-constant v at moderate load, up to M at full
 * load.
 * Stopping rule: exact when all tasks are inserted; the budget is polled every few thousand visited slots.
 * Source: successive shortest paths as in Jonker & Volgenant (1987); implicit arcs, dominance and blocks are ours.
 */
import { dropped } from '../instance/instance.ts';
import type { HallSet, MatchingProblem } from '../instance/matching-problem.ts';
import { BlockMinima } from './block-minima.ts';
import { FreeSlots } from './free-slots.ts';
import { reserved, ShortestPath } from './shortest-path.ts';

/** A matching that grows by one task at a time. Memory O(M + pairs of task and line). */
export class Matching {
  readonly problem: MatchingProblem;
  /** Dense slot of each task: −1 where dropped or not inserted yet. */
  readonly slotOf: Int32Array;
  /** Task of each slot, −1 where free, −2 where reserved. */
  readonly owner: Int32Array;
  readonly prices: BlockMinima;
  readonly free: FreeSlots;
  private readonly path: ShortestPath;

  /** @param start price y ≥ 0 of each slot to begin with, null: all 0 */
  constructor(problem: MatchingProblem, start: Float64Array | null = null) {
    const { lines, ideal } = problem;
    this.problem = problem;
    this.slotOf = new Int32Array(ideal.length).fill(dropped);
    this.owner = new Int32Array(lines.entry.length).fill(-1);
    const price = new Float64Array(lines.slot.length);
    for (let e = 0; e < price.length; e++) {
      const s = lines.slot[e];
      price[e] = s < 0 ? Number.POSITIVE_INFINITY : start === null ? 0 : start[s];
    }
    this.prices = new BlockMinima(price);
    this.free = new FreeSlots(lines);
    this.path = new ShortestPath(this);
  }

  /**
   * Takes over places that tasks hold already, each near where it is cheapest but not proved to be. What is inserted
   * from then on finds a good place, and nothing is exact.
   */
  hold(slotOf: Int32Array): void {
    for (let j = 0; j < slotOf.length; j++) {
      if (slotOf[j] === dropped) continue;
      this.slotOf[j] = slotOf[j];
      this.owner[slotOf[j]] = j;
      this.free.strike(slotOf[j]);
    }
  }

  /** Keeps a free slot out of all searches to come. */
  reserve(slot: number): void {
    this.owner[slot] = reserved;
    this.free.strike(slot);
  }

  /** Slots taken out of the queue so far: the work done. */
  get visits(): number {
    return this.path.visits;
  }

  /** Entries of lines passed by scans so far, skipped blocks included: the work done, more finely. */
  get steps(): number {
    return this.path.steps;
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
   * Inserts a task: `done`, `stopped` (nothing changed), or the Hall set that shows why it cannot be. A search that
   * has passed `mostSteps` entries takes the best path found so far: a good place, no proof, prices as they were.
   */
  insert(
    task: number,
    stopRequested: () => boolean,
    mostSteps = Number.POSITIVE_INFINITY,
  ): 'done' | 'stopped' | HallSet {
    const outcome = this.path.run(task, mostSteps, stopRequested);
    if (outcome === 'stopped') return 'stopped';
    if (outcome === 'none') return this.hallSet(task);
    if (outcome === 'found') this.raisePrices();
    this.augment(task);
    return 'done';
  }

  /** Takes a task out again; its slot stays free at its price. */
  remove(task: number): void {
    // The links to the next free slot stay as they are: scans meet the slot on their way.
    if (this.slotOf[task] !== dropped) this.owner[this.slotOf[task]] = -1;
    this.slotOf[task] = dropped;
  }

  private hallSet(first: number): HallSet {
    const slots = this.path.settled.slice(0, this.path.settledCount);
    const tasks = new Int32Array(slots.length + 1);
    tasks[0] = first;
    for (let i = 0; i < slots.length; i++) tasks[i + 1] = this.owner[slots[i]];
    return { tasks, slots };
  }

  private raisePrices(): void {
    const { settled, settledCount, distance, length } = this.path;
    for (let i = 0; i < settledCount; i++) {
      const s = settled[i];
      const rise = length - distance[s];
      if (rise > 0) this.setPrice(s, this.price(s) + rise);
    }
  }

  /** Moves every task on the path to the slot through which the next one was reached. */
  private augment(first: number): void {
    const { endSlot, endTask, offeredBy } = this.path;
    if (endSlot !== dropped) this.free.strike(endSlot);
    let j = endTask;
    let s = endSlot;
    for (;;) {
      const left = this.slotOf[j];
      this.slotOf[j] = s;
      if (s !== dropped) this.owner[s] = j;
      if (j === first) return;
      s = left;
      j = offeredBy[s];
    }
  }
}
