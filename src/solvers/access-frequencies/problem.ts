/** The problem: shares of all accesses at the least cost, or the fewest accesses that meet a target. */
import type { Distribution } from '../laws/create-law.ts';
import type { Place } from './access-pages.ts';

export type Policy = 'deterministic' | 'randomized';

export interface AccessFrequenciesProblem {
  /** Law of the access time X. */
  readonly accessTime: Distribution;
  /** μ_i > 0, one entry a page. */
  readonly changeRate: Float64Array;
  /** c_i ≥ 0. */
  readonly weight: Float64Array;
  readonly policy: Policy;
  /** m ≥ 0. */
  readonly minFrequency: number;
  /** Path of a page's property in the request, for error messages. */
  readonly place?: Place | undefined;
}

/** Why a minimum frequency is infeasible. */
export interface MinFrequencyConflict {
  readonly detail: string;
  readonly minFrequency: number;
  /** Number of pages it applies to. */
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
