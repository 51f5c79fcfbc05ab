/**
 * The proof that an allocation is optimal, from exact gains alone.
 *
 * Gains of a page never increase. So counts x with Σ x = R are optimal if and only if no crawl gains by moving: max {
 * gain(x_i) : x_i < M_i } ≤ min { gain(x_i − 1) : x_i > m_i }. With host constraints a crawl may move into a host that
 * is full only from the same host. The maximum over all pages then leaves out pages of full hosts, and every full host
 * has a maximum and a minimum of its own. The proof shares nothing with the search but the gains (page-gain.ts). O(N):
 * two gains and a mean cost a page.
 */

import { type Budget, NothingToReturn } from '../budget.ts';
import { RunningSum } from '../numerics/linear/running-sum.ts';
import { gainOfNext, meanCost, type ScaledPages } from './gains/page-gain.ts';
import type { PageHosts } from './problem.ts';

/** The proof that counts are optimal: no next gain is above a last gain. NaN where no crawl can be added or taken. */
export interface Certificate {
  readonly maxNextGain: number;
  readonly minLastGain: number;
}

export interface Evaluation {
  /** A_i(x_i): the staleness, or the mean cost by another objective. */
  readonly cost: Float64Array;
  /** Σ w_i·A_i(x_i). */
  readonly value: number;
  readonly certificate: Certificate;
  /** The certificate of each host; null without hosts. */
  readonly hosts: readonly Certificate[] | null;
}

/** Hosts whose pages together take at most `maxCrawls[h]` crawls: `of[i]` is the host of page i or −1. */
export type HostConstraints = Omit<PageHosts, 'names'>;

/** Relative difference of two gains that is put down to rounding. */
const rounding = 1e-13;

/** Number of crawls, by host. */
export function countHostCrawls({ of, maxCrawls }: HostConstraints, crawls: Int32Array): Float64Array {
  const counts = new Float64Array(maxCrawls.length);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) counts[of[i]] += crawls[i];
  return counts;
}

/**
 * Mean costs, their weighted sum and certificate of any feasible counts.
 *
 * @param weight w_i
 */
export function evaluateCounts(
  pages: ScaledPages,
  weight: Float64Array,
  hosts: HostConstraints | null,
  crawls: Int32Array,
  budget: Budget,
): Evaluation {
  const cost = new Float64Array(pages.count);
  const counts = hosts === null ? null : countHostCrawls(hosts, crawls);
  const hostNext = new Float64Array(counts === null ? 0 : counts.length).fill(Number.NEGATIVE_INFINITY);
  const hostLast = new Float64Array(hostNext.length).fill(Number.POSITIVE_INFINITY);
  let maxNext = Number.NEGATIVE_INFINITY;
  let minLast = Number.POSITIVE_INFINITY;
  const sum = new RunningSum();
  for (let i = 0; i < pages.count; i++) {
    if (i % 8192 === 0) {
      if (budget.stopRequested()) throw new NothingToReturn('the certificate was not complete');
      budget.report({ fraction: 0.7 + (0.3 * i) / pages.count });
    }
    const x = crawls[i];
    const canAdd = x < pages.maximum[i];
    const canTake = x > pages.minimum[i];
    cost[i] = meanCost(pages, i, x);
    sum.add(weight[i] * cost[i]);
    const host = hosts === null ? -1 : hosts.of[i];
    if (canAdd) {
      const gain = gainOfNext(pages, i, x);
      let isFull = false;
      if (counts !== null && hosts !== null && host >= 0) {
        if (gain > hostNext[host]) hostNext[host] = gain;
        isFull = counts[host] >= hosts.maxCrawls[host];
      }
      if (!isFull && gain > maxNext) maxNext = gain;
    }
    if (canTake) {
      const gain = gainOfNext(pages, i, x - 1);
      if (gain < minLast) minLast = gain;
      if (host >= 0 && gain < hostLast[host]) hostLast[host] = gain;
    }
  }
  return {
    cost,
    value: sum.total(),
    certificate: certificate(maxNext, minLast),
    hosts: hosts === null ? null : Array.from(hostNext, (gain, h) => certificate(gain, hostLast[h])),
  };
}

/** The certificate of two extreme gains. Gains that differ by rounding only are reported as equal. */
function certificate(maxNext: number, minLast: number): Certificate {
  const tie = maxNext > minLast && maxNext <= minLast * (1 + rounding);
  return {
    maxNextGain: maxNext === Number.NEGATIVE_INFINITY ? Number.NaN : tie ? minLast : maxNext,
    minLastGain: minLast === Number.POSITIVE_INFINITY ? Number.NaN : minLast,
  };
}
