/** What a schedule is made from and what it says. */
import type { Conflict, Objective, Warning } from '../answer.ts';
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';

export interface CrawlScheduleProblem {
  /** Pages, interval, crawls and limits as the allocation takes them. */
  readonly allocation: CrawlAllocationProblem;
  /** Slots of each crawler: slot l of crawler k starts at l·T/S_k. */
  readonly slotCounts: Int32Array;
}

/** Times of page i: times[offsets[i]..offsets[i + 1] − 1], increasing. */
export interface TimesByPage {
  readonly offsets: Int32Array;
  readonly times: Float64Array;
}

export interface CrawlSchedule {
  readonly crawls: Int32Array;
  readonly times: TimesByPage;
  /** As the allocation wants them, with times free. */
  readonly idealTimes: TimesByPage;
  readonly idealCrawls: Int32Array;
  /** Share of the interval with a stale copy: at the scheduled times, and as the allocation has it. */
  readonly staleness: Float64Array;
  readonly idealStaleness: Float64Array;
  /** Used slots in time order. */
  readonly slotTime: Float64Array;
  readonly slotCrawler: Int32Array;
  readonly slotPage: Int32Array;
  readonly idleSlots: number;
  /** Crawls that could not be made after their update, and were given to other moments or pages. */
  readonly moved: number;
  readonly exchanges: number;
  /** Σ weight·staleness of plain counts, with times free. */
  readonly baselines: { readonly uniform: number; readonly proportional: number };
}

export interface ScheduleConflict extends Conflict {
  readonly crawls: number;
  readonly slots: number;
  /** What would make it possible. */
  readonly repair: string;
}

export type CrawlScheduleAnswer =
  | {
      readonly status: 'optimal' | 'feasible';
      /** Σ weight·staleness at the scheduled times; no schedule of as many crawls can beat the bound. */
      readonly objective: Objective;
      readonly schedule: CrawlSchedule;
      readonly warnings: readonly Warning[];
    }
  | { readonly status: 'infeasible'; readonly conflict: ScheduleConflict };
