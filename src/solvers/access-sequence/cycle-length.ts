/**
 * Which cycle lengths to try when none is given.
 *
 * A cycle needs room for every page (K ≥ N) and for the ratios between frequencies. A length at which the frequencies
 * are nearly whole numbers of accesses beats a longer one. Up to a few hundred pages many lengths between N and 30N are
 * measured by what rounding costs them, and the best are tried. Beyond, 10N is long enough that rounding hardly shows.
 */

import type { Budget } from '../budget.ts';

/** Cost of rounding the frequencies to whole counts at a cycle length; smaller is better. */
type RoundingCost = (cycle: number) => number;

/** Pages × lengths for which the rounding cost is evaluated. */
const maxCells = 120_000;
/** Lengths returned at most, the default one apart. */
const maxLengths = 10;
/** Pages up to which several lengths are compared. */
const maxComparedPages = 300;

/**
 * @param pages how many pages have a positive frequency
 * @param longest the longest cycle allowed, at least 1
 * @returns lengths to try, best first among those measured until the budget stops it
 */
export function cycleLengths(pages: number, longest: number, rounding: RoundingCost, budget: Budget): number[] {
  const usual = Math.max(1, Math.min(10 * pages, longest));
  if (pages > maxComparedPages) return [usual];
  const low = Math.min(pages, longest);
  const high = Math.max(low, Math.min(longest, Math.max(30 * pages, 64)));
  const tries = Math.max(20, Math.floor(maxCells / pages / 4));
  const stride = Math.max(1, Math.ceil((high - low) / tries));
  const measurements: { cycle: number; cost: number }[] = [{ cycle: usual, cost: rounding(usual) }];
  for (let cycle = high; cycle >= low && !budget.stopRequested(); cycle -= stride)
    measurements.push({ cycle, cost: rounding(cycle) });
  for (let cycle = 1; cycle <= high; cycle *= 2) {
    if (cycle >= low) measurements.push({ cycle, cost: rounding(cycle) });
  }
  // prefer the shorter of two cycles whose costs differ by rounding alone
  measurements.sort((a, b) =>
    Math.abs(a.cost - b.cost) <= 1e-13 * Math.abs(b.cost) ? a.cycle - b.cycle : a.cost - b.cost,
  );
  const lengths = new Set<number>();
  for (const { cycle } of measurements) {
    if (lengths.size >= maxLengths) break;
    lengths.add(cycle);
  }
  lengths.add(usual);
  return [...lengths];
}
