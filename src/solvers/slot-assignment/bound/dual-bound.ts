/**
 * What slot prices prove, by weak duality: for any y ≥ 0, Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s is a lower bound on
 * the cost of every assignment. All arcs (j,s) are taken into the inner minimum, implicitly.
 *
 * Complexity: O((n + M) log M) typically; O(n·C) more when tasks are kept to several crawlers.
 */

import type { Poll } from '../../budget.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import { earliestStart, latestStart, type SlotGrid, slotGrid } from '../instance/instance.ts';
import type { Part } from '../instance/parts.ts';
import type { SlotAssignmentProblem } from '../problem.ts';
import { leastCost, type PricedLine, pricedLine } from './priced-line.ts';

/** Elementary steps, for polls. */
const stepsPerSlot = 40;
const stepsPerTask = 100;

/**
 * The bound Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s; prices below 0 count as 0. +∞ when a task has no slot at all.
 *
 * @param part what of the instance is bounded
 * @param mostReads blocks of 64 slots read for a task before lower bounds stand in for the rest: a quicker, weaker
 * bound
 */
export function dualBound(
  instance: SlotAssignmentProblem,
  prices: Float64Array,
  { crawlers, tasks }: Pick<Part, 'crawlers' | 'tasks'>,
  mostReads: number,
  poll?: Poll,
): number {
  const { idealTime, weight, allowed, dropPenalty, interval, slotCounts } = instance;
  const grid = slotGrid(interval, slotCounts);
  const price = new Float64Array(prices.length);
  for (let s = 0; s < price.length; s++) price[s] = Math.max(0, prices[s]);
  const slope = weight === null ? 1 : weight.reduce((least, w) => Math.min(least, w), Number.POSITIVE_INFINITY);
  const own = new Map<number, PricedLine>();
  const steps = { taken: 0 };
  for (const k of crawlers) {
    own.set(k, pricedLine(interval, slotCounts[k], price.subarray(grid.offset[k], grid.offset[k + 1]), slope, steps));
    poll?.(stepsPerSlot * slotCounts[k]);
  }
  const shared = sharedLines(instance, grid, crawlers, price, { slope, steps });
  const bound = new RunningSum();
  const count = tasks === null ? idealTime.length : tasks.length;
  for (let i = 0; i < count; i++) {
    const j = tasks === null ? i : tasks[i];
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
    poll?.(stepsPerTask + steps.taken);
    steps.taken = 0;
  }
  for (const k of crawlers) {
    for (let s = grid.offset[k]; s < grid.offset[k + 1]; s++) if (price[s] > 0) bound.add(-price[s]);
  }
  return bound.total();
}

/**
 * Lines that together stand for all the crawlers: those with equal slot counts share one, at the least price of each
 * slot.
 */
function sharedLines(
  { interval, slotCounts }: SlotAssignmentProblem,
  grid: SlotGrid,
  crawlers: Int32Array,
  price: Float64Array,
  { slope, steps }: Pick<PricedLine, 'slope' | 'steps'>,
): PricedLine[] {
  const least = new Map<number, Float64Array>();
  for (const k of crawlers) {
    const slots = slotCounts[k];
    const known = least.get(slots) ?? new Float64Array(slots).fill(Number.POSITIVE_INFINITY);
    for (let l = 0; l < slots; l++) known[l] = Math.min(known[l], price[grid.offset[k] + l]);
    least.set(slots, known);
  }
  return Array.from(least, ([slots, prices]) => pricedLine(interval, slots, prices, slope, steps));
}
