/** What is asked: shares of all accesses at the least cost, or the fewest accesses that meet a target. */
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
  /** Where a property of a page stands in the caller's terms, for messages. */
  readonly place?: Place | undefined;
}

/** How many accesses a target takes. */
export interface AccessTargetProblem extends AccessFrequenciesProblem {
  /** Most that Σ c_i r_i may be. */
  readonly maxCost: number;
}
