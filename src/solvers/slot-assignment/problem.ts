/** The problem of slot assignment: tasks, the slots that there are, and whether tasks may be dropped. */

export const flexibleTask = 0;
export const releaseTask = 1;

/**
 * Which crawlers a task may use, in compressed rows: task j may use crawlers[start[j] .. start[j+1]−1]; none listed:
 * all.
 */
export interface AllowedCrawlers {
  /** n + 1 offsets into `crawlers`. */
  readonly start: Int32Array;
  /** Positions of crawlers, no position twice within a task. */
  readonly crawlers: Int32Array;
}

/** One instance; all times in one unit, every number finite unless said otherwise. */
export interface SlotAssignmentProblem {
  /** T > 0: length of the interval. */
  readonly interval: number;
  /** S_k ≥ 0: number of slots, by crawler. */
  readonly slotCounts: Int32Array;
  /** t_j: ideal time of each task; may lie outside the interval. */
  readonly idealTime: Float64Array;
  /** By task: `flexibleTask` or `releaseTask`; null: all are flexible. */
  readonly kind: Uint8Array | null;
  /** w_j ≥ 0: cost of a unit of time away from the ideal time, by task; null: all 1. */
  readonly weight: Float64Array | null;
  /** Crawlers each task may use; null: every task may use every crawler. */
  readonly allowed: AllowedCrawlers | null;
  /** Earliest start by task, −∞ for a task without; null: no task has an earliest start. */
  readonly earliest: Float64Array | null;
  /** Latest start by task, +∞ for a task without; null: no task has a latest start. */
  readonly latest: Float64Array | null;
  /** Flat price of leaving a task out, ≥ 0; +∞: every task must run. */
  readonly dropPenalty: number;
}
