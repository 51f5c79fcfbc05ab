/**
 * The golden ratio policy: the s-th access is the s-th smallest of the points frac(j/φ), j = 1..K. The block of page i
 * is counts[i] consecutive j after the blocks of the pages before it. Any block of points is spread almost evenly
 * (distances take three values).
 *
 * For a Fibonacci number K = F_k the order is that of j·F_{k−1} mod F_k. There j = F_k comes first when k is odd and
 * last when it is even: exact integers, O(K). Other lengths are sorted, O(K log K).
 *
 * Sources: A. Itai and Z. Rosberg, A golden ratio control policy for a multiple-access channel, IEEE Trans. Automatic
 * Control 29 (1984); Coffman, Liu & Weber (1997), section 5. With F_1 = F_2 = 1. The papers let j start from 0, their
 * example from 1: the same cycle, rotated. The papers' bound of 1.05 on cost over bound ((1.34); Corollary 5.1) is
 * false: see docs/errata.md.
 */
import type { Poll } from '../../budget.ts';

/** Elementary steps of a point: its place in memory is far from the one before. */
const stepsPerPoint = 40;
/** Points that are sorted at once. */
const pointsPerPart = 2 ** 16;

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
 * The cycle.
 *
 * @param counts accesses of each page, summing to `cycle`
 * @throws NothingToReturn when `poll` says so
 */
export function goldenRatio(counts: Uint32Array, cycle: number, poll: Poll): Uint32Array {
  const owner = new Uint32Array(cycle);
  let next = 0;
  for (const [page, count] of counts.entries()) {
    owner.fill(page, next, next + count);
    next += count;
  }
  const k = fibonacciIndexFrom(cycle);
  if (!(cycle > 2 && fibonacci(k) === cycle)) return pointsInOrder(cycle, poll).map((j) => owner[j]);
  const sequence = new Uint32Array(cycle);
  const step = fibonacci(k - 1);
  const odd = k % 2 === 1;
  for (let j = 1, rank = step; j < cycle; j++, rank = (rank + step) % cycle) {
    poll(stepsPerPoint);
    // residues 1..K−1 fill the places after the point of j = K (k odd) or before it (k even)
    sequence[odd ? rank : rank - 1] = owner[j - 1];
  }
  sequence[odd ? 0 : cycle - 1] = owner[cycle - 1];
  return sequence;
}

/**
 * The j − 1 of the points frac(j/φ), j = 1..K, by increasing point. Points lie at least 0.38/K apart, so 29 bits tell
 * them apart up to K = 1e7. Point and j fit together in the 53 bits of a number.
 */
function pointsInOrder(cycle: number, poll: Poll): Uint32Array {
  const inverse = (Math.sqrt(5) - 1) / 2;
  const room = 2 ** 24;
  const parts = Array.from({ length: Math.ceil(cycle / pointsPerPart) }, (): number[] => []);
  for (let t = 0; t < cycle; t++) {
    poll(stepsPerPoint);
    const point = ((t + 1) * inverse) % 1;
    parts[Math.floor(point * parts.length)].push(Math.floor(point * 2 ** 29) * room + t);
  }
  const order = new Uint32Array(cycle);
  let positions = 0;
  for (const part of parts) {
    poll(stepsPerPoint * part.length);
    for (const key of Float64Array.from(part).sort()) order[positions++] = key % room;
  }
  return order;
}
