/**
 * Whole numbers of accesses in a cycle of K, from frequencies.
 *
 * - {@link largestRemainder}: ⌊f_i K⌋, and one more for the largest remainders, ties to the lower position.
 * - {@link coveringCounts}: the same, but every page with f_i > 0 occurs at least once where K allows it: pages with f_i
 *   K < 1 get one access, the others share what is left.
 * - {@link optimalCounts}: the counts whose even spacing costs least at this K: ⌊f_i K⌋, then one access at a time where
 *   it saves most, then exchanges while one saves anything. The cost is separable and convex in the counts, so with no
 *   saving exchange left the counts are optimal.
 */
import { type AccessPages, staleness } from '../access-frequencies/access-pages.ts';

/** Pages up to which counts are improved by exchanges. */
const maxExchangePages = 2000;

/** O(N log N). */
export function largestRemainder(frequency: Float64Array, cycle: number): Uint32Array {
  const counts = new Uint32Array(frequency.length);
  const remainder = new Float64Array(frequency.length);
  let left = cycle;
  for (let i = 0; i < counts.length; i++) {
    const exact = frequency[i] * cycle;
    // a product within rounding of a whole number is that number
    const nearest = Math.round(exact);
    const whole = Math.abs(exact - nearest) <= 1e-9 * Math.max(1, exact) ? nearest : Math.floor(exact);
    counts[i] = whole;
    remainder[i] = exact - whole;
    left -= whole;
  }
  addToLargest(counts, remainder, left);
  return counts;
}

/**
 * Adds one access to each of the `left` pages of largest key; ties go to the lower position. A negative `left` takes
 * −left from those of smallest key, never below the least.
 */
function addToLargest(counts: Uint32Array, key: Float64Array, left: number, least = 0): void {
  if (left === 0) return;
  if (left > 0 && left <= key.length) {
    // a plain sort of numbers finds the left-th largest key: take all above it, then those equal to it in page order
    const sorted = key.slice().sort();
    const threshold = sorted[key.length - left];
    let above = 0;
    for (const value of key) if (value > threshold) above++;
    let equal = left - above;
    for (let i = 0; i < key.length; i++) {
      if (key[i] > threshold) counts[i]++;
      else if (key[i] === threshold && equal > 0) {
        counts[i]++;
        equal--;
      }
    }
    return;
  }
  const order = Uint32Array.from(counts, (_, i) => i);
  order.sort((i, j) => key[j] - key[i] || i - j);
  if (left > 0) for (let k = 0; k < left; k++) counts[order[k % order.length]]++;
  else {
    let excess = -left;
    for (let k = order.length - 1; excess > 0; k = k === 0 ? order.length - 1 : k - 1) {
      if (counts[order[k]] <= least) continue;
      counts[order[k]]--;
      excess--;
    }
  }
}

/** O(N log N), a few rounds at most. */
export function coveringCounts(frequency: Float64Array, cycle: number): Uint32Array {
  const present = frequency.reduce((n, f) => (f > 0 ? n + 1 : n), 0);
  if (present > cycle) return largestRemainder(frequency, cycle);
  const once = new Uint8Array(frequency.length);
  let rest = cycle;
  for (;;) {
    let mass = 0;
    for (let i = 0; i < once.length; i++) if (!once[i]) mass += frequency[i];
    let found = 0;
    for (let i = 0; i < once.length; i++) {
      if (once[i] || frequency[i] === 0 || frequency[i] * (rest / mass) >= 1 - 1e-9) continue;
      once[i] = 1;
      found++;
    }
    rest -= found;
    if (found > 0) continue;
    const shares = frequency.map((f, i) => (once[i] || mass === 0 ? 0 : f / mass));
    const counts = rest > 0 ? largestRemainder(shares, rest) : new Uint32Array(once.length);
    for (let i = 0; i < once.length; i++) counts[i] += once[i];
    return counts;
  }
}

/**
 * @param least fewest accesses of a page, least·N ≤ K
 *
 * O(N log N), and O(N) an exchange. Exchanges are searched for up to 2000 pages; with more, a single access is worth too
 * little for the rounding to be measurable.
 */
export function optimalCounts(pages: AccessPages, frequency: Float64Array, cycle: number, least: number): Uint32Array {
  const { length } = pages;
  const cost = (i: number, n: number): number =>
    pages.weight[i] * staleness(pages, i, n > 0 ? (pages.load[i] / n) * cycle : Infinity);
  const counts = new Uint32Array(length);
  const saving = new Float64Array(length);
  let left = cycle;
  for (let i = 0; i < length; i++) {
    counts[i] = Math.max(least, Math.floor(frequency[i] * cycle + 1e-9));
    left -= counts[i];
  }
  for (let i = 0; i < length; i++) {
    saving[i] = left >= 0 ? cost(i, counts[i]) - cost(i, counts[i] + 1) : lossOf(cost, i, counts[i], least);
  }
  addToLargest(counts, saving, left, least);
  if (length > maxExchangePages) return counts;
  const gain = new Float64Array(length);
  const loss = new Float64Array(length);
  const refresh = (i: number): void => {
    gain[i] = cost(i, counts[i]) - cost(i, counts[i] + 1);
    loss[i] = lossOf(cost, i, counts[i], least);
  };
  for (let i = 0; i < length; i++) refresh(i);
  for (let exchanges = 0; exchanges < 4 * length; exchanges++) {
    let to = 0;
    let from = 0;
    for (let i = 1; i < length; i++) {
      if (gain[i] > gain[to]) to = i;
      if (loss[i] < loss[from]) from = i;
    }
    if (to === from || !(gain[to] > loss[from] * (1 + 1e-9))) break;
    counts[to]++;
    counts[from]--;
    refresh(to);
    refresh(from);
  }
  return counts;
}

/** Cost of removing one access of page i; Infinity at the minimum count. */
function lossOf(cost: (i: number, n: number) => number, i: number, count: number, least: number): number {
  return count > least ? cost(i, count - 1) - cost(i, count) : Infinity;
}

/**
 * Fewest accesses of a page in a cycle under a minimum frequency: ⌊m·K⌋, and at least 1 where the cycle has room for
 * every page.
 */
export function minCount(least: number, pages: number, cycle: number): number {
  return least > 0 && cycle >= pages ? Math.max(1, Math.floor(least * cycle + 1e-9)) : 0;
}
