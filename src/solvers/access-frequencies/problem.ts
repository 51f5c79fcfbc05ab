/**
 * The problem of access-frequencies: shares of all accesses of least cost, or the fewest accesses that meet a target.
 */
import type { Distribution } from '../laws/create-law.ts';
import type { Place } from './access-pages.ts';

export type Policy = 'deterministic' | 'randomized';

export interface AccessFrequenciesProblem {
  /** Law of the access time X. */
  readonly accessTime: Distribution;
  /** By page: μ_i > 0, changes per unit of the access time. */
  readonly changeRate: Float64Array;
  /** By page: c_i ≥ 0. */
  readonly weight: Float64Array;
  readonly policy: Policy;
  /** m ≥ 0: smallest share of the accesses that a page may get. */
  readonly minFrequency: number;
  /** Path of a page's property in the request, for error messages. */
  readonly place?: Place | undefined;
}

/** The conflict of a minimum frequency with the number of pages. */
export interface MinFrequencyConflict {
  readonly detail: string;
  readonly minFrequency: number;
  /** Number of pages to which the minimum frequency applies. */
  readonly pages: number;
  /** The largest feasible value: 1/pages. */
  readonly largestMinFrequency: number;
}

/** The conflict of a minimum frequency with the number of pages; null where it is feasible. */
export function minFrequencyConflict(minFrequency: number, pages: number): MinFrequencyConflict | null {
  if (minFrequency * pages <= 1 + 1e-12) return null;
  const largest = 1 / pages;
  const detail = `a frequency of at least ${minFrequency} for each of ${pages} pages makes ${minFrequency * pages}, more than all accesses (1); the largest possible is ${largest}`;
  return { detail, minFrequency, pages, largestMinFrequency: largest };
}
