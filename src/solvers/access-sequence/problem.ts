/** The problem of access-sequence: a cycle of accesses of one crawler, repeated for ever. */
import type { AccessFrequenciesProblem } from '../access-frequencies/problem.ts';
import type { SequencingMethod } from './portfolio.ts';

/** `minFrequency` applies only if `frequency` is null. */
export interface AccessSequenceProblem extends Omit<AccessFrequenciesProblem, 'policy'> {
  /** Shares of all accesses, of positive and finite sum; null: the optimal frequencies. */
  readonly frequency: Float64Array | null;
  readonly method: SequencingMethod | 'auto';
  /** Length of the cycle; null: chosen by the method. */
  readonly cycleLength: number | null;
  /** Longest cycle that may be chosen. */
  readonly longestCycle: number;
  /**
   * By page: number of accesses from its last access before the cycle to the start of the cycle, ≥ 1, NaN for never;
   * left out: the cycle may start with any of its accesses.
   */
  readonly lastAccess?: Float64Array | undefined;
}
