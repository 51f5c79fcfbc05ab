/**
 * Randomized accessing as a cycle: K independent draws from the frequencies, repeated for ever. The cost of the cycle
 * is exact, as for any cycle; its expectation over samples tends to the cost of the randomized policy as K grows. O(N +
 * K log N) by inversion.
 */
import type { Poll } from '../../budget.ts';
import type { Random } from '../../numerics/random/random.ts';

/** The page of each access in the cycle. @throws NothingToReturn from `poll`, when the budget ends */
export function randomOrder(frequency: Float64Array, cycle: number, random: Random, poll: Poll): Uint32Array {
  let total = 0;
  const cumulative = frequency.map((f) => {
    total += f;
    return total;
  });
  return new Uint32Array(cycle).map(() => {
    poll(1);
    const draw = random() * total;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] > draw) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}
