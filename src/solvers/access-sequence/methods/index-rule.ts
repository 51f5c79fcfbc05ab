/**
 * The index rule: every access goes to the page of the largest index, which rises with the gap since its last access. It
 * needs no counts, and has those that it makes.
 *
 * Played for a while it nearly repeats itself: each end of the play is a cycle. O(N) an access. Source: P. Whittle 1988;
 * Azar et al. 2018.
 */
import type { Poll } from '../../budget.ts';

/** @throws NothingToReturn when `poll` says so */
export function playIndexRule(
  pages: number,
  accesses: number,
  indexOf: (page: number, gap: number) => number,
  poll: Poll,
): Uint32Array {
  const last = new Float64Array(pages).fill(-1);
  return new Uint32Array(accesses).map((_, t) => {
    poll(pages);
    let [page, highestIndex] = [0, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < pages; i++) {
      const index = indexOf(i, t - last[i]);
      if (index > highestIndex) [page, highestIndex] = [i, index];
    }
    last[page] = t;
    return page;
  });
}
