/** What is asked: the order in which one crawler accesses its pages, for ever. */
import type { Place } from '../access-frequencies/access-pages.ts';
import type { Distribution } from '../laws/create-law.ts';
import type { SequencingMethod } from './cycle-maker.ts';

export interface AccessSequenceProblem {
  /** Law of the access time X. */
  readonly accessTime: Distribution;
  /** μ_i > 0, one entry a page. */
  readonly changeRate: Float64Array;
  /** c_i ≥ 0. */
  readonly weight: Float64Array;
  /** Shares of all accesses, of positive and finite sum; null: the optimal ones. */
  readonly frequency: Float64Array | null;
  /** Least frequency of a page, when they are the optimal ones. */
  readonly minFrequency: number;
  readonly method: SequencingMethod | 'auto';
  /** Length of the cycle; null: chosen. */
  readonly cycleLength: number | null;
  /** Longest cycle that may be chosen. */
  readonly longestCycle: number;
  /**
   * How many accesses before the cycle each page was accessed, ≥ 1, NaN for never; left out: the cycle may begin
   * anywhere.
   */
  readonly lastAccess?: Float64Array | undefined;
  /** Where a property of a page stands in the caller's terms, for messages. */
  readonly place?: Place | undefined;
}
