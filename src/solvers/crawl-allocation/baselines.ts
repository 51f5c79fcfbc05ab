/**
 * The two allocations one would try first, under the same limits: equal counts, and counts in proportion to the update
 * rates.
 *
 * Model: quotas clamp(c·r_i, m_i, M_i) that sum to R, with one c for all pages. A host at its limit has one c of its
 * own (water-filling). Here r_i = 1 (uniform) or the mean update rate (proportional). Counts: quotas rounded down, the
 * crawls left over to the largest remainders that constraints allow, ties to the lower position. Both meet every limit,
 * so neither can beat the optimum. Complexity: O(N) and a sort when remainders differ. Source: Wolf et al. (2002),
 * section 5; Cho & Garcia-Molina (2000).
 */
import type { Poll } from '../budget.ts';
import type { HostConstraints } from './certificate.ts';
import { hostCounts } from './certificate.ts';
import { pagesByHost } from './pricing/host-constraints.ts';

/** Elementary steps of a page in a pass over all of them, and of a comparison of two, for polls. */
const stepsPerPage = 20;
const stepsToCompare = 50;
/** One less than a power of two. */
const comparisonsBetweenPolls = 65_535;

/**
 * Counts in proportion to `share` (≥ 0) under the constraints, which must be feasible.
 *
 * @throws NothingToReturn when `poll` says so
 */
export function apportion(
  share: Float64Array,
  total: number,
  minimum: Int32Array,
  maximum: Int32Array,
  hosts: HostConstraints | null,
  poll?: Poll,
): Int32Array {
  const quota = new Float64Array(share.length);
  // no page has more than its host alone would give it
  const most = Float64Array.from(maximum);
  const all = { share, minimum, quota, maximum: most, poll };
  if (hosts !== null) {
    const members = pagesByHost(hosts);
    for (let h = 0; h < hosts.maxCrawls.length; h++) {
      const mine = members.pages.subarray(members.offsets[h], members.offsets[h + 1]);
      if (mine.reduce((sum, i) => sum + most[i], 0) <= hosts.maxCrawls[h]) continue;
      fill({ ...all, total: hosts.maxCrawls[h], list: mine });
      for (const i of mine) most[i] = quota[i];
    }
  }
  fill({ ...all, total, list: null });
  return roundQuotas({ quota, minimum, maximum, poll }, total, hosts);
}

/** Some pages, what they share, and where their quotas go. */
interface Filling {
  readonly share: Float64Array;
  readonly minimum: Int32Array;
  readonly maximum: Float64Array;
  readonly quota: Float64Array;
  readonly total: number;
  /** The pages; null: all. */
  readonly list: Int32Array | null;
  readonly poll: Poll | undefined;
}

/**
 * Water-filling: the c with Σ clamp(c·share, m, M) = total over some pages, by safeguarded Newton; quotas are written.
 */
function fill({ share, minimum, maximum, quota, total, list, poll }: Filling): void {
  const length = list === null ? share.length : list.length;
  let shares = 0;
  for (let at = 0; at < length; at++) {
    const i = list === null ? at : list[at];
    shares += share[i];
  }
  // pages that never change come last rather than never
  const least = shares > 0 ? (1e-9 * shares) / length : 1;
  const part = (i: number): number => Math.max(share[i], least);
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let c = total / Math.max(shares, least * length);
  for (let pass = 0; pass < 200; pass++) {
    let sum = 0;
    let slope = 0;
    poll?.(stepsPerPage * length);
    for (let at = 0; at < length; at++) {
      const i = list === null ? at : list[at];
      const want = c * part(i);
      if (want <= minimum[i]) sum += minimum[i];
      else if (want >= maximum[i]) sum += maximum[i];
      else {
        sum += want;
        slope += part(i);
      }
    }
    if (Math.abs(sum - total) <= 1e-12 * total) break;
    if (sum < total) low = c;
    else high = c;
    let next = slope > 0 ? c + (total - sum) / slope : Number.NaN;
    if (!(next > low && next < high))
      next = high === Number.POSITIVE_INFINITY ? 4 * c + 1e-300 : low + (high - low) / 2;
    if (next === c || !(next < 1e300)) break;
    c = next;
  }
  for (let at = 0; at < length; at++) {
    const i = list === null ? at : list[at];
    quota[i] = Math.max(minimum[i], Math.min(maximum[i], c * part(i)));
  }
}

/** Largest remainders, within page and host constraints. */
function roundQuotas(
  { quota, minimum, maximum, poll }: Pick<Filling, 'quota' | 'minimum' | 'poll'> & { readonly maximum: Int32Array },
  total: number,
  hosts: HostConstraints | null,
): Int32Array {
  const counts = new Int32Array(quota.length);
  const remainder = new Float64Array(quota.length);
  let left = total;
  for (let i = 0; i < quota.length; i++) {
    // a quota a rounding error below a whole number is that number
    const whole = Math.min(maximum[i], Math.floor(quota[i] + 1e-9));
    counts[i] = whole;
    remainder[i] = Math.max(0, quota[i] - whole);
    left -= whole;
  }
  if (left < 0) {
    trim(counts, minimum, -left);
    left = 0;
  }
  const used = hosts === null ? null : hostCounts(hosts, counts);
  const add = (i: number): void => {
    if (counts[i] >= maximum[i]) return;
    if (used !== null && hosts !== null) {
      const h = hosts.of[i];
      if (h >= 0 && used[h] >= hosts.maxCrawls[h]) return;
      if (h >= 0) used[h]++;
    }
    counts[i]++;
    left--;
  };
  const order = left > 0 ? byRemainder(remainder, poll) : new Uint32Array(0);
  while (left > 0) {
    const before = left;
    for (let k = 0; k < order.length && left > 0; k++) add(order[k]);
    if (left === before) break;
  }
  return counts;
}

/** Takes back what rounding gave too much, one a page. */
function trim(counts: Int32Array, minimum: Int32Array, excess: number): void {
  let left = excess;
  for (let i = 0; i < counts.length && left > 0; i++) {
    if (counts[i] > minimum[i]) {
      counts[i]--;
      left--;
    }
  }
}

/** Positions by falling remainder, ties (to 1e−9) by position. */
function byRemainder(remainder: Float64Array, poll: Poll | undefined): Uint32Array {
  const order = Uint32Array.from(remainder, (_, i) => i);
  let same = true;
  for (let i = 1; i < remainder.length && same; i++) same = Math.abs(remainder[i] - remainder[0]) < 1e-9;
  if (same) return order;
  const keys = Float64Array.from(remainder, (value) => Math.round(value * 1e9));
  let compared = 0;
  return order.sort((a, b) => {
    if ((++compared & comparisonsBetweenPolls) === 0) poll?.(stepsToCompare * (comparisonsBetweenPolls + 1));
    return keys[b] - keys[a] || a - b;
  });
}
