/** When an answer is called optimal. */
import { relativeGap } from '../answer.ts';

/** The gap that policy iteration proves. */
export const defaultTolerance = 1e-9;

/** The status of a policy whose cost no other can bring below `bound`. */
export function proved(cost: number, bound: number | null, tolerance: number): 'optimal' | 'feasible' {
  return bound !== null && relativeGap(cost, bound) <= tolerance ? 'optimal' : 'feasible';
}
