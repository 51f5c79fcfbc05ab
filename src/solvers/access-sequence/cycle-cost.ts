/**
 * The exact cost of repeating one cycle of accesses for ever.
 *
 *   r_i = 1 − Σ_m (1 − e^(−d_m L_i))/(K·E X·μ_i),  C = Σ c_i r_i
 *
 * K is the cycle's length, d_m the distances between consecutive accesses of page i around the cycle (Σ d_m = K). A
 * page that does not occur is always stale, r_i = 1. Computed in positive terms: r_i = floor_i + (1 − floor_i)·Σ_m (d_m
 * L_i − 1 + e^(−d_m L_i))/(K L_i). O(K + N). Source: Coffman, Liu & Weber (1997), (3) and Lemma 3.1.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import { staleChanges } from '../pages/objectives/index.ts';

export interface CycleCost {
  /** Σ c_i r_i. */
  readonly cost: number;
  /** r_i. */
  readonly staleness: Float64Array;
  readonly counts: Uint32Array;
}

/** @param sequence page positions in 0..N−1, at least one */
export function cycleCost(pages: AccessPages, sequence: Uint32Array): CycleCost {
  const { length, load, floor, weight } = pages;
  const cycle = sequence.length;
  const first = new Int32Array(length).fill(-1);
  const last = new Int32Array(length);
  const counts = new Uint32Array(length);
  const stale = new Float64Array(length);
  for (let t = 0; t < cycle; t++) {
    const page = sequence[t];
    if (first[page] < 0) first[page] = t;
    else stale[page] += staleChanges((t - last[page]) * load[page]);
    last[page] = t;
    counts[page]++;
  }
  let cost = 0;
  for (let i = 0; i < length; i++) {
    if (first[i] < 0) stale[i] = 1;
    else {
      stale[i] += staleChanges((first[i] + cycle - last[i]) * load[i]);
      stale[i] = floor[i] + (1 - floor[i]) * (stale[i] / cycle / load[i]);
    }
    cost += weight[i] * stale[i];
  }
  return { cost, staleness: stale, counts };
}
