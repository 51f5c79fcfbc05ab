/**
 * What to return when the solve is stopped before its certificate. It is the best of some simple counts as far as the
 * constraints allow, and how far from the optimum they can be.
 *
 * Model: for any price θ ≥ 0, weak duality bounds every allocation from below,
 *   Σ w_i·A_i(x_i) ≥ Σ_i min_{m_i ≤ x ≤ M_i} [w_i·A_i(x) + θx] − θR,
 * the minimum being at the exact count for θ since gains never increase. Host constraints can only raise the optimum.
 * θ is the middle gain of these counts. Some passes over the pages, not stopped again.
 */
import { apportion } from '../baselines.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import type { CrawlAllocationProblem } from '../problem.ts';
import { exactCount } from './price-count.ts';

/** Pages by which the shares are chosen, at most. */
const largestSample = 20_000;

/**
 * Feasible counts of least cost: in equal shares, in proportion to the update rates, or to the square roots of rate
 * times weight. For very many pages every k-th page tells which.
 */
export function simpleCounts(pages: Pages, problem: CrawlAllocationProblem, rates: Float64Array): Int32Array {
  const { crawls, hosts, weight } = problem;
  const { minimum, maximum } = pages;
  const shares = [rates.map(() => 1), rates, rates.map((rate, i) => Math.sqrt(rate * weight[i]))];
  const stride = Math.ceil(rates.length / largestSample);
  const all = (share: Float64Array): Int32Array => apportion(share, crawls, minimum, maximum, hosts);
  const some = <T extends Float64Array | Int32Array>(list: T) => list.filter((_, i) => i % stride === 0);
  const [least, most] = [Int32Array.from(some(minimum)), Int32Array.from(some(maximum))];
  const sum = (list: Int32Array): number => list.reduce((total, x) => total + x, 0);
  const part = Math.round(Math.max(sum(least), Math.min(sum(most), crawls / stride)));
  let best = { share: shares[0], cost: Number.POSITIVE_INFINITY };
  for (const share of shares) {
    const counts = stride === 1 ? all(share) : apportion(Float64Array.from(some(share)), part, least, most, null);
    const cost = counts.reduce((total, x, k) => total + weight[k * stride] * meanCost(pages, k * stride, x), 0);
    if (cost < best.cost) best = { share, cost };
  }
  return all(best.share);
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
