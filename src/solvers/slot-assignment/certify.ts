/**
 * An independent check of a slot assignment: is it feasible, and how far can it be from the best one?
 *
 * Method: weak duality. For any slot prices y ≥ 0, Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s is a lower bound on the cost
 * of every assignment, whoever made the prices. All arcs (j,s) are taken into the inner minimum, implicitly: a task
 * looks outward from its ideal time until distance alone costs more than the best slot found, skipping blocks by their
 * least price. value − bound is the total violation of complementary slackness; 0 proves optimality.
 * Shares no code with the sweep or the shortest paths but the time of a slot.
 *
 * Complexity: O((n + M) log M) typically; O(n·C) more when tasks are kept to several crawlers.
 */
import {
  crawlerOfSlot,
  earliestStart,
  latestStart,
  type SlotAssignmentInstance,
  type SlotGrid,
  slotGrid,
  slotTime,
} from './instance/instance.ts';
import { leastCost, type PricedLine, pricedLine } from './instance/priced-line.ts';

/** What the check found. */
export interface Certificate {
  /** True when every task sits in one slot of its own that it may use, or is dropped where that is allowed. */
  readonly feasible: boolean;
  /** The first violations in words, at most ten. */
  readonly violations: readonly string[];
  /** Cost of the assignment, recomputed. */
  readonly value: number;
  /** No assignment costs less; −∞ when no prices were given. */
  readonly bound: number;
}

/**
 * @param slotOf slot number (offset of the crawler + slot) of each task, −1 where dropped
 * @param prices y ≥ 0 of each slot number, or null: the bound is then −∞
 */
export function certify(
  instance: SlotAssignmentInstance,
  slotOf: Int32Array,
  prices: Float64Array | null,
): Certificate {
  const { idealTime, weight, allowed, dropPenalty } = instance;
  const grid = slotGrid(instance.interval, instance.slotCounts);
  const violations: string[] = [];
  const violated = (message: string): void => {
    if (violations.length < 10) violations.push(message);
  };
  const taken = new Uint8Array(grid.total);
  const values = new RunningSum();
  if (slotOf.length !== idealTime.length) violated(`${slotOf.length} assignments for ${idealTime.length} tasks`);
  for (let j = 0; j < idealTime.length; j++) {
    const s = slotOf[j];
    if (s === -1) {
      if (dropPenalty === Number.POSITIVE_INFINITY) violated(`task ${j} is dropped`);
      values.add(dropPenalty);
      continue;
    }
    if (!(s >= 0 && s < grid.total)) {
      violated(`task ${j} has slot ${s}, there are ${grid.total}`);
      continue;
    }
    if (taken[s]++ !== 0) violated(`slot ${s} has two tasks, one of them ${j}`);
    const k = crawlerOfSlot(grid, s);
    const tau = slotTime(instance.interval, instance.slotCounts[k], s - grid.offset[k]);
    if (tau < earliestStart(instance, j)) violated(`task ${j} runs at ${tau}, before ${earliestStart(instance, j)}`);
    if (tau > latestStart(instance, j)) violated(`task ${j} runs at ${tau}, after ${latestStart(instance, j)}`);
    if (allowed !== null && !mayUse(allowed.start, allowed.crawlers, j, k)) violated(`task ${j} runs on crawler ${k}`);
    values.add((weight === null ? 1 : weight[j]) * Math.abs(tau - idealTime[j]));
  }
  const bound = prices === null ? Number.NEGATIVE_INFINITY : dualBound(instance, prices);
  return { feasible: violations.length === 0, violations, value: values.total(), bound };
}

/** Sum with compensation (Neumaier), so that ten million terms cost no digits. */
class RunningSum {
  private sum = 0;
  private lost = 0;
  add(x: number): void {
    const next = this.sum + x;
    this.lost += Math.abs(this.sum) >= Math.abs(x) ? this.sum - next + x : x - next + this.sum;
    this.sum = next;
  }
  total(): number {
    return Number.isFinite(this.sum) ? this.sum + this.lost : this.sum;
  }
}

function mayUse(start: Int32Array, crawlers: Int32Array, j: number, k: number): boolean {
  if (start[j] === start[j + 1]) return true;
  for (let i = start[j]; i < start[j + 1]; i++) if (crawlers[i] === k) return true;
  return false;
}

/** Crawlers, and the tasks that can use only them (null: all tasks). */
export interface Scope {
  readonly crawlers: Int32Array;
  readonly tasks: Int32Array | null;
}

/**
 * The bound Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s; prices below 0 count as 0. +∞ when a task has no slot at all.
 *
 * @param scope the part of the instance to bound, null: all of it
 * @param mostReads blocks of 64 slots read for a task before lower bounds stand in for the rest: a quicker, weaker bound
 */
export function dualBound(
  instance: SlotAssignmentInstance,
  prices: Float64Array,
  scope: Scope | null = null,
  mostReads = Number.POSITIVE_INFINITY,
): number {
  const { idealTime, weight, allowed, dropPenalty, interval, slotCounts } = instance;
  const grid = slotGrid(interval, slotCounts);
  const price = prices.map((y) => Math.max(0, y));
  const crawlers = scope === null ? Int32Array.from(slotCounts.keys()) : scope.crawlers;
  const slope = weight === null ? 1 : weight.reduce((least, w) => Math.min(least, w), Number.POSITIVE_INFINITY);
  const own = new Map<number, PricedLine>();
  for (const k of crawlers) {
    own.set(k, pricedLine(interval, slotCounts[k], price.subarray(grid.offset[k], grid.offset[k + 1]), slope));
  }
  const shared = sharedLines(instance, grid, crawlers, price, slope);
  const bound = new RunningSum();
  const count = scope === null || scope.tasks === null ? idealTime.length : scope.tasks.length;
  for (let i = 0; i < count; i++) {
    const j = scope === null || scope.tasks === null ? i : scope.tasks[i];
    const w = weight === null ? 1 : weight[j];
    const low = earliestStart(instance, j);
    const high = latestStart(instance, j);
    const listed = allowed === null ? 0 : allowed.start[j + 1] - allowed.start[j];
    let best = dropPenalty;
    if (allowed === null || listed === 0 || listed === crawlers.length) {
      for (const line of shared) best = leastCost(line, idealTime[j], w, low, high, best, mostReads);
    } else {
      for (let a = allowed.start[j]; a < allowed.start[j + 1]; a++) {
        const line = own.get(allowed.crawlers[a]);
        if (line !== undefined) best = leastCost(line, idealTime[j], w, low, high, best, mostReads);
      }
    }
    bound.add(best);
  }
  for (const k of crawlers) for (let s = grid.offset[k]; s < grid.offset[k + 1]; s++) bound.add(-price[s]);
  return bound.total();
}

/** Lines that together stand for all the crawlers: those with equal slot counts share one, at the least price of each slot. */
function sharedLines(
  { interval, slotCounts }: SlotAssignmentInstance,
  grid: SlotGrid,
  crawlers: Int32Array,
  price: Float64Array,
  slope: number,
): PricedLine[] {
  const least = new Map<number, Float64Array>();
  for (const k of crawlers) {
    const slots = slotCounts[k];
    const known = least.get(slots) ?? new Float64Array(slots).fill(Number.POSITIVE_INFINITY);
    for (let l = 0; l < slots; l++) known[l] = Math.min(known[l], price[grid.offset[k] + l]);
    least.set(slots, known);
  }
  return Array.from(least, ([slots, prices]) => pricedLine(interval, slots, prices, slope));
}
