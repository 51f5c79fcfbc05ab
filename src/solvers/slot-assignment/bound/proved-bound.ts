/**
 * The best bound of a part that time allows: what a sample's prices prove before the search, and the search's own
 * prices after it.
 */
import { type Budget, type Poll, unlessStopped } from '../../budget.ts';
import type { SlotGrid } from '../instance/instance.ts';
import type { Part } from '../instance/parts.ts';
import type { SlotAssignmentProblem } from '../problem.ts';
import { dualBound } from './dual-bound.ts';

/** An instance whose parts are bounded, and the time for it. */
export interface Bounded {
  readonly instance: SlotAssignmentProblem;
  readonly grid: SlotGrid;
  readonly budget: Budget;
  /** For what comes before the first assignment: ends the solve. */
  readonly poll: Poll;
}

/** Prices of a part's slots in time order, and those of another origin; whether they tell crawlers apart. */
interface ProvingPrices {
  readonly price: Float64Array;
  readonly otherPrice: Float64Array | null;
  readonly tellsCrawlers: boolean;
}

/** Blocks of slots read for a task in a first bound: of most prices more tell nothing. */
const firstReads = 24;

/** Least share of the time that a search leaves for the bound of its prices. */
const leastReserved = 0.1;

/**
 * What is proved before the search: by the prices of a sample, else by none. What that takes shows how fast this machine
 * is just now. So it tells how much time the search must leave for the bound of its own prices.
 */
export function knownBound(
  { instance, grid, budget, poll }: Bounded,
  part: Part,
  gridSlot: Int32Array,
  sampled: Float64Array | null,
): { readonly bound: number; readonly reservedMs: number } {
  const whole = budget.remainingMs();
  if (whole === Number.POSITIVE_INFINITY) return { bound: 0, reservedMs: 0 };
  const open = { ...instance, allowed: null };
  const least = dualBound(open, new Float64Array(grid.total), part, 2, poll);
  if (sampled === null) {
    return { bound: least, reservedMs: Math.max(leastReserved * whole, 2 * (whole - budget.remainingMs())) };
  }
  const prices = gridPrices(grid, gridSlot, sampled);
  const bound = unlessStopped(0, () => dualBound(open, prices, part, Number.POSITIVE_INFINITY, poll));
  return { bound: Math.max(least, bound), reservedMs: leastReserved * whole };
}

/**
 * The best bound that the prices prove, first by a quick look at each task's slots, then more closely as time permits.
 * Prices that a short time made poor may prove less than `least`, what no prices at all prove.
 */
export function boundWithin(
  { instance, grid, budget, poll }: Bounded,
  part: Part,
  gridSlot: Int32Array,
  { price: first, otherPrice, tellsCrawlers }: ProvingPrices,
  least: number,
): number {
  const prices = [first, otherPrice];
  let bound = least;
  // With all crawlers in one line a bound takes a fraction, and is hardly lower where tasks may use many of them.
  if (instance.allowed !== null && !tellsCrawlers && budget.remainingMs() < Number.POSITIVE_INFINITY) {
    for (const price of prices) {
      if (price === null || budget.stopRequested()) continue;
      const onGrid = gridPrices(grid, gridSlot, price);
      const open = { ...instance, allowed: null };
      bound = Math.max(
        bound,
        unlessStopped(bound, () => dualBound(open, onGrid, part, firstReads, poll)),
      );
    }
  }
  for (const price of prices) {
    // When the time is up already, what no prices prove must do.
    if (price === null || budget.stopRequested()) continue;
    const onGrid = gridPrices(grid, gridSlot, price);
    for (let reads = firstReads; ; reads *= 8) {
      const before = budget.remainingMs();
      const last = reads * 64 > grid.total || before === Number.POSITIVE_INFINITY;
      const most = last ? Number.POSITIVE_INFINITY : reads;
      bound = Math.max(
        bound,
        unlessStopped(bound, () => dualBound(instance, onGrid, part, most, poll)),
      );
      // Eight times the reads take some four to six times as long.
      if (last || budget.remainingMs() < 6 * (before - budget.remainingMs())) break;
    }
  }
  return bound;
}

function gridPrices(grid: SlotGrid, gridSlot: Int32Array, price: Float64Array): Float64Array {
  const prices = new Float64Array(grid.total);
  for (let s = 0; s < price.length; s++) prices[gridSlot[s]] = price[s];
  return prices;
}
