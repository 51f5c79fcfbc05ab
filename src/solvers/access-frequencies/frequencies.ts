/** What every search for frequencies answers, and the answer where nothing is to be searched for. */

export interface Frequencies {
  /** x_i ≥ m, summing to 1. */
  readonly frequency: Float64Array;
  /** λ: cost saved by the next unit of frequency. */
  readonly multiplier: number;
  /** Sweeps over the pages. */
  readonly sweeps: number;
  /** What no frequencies can beat, where the budget ended the search and these are not the optimal ones; else null. */
  readonly stoppedAt: number | null;
}

/**
 * m·N = 1, or nothing is worth anything: the least frequency everywhere and the rest in proportion to a share of each
 * page.
 *
 * @param share of each page, positive: its load L, or G where accesses are drawn by chance
 */
export function withoutChoice(share: Float64Array, least: number): Frequencies {
  const total = share.reduce((a, b) => a + b, 0);
  const rest = Math.max(0, 1 - least * share.length);
  const frequency = share.map((value) => (rest === 0 ? 1 / share.length : least + (rest * value) / total));
  return { frequency, multiplier: 0, sweeps: 1, stoppedAt: null };
}
