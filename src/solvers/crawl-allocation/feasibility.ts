/**
 * Whether any allocation exists, and if not, which constraints clash.
 *
 * With constraints on pages (m_i ≤ x_i ≤ M_i) and on hosts (Σ over the host ≤ C_h), Σ x_i takes exactly the values from
 * Σ m_i to Σ_h min(C_h, Σ M_i) + Σ_{hostless} M_i. That holds where Σ m_i ≤ C_h on every host. In a host others lie
 * within, what they take at most stands in the place of their pages' Σ M_i. O(N).
 */
import type { CrawlAllocationProblem } from './problem.ts';

export interface AllocationConflict {
  readonly detail: string;
  /** Which constraints clash with the number of crawls or with each other. */
  readonly limits: 'minCrawls' | 'maxCrawls' | 'host-minCrawls' | 'host-maxCrawls';
  /** Crawls asked to be given out (of the host, when one is named its limit). */
  readonly crawls: number;
  /** Fewest and most crawls the constraints allow; most null: no upper constraint. */
  readonly least: number;
  readonly most: number | null;
  /** The host that cannot hold its pages' minima, or the hosts whose constraints bind. */
  readonly hosts: readonly string[];
  /** Positions of pages with the constraints that clash, the largest first, at most 20. */
  readonly pages: readonly number[];
}

const shown = 20;

/** Null when some allocation meets every limit. */
export function findConflict(problem: CrawlAllocationProblem): AllocationConflict | null {
  const { crawls, minCrawls, maxCrawls, hosts } = problem;
  const count = minCrawls.length;
  const hostLeast = new Float64Array(hosts === null ? 0 : hosts.maxCrawls.length);
  const hostMost = new Float64Array(hostLeast.length);
  let least = 0;
  let most = 0;
  for (let i = 0; i < count; i++) {
    const upper = maxCrawls[i] < 0 ? Number.POSITIVE_INFINITY : maxCrawls[i];
    const host = hosts === null ? -1 : hosts.of[i];
    least += minCrawls[i];
    if (host < 0) most += upper;
    else {
      hostMost[host] += upper;
      hostLeast[host] += minCrawls[i];
    }
  }
  if (hosts !== null) {
    for (const [h, limit] of hosts.maxCrawls.entries()) {
      if (hostLeast[h] > limit) {
        return {
          detail: `host ${JSON.stringify(hosts.names[h])}: minCrawls of its pages come to ${hostLeast[h]}, above its maxCrawls of ${limit}`,
          limits: 'host-minCrawls',
          crawls: limit,
          least: hostLeast[h],
          most: limit,
          hosts: [hosts.names[h]],
          pages: largest(minCrawls, (i) => hosts.of[i] === h),
        };
      }
      most += Math.min(limit, hostMost[h]);
    }
  }
  const upper = Number.isFinite(most) ? most : null;
  if (least > crawls) {
    return {
      detail: `minCrawls of the pages come to ${least}, above the ${crawls} crawls to give out`,
      limits: 'minCrawls',
      crawls,
      least,
      most: upper,
      hosts: [],
      pages: largest(minCrawls, () => true),
    };
  }
  if (most < crawls) {
    const binding = hosts === null ? [] : hosts.names.filter((_, h) => hosts.maxCrawls[h] < hostMost[h]);
    return {
      detail:
        binding.length > 0
          ? `maxCrawls of pages and hosts allow at most ${most} crawls, fewer than the ${crawls} to give out; ${binding.length} hosts are limited by their own maxCrawls`
          : `maxCrawls of the pages come to ${most}, fewer than the ${crawls} crawls to give out`,
      limits: binding.length > 0 ? 'host-maxCrawls' : 'maxCrawls',
      crawls,
      least,
      most,
      hosts: binding.slice(0, shown),
      pages: largest(maxCrawls, () => true),
    };
  }
  return null;
}

/** Positions of the largest positive values among those wanted, ties to the lower position. */
function largest(values: Int32Array, wanted: (i: number) => boolean): number[] {
  const best: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] <= 0 || !wanted(i)) continue;
    if (best.length === shown && values[best[shown - 1]] >= values[i]) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[i]) at--;
    best.splice(at, 0, i);
    if (best.length > shown) best.pop();
  }
  return best;
}
