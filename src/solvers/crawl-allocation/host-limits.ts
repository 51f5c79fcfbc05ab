/**
 * Allocation when hosts limit the sum of crawls of their pages: exact, by nested multipliers.
 *
 * Model: as allocate.ts, and Σ_{i on h} x_i ≤ C_h for disjoint sets of pages. The limits form a laminar family, so taking gains
 * from the largest down, skipping what a limit forbids, is optimal (greedy on a polymatroid); and what it takes on a host that
 * becomes full is what the host alone would take with its C_h crawls.
 * Method: allocate without the hosts; give every host that comes out above its limit its own allocation of C_h crawls, cap its
 * pages at those counts, allocate again, until no host is above. A host is solved once; freed crawls lower the price, so
 * hosts once full stay full. After three rounds all limited hosts are solved, so no more than four allocations are made.
 * Complexity: that of allocate.ts for every round, plus the pages of the full hosts. The certificate (certificate.ts) covers
 * hosts one by one. Source: Federgruen & Groenevelt (1986) for greedy over polymatroids; the model calls it nested multipliers.
 */
import type { Budget } from '../budget.ts';
import { allocate } from './allocate.ts';
import { type HostLimits, hostCounts } from './certificate.ts';
import type { Pages } from './pages.ts';

/** The optimal counts under page and host limits, which must be feasible. */
export function allocateWithinHosts(
  pages: Pages,
  hosts: HostLimits,
  total: number,
  budget: Budget,
  useTables: boolean,
): Int32Array {
  const maximum = pages.maximum.slice();
  const capped: Pages = { ...pages, maximum };
  const members = pagesByHost(hosts);
  const solved = new Uint8Array(hosts.limits.length);
  // a host whose pages' own maxima fit its limit never needs solving
  const possible = hostCounts(hosts, maximum);
  for (let h = 0; h < solved.length; h++) if (possible[h] <= hosts.limits[h]) solved[h] = 1;
  // without its limits the problem may have more room than crawls, but never less
  for (let round = 0; ; round++) {
    const crawls = allocate(capped, total, budget, useTables);
    const counts = hostCounts(hosts, crawls);
    let above = 0;
    for (let h = 0; h < solved.length; h++) if (counts[h] > hosts.limits[h]) above++;
    if (above === 0) return crawls;
    for (let h = 0; h < solved.length; h++) {
      if (solved[h] === 1 || (round < 3 && counts[h] <= hosts.limits[h])) continue;
      solved[h] = 1;
      const mine = members.pages.subarray(members.offsets[h], members.offsets[h + 1]);
      const alone = allocate(selectPages(pages, mine), hosts.limits[h], budget, useTables);
      for (let at = 0; at < mine.length; at++) maximum[mine[at]] = alone[at];
    }
  }
}

interface Members {
  readonly offsets: Int32Array;
  readonly pages: Int32Array;
}

/** The pages of each host, in order. */
export function pagesByHost({ of, limits }: HostLimits): Members {
  const offsets = new Int32Array(limits.length + 1);
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) offsets[of[i] + 1]++;
  for (let h = 0; h < limits.length; h++) offsets[h + 1] += offsets[h];
  const next = offsets.slice();
  const pages = new Int32Array(offsets[limits.length]);
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
  return { count, process, length, worth, alpha, slot, age, minimum, maximum, laws: pages.laws, table: pages.table };
}
