/**
 * Largest index first: at every step the page whose access is worth most, a_i·(1 − (1 + s)e^(−s)) with s = age × load, among those that have
 * accesses left in the cycle. The index is the marginal value of frequency at even spacing (access-frequencies/even-spacing.ts), so at the
 * optimal frequencies all pages are due at the same index.
 *
 * Two passes: the second starts from the ages the first one left. O(K·N): e^(−s) and s are carried along, a step costs about
 * two nanoseconds a page.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import type { Budget } from '../budget.ts';

const PASSES = 2;

/**
 * @param counts accesses of each page, summing to `cycle`
 * @returns the cycle, or null if the budget ran out before the first pass was complete
 */
export function largestIndex(
  pages: AccessPages,
  counts: Uint32Array,
  cycle: number,
  budget: Budget,
): Uint32Array | null {
  const present: number[] = [];
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0) present.push(i);
  const n = present.length;
  const gain = Float64Array.from(present, (i) => pages.gain[i]);
  const load = Float64Array.from(present, (i) => pages.load[i]);
  const decay = load.map((value) => Math.exp(-value));
  // staggered ages to start with
  const age = Float64Array.from(present, (i, k) => load[k] * (cycle / counts[i]) * ((k * 0.6180339887498949) % 1));
  const unchanged = age.map((value) => Math.exp(-value));
  const left = new Uint32Array(n);
  let best: Uint32Array | null = null;
  for (let pass = 0; pass < PASSES; pass++) {
    const sequence = new Uint32Array(cycle);
    for (let k = 0; k < n; k++) left[k] = counts[present[k]];
    for (let t = 0; t < cycle; t++) {
      if ((t & 255) === 0 && budget.stopRequested()) return best;
      let chosen = -1;
      let highest = -1;
      for (let k = 0; k < n; k++) {
        age[k] += load[k];
        unchanged[k] *= decay[k];
        const s = age[k];
        // the series where the difference would cancel
        const share = s < 1e-3 ? s * s * (1 / 2 - s * (1 / 3 - s / 8)) : 1 - (1 + s) * unchanged[k];
        const index = gain[k] * share;
        if (index > highest && left[k] > 0) {
          highest = index;
          chosen = k;
        }
      }
      if (chosen < 0) chosen = left.findIndex((value) => value > 0);
      sequence[t] = present[chosen];
      left[chosen]--;
      age[chosen] = 0;
      unchanged[chosen] = 1;
    }
    best = sequence;
  }
  return best;
}
