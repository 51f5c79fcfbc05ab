/** Checks with the signals that came between them, and what they say of the signals. */

/** Checks of page i are those at offsets[i]..offsets[i+1]−1. */
export interface ChangeSignalsProblem {
  readonly offsets: Uint32Array;
  /** Time since the check before. */
  readonly elapsed: Float64Array;
  /** 1 where the page had changed. */
  readonly changed: Uint8Array;
  /** Signals since the check before. */
  readonly signals: Float64Array;
  /** Host of each page, from 0. */
  readonly host: Int32Array;
  /** By host, null for the pages without one. */
  readonly names: readonly (string | null)[];
  /**
   * When each page was last checked, on one clock, NaN where that is not known; left out: for no page. By it changes of
   * many pages of a host at once are seen. Pages of which it is not known are taken to be checked last at one moment.
   */
  readonly lastCheck?: Float64Array;
  readonly confidence: number;
}

export interface Estimate {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

/** What is known of the signals of some pages. */
export interface SignalFit {
  readonly precision: Estimate;
  readonly recall: Estimate;
  /** Signals and changes a page and unit of time, over the time watched. */
  readonly signalRate: Estimate;
  readonly changeRate: Estimate;
  readonly pages: number;
  readonly checks: number;
  readonly signals: number;
  /** Checks that saw a change. */
  readonly changes: number;
}
