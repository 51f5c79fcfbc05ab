/**
 * Whole counts in given shares under the limits of pages and hosts: for crawls that save nothing, and for the plain
 * allocations (equal counts, or in proportion to update rates) that an answer is compared with.
 *
 * Model: quotas clamp(c·r_i, m_i, M_i) that sum to R, with one c for all pages but those of a host at its limit, which
 * has one of its own (water-filling): a market at whose price p page i takes clamp(r_i/p, m_i, M_i). Counts: quotas
 * rounded down, the crawls left over to the largest remainders that limits allow, ties to the lower position. They meet
 * every limit, so none can beat the optimum. Complexity: O(N) a price, and a sort. Source: Wolf et al. (2002), section 5;
 * Cho & Garcia-Molina (2000).
 */
import type { Budget } from '../budget.ts';
import { clearSupply } from '../market/index.ts';
import { countHostCrawls, type HostConstraints } from './evaluate-counts.ts';

export interface Shares {
  /** r_i ≥ 0: the share of page i, in any unit. */
  readonly share: Float64Array;
  /** R: the number of crawls, which the limits must be known to allow. */
  readonly total: number;
  readonly minimum: Int32Array;
  readonly maximum: Int32Array;
  readonly hosts: HostConstraints | null;
}

/** Share of a page that has none, relative to the mean share, so that it comes last rather than never. */
const minShare = 1e-9;
/** A quota this much below a whole number counts as that number. */
const rounding = 1e-9;

/**
 * Whole counts in proportion to shares, within limits.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function apportion(shares: Shares, budget: Budget): Int32Array {
  const { share, total, minimum, maximum, hosts } = shares;
  const totalShare = share.reduce((sum, each) => sum + each, 0);
  const lowestShare = totalShare > 0 ? (minShare * totalShare) / share.length : 1;
  const demand = {
    pages: share.length,
    fetchesAt: (i: number, price: number) =>
      Math.max(minimum[i], Math.min(maximum[i], Math.max(share[i], lowestShare) / price)),
    costOf: () => 0,
  };
  const limits = hosts && { of: hosts.of, limit: hosts.maxCrawls };
  const start = Math.max(totalShare, lowestShare * share.length) / total;
  return roundQuotas(clearSupply({ demand, hosts: limits, start, budget }, total).fetches, shares);
}

/** Rounds quotas to whole counts by largest remainders, within the limits of pages and hosts. */
function roundQuotas(quota: Float64Array, { total, minimum, maximum, hosts }: Shares): Int32Array {
  const counts = Int32Array.from(quota, (each, i) => Math.min(maximum[i], Math.floor(each + rounding)));
  const hostCounts = hosts === null ? null : countHostCrawls(hosts, counts);
  let remaining = total - counts.reduce((sum, x) => sum + x, 0);
  for (let i = 0; i < counts.length && remaining < 0; i++) {
    if (counts[i] === minimum[i]) continue;
    counts[i]--;
    remaining++;
  }
  const remainder = quota.map((each, i) => Math.max(0, Math.round((each - counts[i]) / rounding)));
  const order = Uint32Array.from(quota.keys()).sort((a, b) => remainder[b] - remainder[a] || a - b);
  for (let previous = -1; remaining > 0 && remaining !== previous; ) {
    previous = remaining;
    for (let k = 0; k < order.length && remaining > 0; k++) {
      const i = order[k];
      const h = hosts?.of[i] ?? -1;
      if (counts[i] >= maximum[i] || (hostCounts !== null && h >= 0 && hostCounts[h] >= (hosts?.maxCrawls[h] ?? 0)))
        continue;
      counts[i]++;
      remaining--;
      if (hostCounts !== null && h >= 0) hostCounts[h]++;
    }
  }
  return counts;
}
