/**
 * What to return when the solve is stopped before its certificate: equal counts as far as the constraints allow, and
 * how far from the optimum they can be.
 *
 * Model: for any price θ ≥ 0, weak duality bounds every allocation from below,
 *   Σ w_i·A_i(x_i) ≥ Σ_i min_{m_i ≤ x ≤ M_i} [w_i·A_i(x) + θx] − θR,
 * the minimum being at the exact count for θ since gains never increase; host constraints can only raise the optimum. θ
 * is the middle gain of the equal counts. One pass over the pages, not stopped again.
 */
import { apportion } from '../baselines.ts';
import type { HostConstraints } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { exactCount } from './price-count.ts';

/** Feasible counts, as equal as the constraints allow. */
export function equalCounts(pages: Pages, total: number, hosts: HostConstraints | null): Int32Array {
  const share = new Float64Array(pages.count).fill(1);
  return apportion(share, total, pages.minimum, pages.maximum, hosts);
}

/** A lower bound on every feasible allocation of `total` crawls; at least 0. */
export function dualBound(pages: Pages, weight: Float64Array, total: number, counts: Int32Array): number {
  const price = middleGain(pages, counts);
  let sum = 0;
  for (let i = 0; i < pages.count; i++) {
    const x = exactCount(pages, i, price, counts[i]);
    sum += weight[i] * meanCost(pages, i, x) + price * x;
  }
  // one part in 10¹² for the rounding of the sum
  return Math.max(0, sum - price * total - 1e-12 * sum);
}

function middleGain(pages: Pages, counts: Int32Array): number {
  const length = Math.min(pages.count, 1024);
  const stride = pages.count / length;
  const gains = new Float64Array(length);
  for (let k = 0; k < length; k++) {
    const i = Math.floor(k * stride);
    gains[k] = gainOfNext(pages, i, Math.max(0, counts[i] - 1));
  }
  return gains.sort()[length >> 1];
}
