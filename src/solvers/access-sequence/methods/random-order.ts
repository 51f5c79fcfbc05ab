/**
 * Randomized accessing as a cycle: K independent draws from the frequencies, repeated for ever. The cost of the
 * repeated sample is computed exactly like that of any cycle. Its expectation over samples tends to the randomized
 * policy's cost as K grows. O(N + K log N) by inversion.
 */
import type { Poll } from '../../budget.ts';
import type { Random } from '../../numerics/random/random.ts';

/** @throws NothingToReturn when `poll` says so */
export function randomOrder(frequency: Float64Array, cycle: number, random: Random, poll: Poll): Uint32Array {
  let total = 0;
  const upTo = frequency.map((f) => {
    total += f;
    return total;
  });
  return new Uint32Array(cycle).map(() => {
    poll(1);
    const draw = random() * total;
    let low = 0;
    let high = upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] > draw) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}
