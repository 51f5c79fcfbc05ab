/**
 * The index rule: every access goes to the page of the largest index, which rises with the gap since its last access.
 * The counts of pages follow from the rule.
 *
 * After some time the sequence of pages nearly repeats itself, so that its last accesses, of any number, make a cycle.
 * O(N) an access. Source: P. Whittle 1988; Azar et al. 2018.
 */
import type { Poll } from '../../budget.ts';

/** The page of each access by the index rule. @throws NothingToReturn from `poll`, when the budget ends */
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
