/**
 * Whether any allocation exists, and if not, which constraints clash.
 *
 * With constraints on pages (m_i ≤ x_i ≤ M_i) and on hosts (Σ over the host ≤ C_h), Σ x_i takes exactly the values from
 * Σ m_i to Σ_h min(C_h, Σ M_i) + Σ_{hostless} M_i. That holds where Σ m_i ≤ C_h on every host. O(N).
 */
import type { CrawlAllocationProblem } from './problem.ts';

export interface AllocationConflict {
  readonly detail: string;
  /** Which constraints clash with the number of crawls or with each other. */
  readonly limits: 'minCrawls' | 'maxCrawls' | 'host-minCrawls' | 'host-maxCrawls';
  /** Crawls to give out; where a host is named, its limit. */
  readonly crawls: number;
  /** Fewest and most crawls the constraints allow; most null: no upper constraint. */
  readonly least: number;
  readonly most: number | null;
  /** The host that cannot hold its pages' minima, or the hosts whose constraints bind. */
  readonly hosts: readonly string[];
  /** Positions of pages with the constraints that clash, the largest first, at most 20. */
  readonly pages: readonly number[];
}

/** Pages or hosts that a conflict lists at most. */
const maxShown = 20;

/** A conflict among the limits; null when some allocation meets them all. */
export function findConflict(problem: CrawlAllocationProblem): AllocationConflict | null {
  const { crawls, minCrawls, maxCrawls, hosts } = problem;
  const count = minCrawls.length;
  const hostMinimum = new Float64Array(hosts === null ? 0 : hosts.maxCrawls.length);
  const hostMaximum = new Float64Array(hostMinimum.length);
  let minimum = 0;
  let maximum = 0;
  for (let i = 0; i < count; i++) {
    const upper = maxCrawls[i] < 0 ? Number.POSITIVE_INFINITY : maxCrawls[i];
    const host = hosts === null ? -1 : hosts.of[i];
    minimum += minCrawls[i];
    if (host < 0) maximum += upper;
    else {
      hostMaximum[host] += upper;
      hostMinimum[host] += minCrawls[i];
    }
  }
  if (hosts !== null) {
    for (const [h, limit] of hosts.maxCrawls.entries()) {
      if (hostMinimum[h] > limit) {
        return {
          detail: `host ${JSON.stringify(hosts.names[h])}: minCrawls of its pages come to ${hostMinimum[h]}, above its maxCrawls of ${limit}`,
          limits: 'host-minCrawls',
          crawls: limit,
          least: hostMinimum[h],
          most: limit,
          hosts: [hosts.names[h]],
          pages: largestOf(minCrawls, (i) => hosts.of[i] === h),
        };
      }
      maximum += Math.min(limit, hostMaximum[h]);
    }
  }
  const upper = Number.isFinite(maximum) ? maximum : null;
  if (minimum > crawls) {
    return {
      detail: `minCrawls of the pages come to ${minimum}, above the ${crawls} crawls to give out`,
      limits: 'minCrawls',
      crawls,
      least: minimum,
      most: upper,
      hosts: [],
      pages: largestOf(minCrawls, () => true),
    };
  }
  if (maximum < crawls) {
    const fullHosts = hosts === null ? [] : hosts.names.filter((_, h) => hosts.maxCrawls[h] < hostMaximum[h]);
    return {
      detail:
        fullHosts.length > 0
          ? `maxCrawls of pages and hosts allow at most ${maximum} crawls, fewer than the ${crawls} to give out; ${fullHosts.length} hosts are limited by their own maxCrawls`
          : `maxCrawls of the pages come to ${maximum}, fewer than the ${crawls} crawls to give out`,
      limits: fullHosts.length > 0 ? 'host-maxCrawls' : 'maxCrawls',
      crawls,
      least: minimum,
      most: maximum,
      hosts: fullHosts.slice(0, maxShown),
      pages: largestOf(maxCrawls, () => true),
    };
  }
  return null;
}

/** Positions of the largest positive values among the candidates, ties to the lower position. */
function largestOf(values: Int32Array, isCandidate: (i: number) => boolean): number[] {
  const best: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] <= 0 || !isCandidate(i)) continue;
    if (best.length === maxShown && values[best[maxShown - 1]] >= values[i]) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[i]) at--;
    best.splice(at, 0, i);
    if (best.length > maxShown) best.pop();
  }
  return best;
}
