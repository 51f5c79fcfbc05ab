/** What fetches are expected to cost. */
import type { FetchCosts } from '../problem.ts';

/**
 * The expected cost of a fetch of page i at an age; Infinity stands for a page never fetched, which counts as changed.
 */
export function expectedCost({ cost, ifChanged }: FetchCosts, i: number, rate: number, age: number): number {
  return ifChanged[i] > 0 ? cost[i] - ifChanged[i] * Math.expm1(-rate * age) : cost[i];
}

/**
 * Slots that a sum is given out in: as many in the time that is open as it pays for fetches of the cheapest page. There
 * are `most` at most. Spans are openings and closings in turn; null: all of the interval.
 */
export function slotsOfSpending(
  { cost, spending }: FetchCosts,
  interval: number,
  spans: Float64Array | null,
  most: number,
): number {
  const cheapest = cost.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const fetches = Math.floor((spending / cheapest) * (1 + 1e-12));
  const open = spans === null ? interval : spans.reduce((sum, at, k) => sum + (k % 2 === 0 ? -at : at), 0);
  return Math.min(most, open > 0 && open < interval ? Math.ceil((fetches * interval) / open) : fetches);
}
