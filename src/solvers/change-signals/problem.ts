/** Checks with the signals between them, and the estimates from them. */

/** Checks of pages, with the signals between them; those of page i are at offsets[i]..offsets[i+1]−1. */
export interface ChangeSignalsProblem {
  readonly offsets: Uint32Array;
  /** Time since the previous check. */
  readonly elapsed: Float64Array;
  /** 1 where the page had changed. */
  readonly changed: Uint8Array;
  /** Signals since the previous check. */
  readonly signals: Float64Array;
  /** Host of each page, from 0. */
  readonly host: Int32Array;
  /** Name of each host; null for the group of pages without a host. */
  readonly names: readonly (string | null)[];
  /**
   * Time of each page's last check on a common clock, NaN where unknown; left out: unknown for all pages. It shows
   * which pages of a host changed together. Pages without it are taken to have been checked last at the same moment.
   */
  readonly lastCheck?: Float64Array;
  readonly confidence: number;
}

export interface Estimate {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

/** Estimates for the signals of a group of pages. */
export interface SignalFit {
  readonly precision: Estimate;
  readonly recall: Estimate;
  /** Signals, and changes, per page and unit of time. */
  readonly signalRate: Estimate;
  readonly changeRate: Estimate;
  readonly pages: number;
  readonly checks: number;
  readonly signals: number;
  /** Checks that saw a change. */
  readonly changes: number;
}
