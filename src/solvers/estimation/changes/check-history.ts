/** The checks of pages. */

/**
 * What a crawler saw of its pages, as the estimators take it.
 *
 * Page i's checks are the positions offsets[i] … offsets[i+1]−1 of the flat arrays, oldest first:
 * - `elapsed` (time > 0): time since the page was last seen, or, where the outcome is `changedAtKnownAge`, the age of
 *   the latest change at the fetch (fetch time − Last-Modified);
 * - `outcome`: one of the three constants below.
 */
export interface CheckHistory {
  /** Offsets of the pages' checks; N + 1 entries for N pages. */
  readonly offsets: Uint32Array;
  /** By check: the time since the page was last seen, or the age of its latest change. */
  readonly elapsed: Float64Array;
  /** By check: one of the outcomes below. */
  readonly outcome: Uint8Array;
}

/** Outcome: the page had not changed. */
export const unchangedOutcome = 0;
/** Outcome: the page had changed, once or more, at times unknown. */
export const changedOutcome = 1;
/** Outcome: the page had changed, and its latest change is `elapsed` old. */
export const changedAtKnownAge = 2;

/** How many pages a history has. */
export const pageCount = (history: CheckHistory): number => history.offsets.length - 1;
