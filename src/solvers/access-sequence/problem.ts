/** The order in which one crawler accesses its pages, repeated for ever. */
import type { AccessFrequenciesProblem } from '../access-frequencies/problem.ts';
import type { SequencingMethod } from './portfolio.ts';

/** `minFrequency` applies only if `frequency` is null. */
export interface AccessSequenceProblem extends Omit<AccessFrequenciesProblem, 'policy'> {
  /** Shares of all accesses, of positive and finite sum; null: the optimal ones. */
  readonly frequency: Float64Array | null;
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
}
