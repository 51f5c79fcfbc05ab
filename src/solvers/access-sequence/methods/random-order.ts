/**
 * Randomized accessing as a cycle: K independent draws from the frequencies, repeated for ever. The cost of the
 * repeated sample is computed exactly like that of any cycle. Its expectation over samples tends to the randomized
 * policy's cost as K grows. O(N + K) by the alias method (M. D. Vose, IEEE Trans. Software Engineering 17, 1991).
 */
import type { Budget } from '../../budget.ts';
import type { Random } from '../../numerics/random/random.ts';

/** @returns the cycle, or null if the budget ran out */
export function randomOrder(
  frequency: Float64Array,
  cycle: number,
  random: Random,
  budget: Budget,
): Uint32Array | null {
  const n = frequency.length;
  const threshold = new Float64Array(n);
  const alias = new Uint32Array(n);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < n; i++) {
    threshold[i] = frequency[i] * n;
    (threshold[i] < 1 ? small : large).push(i);
  }
  while (small.length > 0 && large.length > 0) {
    const less = small.pop() ?? 0;
    const more = large[large.length - 1];
    alias[less] = more;
    threshold[more] -= 1 - threshold[less];
    if (threshold[more] < 1) {
      large.pop();
      small.push(more);
    }
  }
  for (const i of large) threshold[i] = 1;
  // left over by rounding; pages of frequency 0 must never be drawn
  for (const i of small) if (frequency[i] > 0) threshold[i] = 1;
  const sequence = new Uint32Array(cycle);
  for (let t = 0; t < cycle; t++) {
    if ((t & 65_535) === 65_535 && budget.stopRequested()) return null;
    const scaled = random() * n;
    const i = Math.floor(scaled);
    sequence[t] = scaled - i < threshold[i] ? i : alias[i];
  }
  return sequence;
}
