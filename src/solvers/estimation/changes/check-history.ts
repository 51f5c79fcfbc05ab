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
  /** Uint32[N + 1]. */
  readonly offsets: Uint32Array;
  /** Float64[checks]. */
  readonly elapsed: Float64Array;
  /** Uint8[checks]. */
  readonly outcome: Uint8Array;
}

/** The page was as before. */
export const unchangedOutcome = 0;
/** The page had changed, once or more, at times unknown. */
export const changedOutcome = 1;
/** The page had changed, and its latest change is `elapsed` old. */
export const changedAtKnownAge = 2;

/** How many pages a history has. */
export const pageCount = (history: CheckHistory): number => history.offsets.length - 1;
