/**
 * The golden ratio policy: the s-th access is the s-th smallest of the points frac(j/φ), j = 1..K. The block of page i
 * is counts[i] consecutive j after the blocks of the pages before it. Any block of points is spread almost evenly
 * (distances take three values).
 *
 * The points need no sorting. Those next to 0 and to 1 are j = F_k with k odd and with k even. With a and b the largest
 * such j ≤ K, the point after that of j is that of j + a, j − b or j + a − b, whichever lies in 0..K (V. T. Sós, Ann.
 * Univ. Sci. Budapest 1, 1958: the three distances). Exact integers, O(K).
 *
 * Sources: A. Itai and Z. Rosberg, A golden ratio control policy for a multiple-access channel, IEEE Trans. Automatic
 * Control 29 (1984); Coffman, Liu & Weber (1997), section 5. With F_1 = F_2 = 1. The papers let j start from 0, their
 * example from 1: the same cycle, rotated. The papers' bound of 1.05 on cost over bound ((1.34); Corollary 5.1) is
 * false: see docs/errata.md.
 */
import type { Poll } from '../../budget.ts';

/** F_k for k = 1, 2, …: 1, 1, 2, 3, 5, …; exact up to k = 78. */
export function fibonacci(k: number): number {
  let previous = 0;
  let current = 1;
  for (let i = 1; i < k; i++) [previous, current] = [current, previous + current];
  return current;
}

/**
 * The page of each access in the cycle.
 *
 * @param counts accesses of each page, summing to `cycle`
 * @throws NothingToReturn from `poll`, when the budget ends
 */
export function goldenRatio(counts: Uint32Array, cycle: number, poll: Poll): Uint32Array {
  const owner = new Uint32Array(cycle);
  let next = 0;
  for (const [page, count] of counts.entries()) {
    owner.fill(page, next, next + count);
    next += count;
  }
  let [a, b] = [1, 1];
  while (a + b <= cycle) {
    if (a <= b) a += b;
    else b += a;
  }
  let j = 0;
  return new Uint32Array(cycle).map(() => {
    poll(1);
    if (j + a <= cycle) j += a;
    else j += j >= b ? -b : a - b;
    return owner[j - 1];
  });
}
