/**
 * Threshold vectors: −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2 to those up to j_2, …, the
 * modes ascending in activity. They cover every subset of modes once.
 */

/** How many threshold vectors there are: C(K+N, N−1); infinite when beyond exact integers. */
export function countThresholdVectors(capacity: number, modes: number): number {
  let count = 1;
  for (let i = 1; i < modes; i++) count = (count * (capacity + 1 + i)) / i;
  return count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : Math.round(count);
}

/** All non-decreasing integer vectors of a length, entries in from..to. */
export function* nonDecreasing(length: number, from: number, to: number): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= to; first++) {
    for (const rest of nonDecreasing(length - 1, first, to)) yield [first, ...rest];
  }
}
