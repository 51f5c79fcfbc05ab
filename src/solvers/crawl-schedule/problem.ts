/** Problem of crawl-schedule and its conflict. */
import type { Conflict } from '../answer.ts';
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';

export interface CrawlScheduleProblem {
  /** Pages, interval, crawls and limits as the allocation takes them. */
  readonly allocation: CrawlAllocationProblem;
  /** Whether fewer crawls are acceptable where limits and delays do not allow all. */
  readonly upTo: boolean;
  /** Slots of each crawler: slot l of crawler k starts at l·T/S_k. */
  readonly slotCounts: Int32Array;
  /** Delays, by host of the allocation; null: no host has a delay. */
  readonly hostDelays: HostDelays | null;
}

/** Hosts with a delay between two crawls. `of` is the host of each page, −1 for a page whose host has no delay. */
export interface HostDelays {
  readonly of: Int32Array;
  /** Shortest time between two crawls, by host; 0: no delay. */
  readonly delay: Float64Array;
  /** Earliest crawl of each host, from its last crawl before the interval; may lie before the interval. */
  readonly from: Float64Array;
}

export interface ScheduleConflict extends Conflict {
  readonly crawls: number;
  readonly slots: number;
  /** Fewest and most crawls that limits, delays and slots allow; `most` null: no limit but the slots. */
  readonly least: number;
  readonly most: number | null;
  /** Hosts whose limits or delays clash, at most 20. */
  readonly hosts: readonly string[];
}
