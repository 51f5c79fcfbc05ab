/**
 * Whole numbers of accesses of each page in a cycle of K accesses, from frequencies.
 *
 * - {@link largestRemainder}: ⌊f_i K⌋, and one more for the pages of largest remainders, ties to the lower position.
 * - {@link coveringCounts}: every page with f_i > 0 occurs at least once if K allows it: pages with f_i K < 1 get one
 *   access, and the remaining accesses are shared between all other pages by largest remainders.
 * - {@link optimalCounts}: the counts of least cost with even spacing at this K. The cost is separable and convex in
 *   the counts, so that adding one access at a time to the page where it saves most is optimal (Fox 1966).
 */
import { type AccessPages, staleness } from '../access-frequencies/access-pages.ts';
import { dealAmount } from '../market/index.ts';

/** Counts by largest remainders. O(N log N). @param frequency shares that sum to 1 */
export function largestRemainder(frequency: Float64Array, cycle: number): Uint32Array {
  const exact = frequency.map((f) => f * cycle);
  // a product within rounding of a whole number counts as the whole number
  const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) <= 1e-9 * Math.max(1, x);
  const counts = exact.map((x) => (isWhole(x) ? Math.round(x) : Math.floor(x)));
  dealAmount(counts, cycle, (i, n) => 1 + exact[i] - n);
  return Uint32Array.from(counts);
}

/** Counts in which every page of positive frequency occurs if the cycle has room. O(N log N), a few rounds at most. */
export function coveringCounts(frequency: Float64Array, cycle: number): Uint32Array {
  const present = frequency.reduce((n, f) => (f > 0 ? n + 1 : n), 0);
  if (present > cycle) return largestRemainder(frequency, cycle);
  const isRare = new Uint8Array(frequency.length);
  let rest = cycle;
  for (;;) {
    const mass = frequency.reduce((sum, f, i) => (isRare[i] ? sum : sum + f), 0);
    const rare = frequency.map((f, i) => (!isRare[i] && f > 0 && f * (rest / mass) < 1 - 1e-9 ? 1 : 0));
    const rareCount = rare.reduce((sum, each) => sum + each, 0);
    if (rareCount === 0) {
      const shares = frequency.map((f, i) => (isRare[i] || mass === 0 ? 0 : f / mass));
      return largestRemainder(shares, rest).map((count, i) => count + isRare[i]);
    }
    for (let i = 0; i < isRare.length; i++) isRare[i] += rare[i];
    rest -= rareCount;
  }
}

/**
 * Counts of least cost with even spacing. O(N log N).
 *
 * @param fewest minimum count of a page, with fewest·N ≤ K
 */
export function optimalCounts(pages: AccessPages, frequency: Float64Array, cycle: number, fewest: number): Uint32Array {
  const cost = (i: number, n: number): number =>
    pages.weight[i] * staleness(pages, i, n > 0 ? (pages.load[i] / n) * cycle : Infinity);
  // start from a lower bound of the optimal counts
  const counts = frequency.map((f) => Math.max(fewest, Math.floor(f * cycle) - 1));
  // accesses that save nothing are assigned too: the counts must sum to K
  const savingOf = (i: number, n: number): number => Math.max(Number.MIN_VALUE, cost(i, n) - cost(i, n + 1));
  dealAmount(counts, cycle, (i, n) => (n < fewest ? Infinity : savingOf(i, n)));
  return Uint32Array.from(counts);
}

/**
 * Minimum count of a page under a minimum frequency m: ⌊m·K⌋, at least 1; 0 if m is 0 or K is below the number of
 * pages.
 */
export function minCount(minFrequency: number, pages: number, cycle: number): number {
  return minFrequency > 0 && cycle >= pages ? Math.max(1, Math.floor(minFrequency * cycle + 1e-9)) : 0;
}
