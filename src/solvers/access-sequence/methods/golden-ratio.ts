/**
 * The golden ratio policy: the s-th access is the s-th smallest of the points frac(j/φ), j = 1..K. The block of page i
 * is counts[i] consecutive j after the blocks of the pages before it. Any block of points is spread almost evenly
 * (distances take three values).
 *
 * For a Fibonacci number K = F_k the order is that of j·F_{k−1} mod F_k. There j = F_k comes first when k is odd and
 * last when it is even: exact integers, O(K). Other lengths are sorted in buckets, O(K).
 *
 * Sources: A. Itai and Z. Rosberg, A golden ratio control policy for a multiple-access channel, IEEE Trans. Automatic
 * Control 29 (1984); Coffman, Liu & Weber (1997), section 5. With F_1 = F_2 = 1. The papers let j start from 0, their
 * example from 1: the same cycle, rotated. The papers' bound of 1.05 on cost over bound ((1.34); Corollary 5.1) is
 * false: see docs/errata.md.
 */

import type { Budget } from '../../budget.ts';

/** F_k for k = 1, 2, …: 1, 1, 2, 3, 5, …; exact up to k = 78. */
export function fibonacci(k: number): number {
  let previous = 0;
  let current = 1;
  for (let i = 1; i < k; i++) [previous, current] = [current, previous + current];
  return current;
}

/** The smallest k with F_k ≥ least. */
export function fibonacciIndexFrom(least: number): number {
  let k = 1;
  while (fibonacci(k) < least) k++;
  return k;
}

/**
 * @param counts accesses of each page, summing to `cycle`
 * @returns the cycle, or null if the budget ran out
 */
export function goldenRatio(counts: Uint32Array, cycle: number, budget: Budget): Uint32Array | null {
  const sequence = new Uint32Array(cycle);
  const k = fibonacciIndexFrom(cycle);
  if (cycle > 2 && fibonacci(k) === cycle) {
    const step = fibonacci(k - 1);
    const odd = k % 2 === 1;
    let rank = 0;
    const whole = forEachPoint(counts, budget, (page, j) => {
      rank += step;
      if (rank >= cycle) rank -= cycle;
      // residues 1..K−1 fill the places after the point of j = K (k odd) or before it (k even)
      sequence[j === cycle ? (odd ? 0 : cycle - 1) : odd ? rank : rank - 1] = page;
    });
    return whole ? sequence : null;
  }
  const order = pointsInOrder(cycle, budget);
  if (order === null) return null;
  const owner = new Uint32Array(cycle);
  const whole = forEachPoint(counts, budget, (page, j) => {
    owner[j - 1] = page;
  });
  if (!whole) return null;
  for (let t = 0; t < cycle; t++) sequence[t] = owner[order[t]];
  return sequence;
}

/**
 * The j − 1 of the points frac(j/φ), j = 1..K, by increasing point; null if the budget ran out. Points lie at least
 * 0.38/K apart, so 29 bits tell them apart up to K = 1e7. Point and j fit together in the 53 bits of a number, and K
 * equal buckets hold three at most.
 */
function pointsInOrder(cycle: number, budget: Budget): Float64Array | null {
  const inverse = (Math.sqrt(5) - 1) / 2;
  const room = 2 ** 24;
  const stopped = (t: number): boolean => (t & 65_535) === 65_535 && budget.stopRequested();
  const starts = new Uint32Array(cycle + 1);
  for (let t = 0; t < cycle; t++) {
    if (stopped(t)) return null;
    starts[Math.floor((((t + 1) * inverse) % 1) * cycle) + 1]++;
  }
  for (let bucket = 0; bucket < cycle; bucket++) starts[bucket + 1] += starts[bucket];
  const keys = new Float64Array(cycle);
  for (let t = 0; t < cycle; t++) {
    if (stopped(t)) return null;
    const point = ((t + 1) * inverse) % 1;
    keys[starts[Math.floor(point * cycle)]++] = Math.floor(point * 2 ** 29) * room + t;
  }
  // sorted up to the order within a bucket: insertion sort
  for (let t = 1; t < cycle; t++) {
    if (stopped(t)) return null;
    const key = keys[t];
    let at = t;
    for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
  for (let t = 0; t < cycle; t++) keys[t] %= room;
  return keys;
}

/** Calls with every page and each j of its block, j = 1..K in order; false when the budget stopped it. */
function forEachPoint(counts: Uint32Array, budget: Budget, visit: (page: number, j: number) => void): boolean {
  let j = 0;
  for (let page = 0; page < counts.length; page++) {
    for (let m = 0; m < counts[page]; m++) {
      visit(page, ++j);
      if ((j & 65_535) === 0 && budget.stopRequested()) return false;
    }
  }
  return true;
}
