/**
 * Allocation when hosts limit the sum of crawls of their pages: exact, by nested multipliers.
 *
 * Model: as allocate.ts, and Σ_{i on h} x_i ≤ C_h for disjoint sets of pages. The constraints form a polymatroid, so taking gains from the largest down, skipping what a limit forbids, is optimal. And what it
 * takes on a host that becomes full is what the host alone would take with its C_h crawls. Method: allocate without the
 * hosts. Take the crawls that save least from every host that comes out above its limit, until C_h are left. (When that
 * is nearly all of them, allocate C_h crawls to its pages afresh.) Cap its pages at those counts and allocate again,
 * until no host is above. A host is solved once: its own best C_h crawls do not depend on the price. Capping one that
 * does not fill up in the end changes nothing. So every other round allocates more than R, to find the hosts that fill
 * up next together. After twelve rounds all limited hosts are solved, so no more than fourteen allocations are made;
 * two or three are usual. Complexity: that of allocate.ts for every round, plus the pages of the full hosts. The
 * certificate (certificate.ts) covers hosts one by one. Source: Federgruen & Groenevelt (1986) for greedy over
 * polymatroids; the model calls it nested multipliers.
 */
import type { Budget } from '../../budget.ts';
import { type HostConstraints, hostCounts } from '../certificate.ts';
import { gainOfNext } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { allocate } from './allocate.ts';

/** Rounds before every limited host is solved whether it is full or not. */
const patience = 12;

/** The optimal counts under page and host constraints, which must be feasible. */
export function allocateWithinHosts(pages: Pages, hosts: HostConstraints, total: number, budget: Budget): Int32Array {
  const maximum = pages.maximum.slice();
  const capped: Pages = { ...pages, maximum };
  const members = pagesByHost(hosts);
  const solved = new Uint8Array(hosts.maxCrawls.length);
  // a host whose pages' own maxima fit its limit never needs solving
  const possible = hostCounts(hosts, maximum);
  for (let h = 0; h < solved.length; h++) if (possible[h] <= hosts.maxCrawls[h]) solved[h] = 1;
  let ahead = 0;
  for (let round = 0; ; round++) {
    const crawls = allocate(capped, total + ahead, budget);
    const counts = hostCounts(hosts, crawls);
    let above = 0;
    for (let h = 0; h < solved.length; h++) above += Math.max(0, counts[h] - hosts.maxCrawls[h]);
    if (above === 0 && ahead === 0) return crawls;
    for (let h = 0; h < solved.length; h++) {
      if (solved[h] === 1 || (round < patience && counts[h] <= hosts.maxCrawls[h])) continue;
      solved[h] = 1;
      const mine = members.pages.subarray(members.offsets[h], members.offsets[h + 1]);
      const excess = counts[h] - hosts.maxCrawls[h];
      if (excess > 0 && excess <= 16 * mine.length) {
        takeLeast(pages, mine, crawls, excess);
        for (const i of mine) maximum[i] = crawls[i];
      } else if (mine.reduce((sum, i) => sum + maximum[i], 0) > hosts.maxCrawls[h]) {
        const alone = allocate(selectPages(capped, mine), hosts.maxCrawls[h], budget);
        for (let at = 0; at < mine.length; at++) {
          maximum[mine[at]] = alone[at];
          if (excess > 0) crawls[mine[at]] = alone[at];
        }
      }
    }
    // what these hosts could not take lowers the price for the rest: look ahead for those that fill up next
    ahead = ahead === 0 && round < patience ? Math.min(Math.ceil(above / 2), slack(maximum, total)) : 0;
  }
}

/** How many crawls more than `total` the maxima have room for. */
function slack(maximum: Int32Array, total: number): number {
  let sum = -total;
  for (const most of maximum) sum += most;
  return Math.max(0, sum);
}

/**
 * Takes `excess` crawls from some pages, always the one that saves least: what is left of an optimal allocation is
 * optimal for the smaller number. A heap by last gain; O(k + excess·log k). Pages can give that many.
 */
function takeLeast(pages: Pages, mine: Int32Array, crawls: Int32Array, excess: number): void {
  const gain = new Float64Array(mine.length);
  const at = Int32Array.from(mine, (_, k) => k);
  const last = (k: number): number => {
    const i = mine[k];
    return crawls[i] > pages.minimum[i] ? gainOfNext(pages, i, crawls[i] - 1) : Number.POSITIVE_INFINITY;
  };
  for (let k = 0; k < mine.length; k++) gain[k] = last(k);
  const sink = (from: number): void => {
    const moved = at[from];
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= at.length) break;
      if (child + 1 < at.length && gain[at[child + 1]] < gain[at[child]]) child++;
      if (gain[at[child]] >= gain[moved]) break;
      at[place] = at[child];
      place = child;
    }
    at[place] = moved;
  };
  for (let place = (at.length >> 1) - 1; place >= 0; place--) sink(place);
  for (let left = excess; left > 0; left--) {
    const k = at[0];
    crawls[mine[k]]--;
    gain[k] = last(k);
    sink(0);
  }
}

interface Members {
  readonly offsets: Int32Array;
  readonly pages: Int32Array;
}

/** The pages of each host, in order. */
export function pagesByHost({ of, maxCrawls }: HostConstraints): Members {
  const hosts = maxCrawls.length;
  const offsets = new Int32Array(hosts + 1);
  for (const h of of) if (h >= 0) offsets[h + 1]++;
  for (let h = 0; h < hosts; h++) offsets[h + 1] += offsets[h];
  const next = offsets.slice();
  const pages = new Int32Array(offsets[hosts]);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) pages[next[of[i]]++] = i;
  return { offsets, pages };
}

/** Some pages as a problem of their own; laws and gain table are shared. */
function selectPages(pages: Pages, chosen: Int32Array): Pages {
  const count = chosen.length;
  const process = new Uint8Array(count);
  const length = new Float64Array(count);
  const worth = new Float64Array(count);
  const alpha = new Float64Array(count);
  const slot = new Int32Array(count);
  const age = pages.age === null ? null : new Float64Array(count);
  const minimum = new Int32Array(count);
  const maximum = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    const i = chosen[at];
    process[at] = pages.process[i];
    length[at] = pages.length[i];
    worth[at] = pages.worth[i];
    alpha[at] = pages.alpha[i];
    slot[at] = pages.slot[i];
    minimum[at] = pages.minimum[i];
    maximum[at] = pages.maximum[i];
    if (age !== null && pages.age !== null) age[at] = pages.age[i];
  }
  return { ...pages, count, process, length, worth, alpha, slot, age, minimum, maximum };
}
