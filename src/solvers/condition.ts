import type { ConditionCode } from './condition-codes.ts';

/**
 * A condition of a model that the input does not meet, for example "the rows of ΣD_k must sum to 0". It is found where
 * the input is prepared for the solver. `path` leads to the offending value in the caller's own terms.
 */
export class ConditionNotMet extends Error {
  override readonly name = 'ConditionNotMet';
  readonly path: readonly (string | number)[];
  readonly code: ConditionCode;

  /**
   * @param path where the value stands, e.g. `['indexing', 'shape']`
   * @param code one of the catalogue of conditions, e.g. `mean-not-finite`
   * @param message the value, what is wrong with it, and what would be accepted
   */
  constructor(path: readonly (string | number)[], code: ConditionCode, message: string) {
    super(message);
    this.path = path;
    this.code = code;
  }
}
