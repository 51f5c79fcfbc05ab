/** When an answer is called optimal. */
import { relativeGap } from '../answer.ts';

/** The gap policy iteration proves unless asked otherwise. */
export const defaultTolerance = 1e-9;
/** However large a tolerance is asked for, an answer with a larger gap than this is not called optimal. */
const largestOptimalGap = 0.01;

/** The status of a policy whose cost no other can bring below `bound`. */
export function proved(cost: number, bound: number | null, tolerance: number): 'optimal' | 'feasible' {
  const largest = Math.min(tolerance, largestOptimalGap);
  return bound !== null && relativeGap(cost, bound) <= largest ? 'optimal' : 'feasible';
}
