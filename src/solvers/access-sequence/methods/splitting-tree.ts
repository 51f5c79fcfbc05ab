/**
 * The splitting tree divides the stream of accesses in two, again and again, until every branch is one page. Each
 * division is by a regular (most evenly spread) binary sequence.
 *
 * The tree is Huffman's over the counts (the two rarest branches are joined first), so that frequent pages are few
 * splits from the root. Equal counts split alternately, and frequencies 2^(−k) come out perfectly even. At a node of n
 * accesses, n₁ of them to the left, the t-th goes left when ⌊(t + 1)n₁/n⌋ > ⌊t·n₁/n⌋, kept as a running remainder.
 * O(K·depth), depth at most log2(K) on average.
 *
 * Sources: B. Hajek, Extremal splittings of point processes, Math. Oper. Res. 10 (1985); Y. Arian and Y. Levy,
 * Algorithms for generalized round robin routing, Oper. Res. Letters 12 (1992).
 */

import type { Poll } from '../../budget.ts';

/**
 * The page of each access in the cycle.
 *
 * @param counts accesses of each page, summing to `cycle`
 * @throws NothingToReturn from `poll`, when the budget ends
 */
export function splittingTree(counts: Uint32Array, cycle: number, poll: Poll): Uint32Array {
  const leaves = leavesByCount(counts);
  const n = leaves.length;
  // nodes 0..n−1 are leaves, then joins in order of creation; the last one is the root
  const size = new Float64Array(2 * n - 1);
  const left = new Int32Array(2 * n - 1).fill(-1);
  const right = new Int32Array(2 * n - 1).fill(-1);
  for (let k = 0; k < n; k++) size[k] = counts[leaves[k]];
  let leaf = 0;
  let join = n;
  for (let node = n; node < 2 * n - 1; node++) {
    const smallest = (): number => (leaf < n && (join >= node || size[leaf] <= size[join]) ? leaf++ : join++);
    left[node] = smallest();
    right[node] = smallest();
    size[node] = size[left[node]] + size[right[node]];
  }
  const remainder = size.slice();
  for (let node = 0; node < remainder.length; node++) remainder[node] = Math.floor(remainder[node] / 2);
  const sequence = new Uint32Array(cycle);
  for (let t = 0; t < cycle; t++) {
    poll(1);
    let node = 2 * n - 2;
    while (node >= n) {
      remainder[node] += size[left[node]];
      if (remainder[node] >= size[node]) {
        remainder[node] -= size[node];
        node = left[node];
      } else node = right[node];
    }
    sequence[t] = leaves[node];
  }
  return sequence;
}

/** The pages with a positive count, by increasing count. */
function leavesByCount(counts: Uint32Array): Uint32Array {
  const leaves: number[] = [];
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0) leaves.push(i);
  return Uint32Array.from(leaves).sort((i, j) => counts[i] - counts[j] || i - j);
}
