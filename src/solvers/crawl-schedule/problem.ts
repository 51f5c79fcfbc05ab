/** What a schedule is made from and what it says. */
import type { Conflict, Objective, Warning } from '../answer.ts';
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';

export interface CrawlScheduleProblem {
  /** Pages, interval, crawls and limits as the allocation takes them. */
  readonly allocation: CrawlAllocationProblem;
  /** Whether fewer crawls will do where limits and delays allow no more. */
  readonly upTo: boolean;
  /** Slots of each crawler: slot l of crawler k starts at l·T/S_k. */
  readonly slotCounts: Int32Array;
  /** By host of the allocation; null: none asks for a delay. */
  readonly hostDelays: HostDelays | null;
}

/** Hosts with a delay between two crawls; `of` a page is −1 for none. */
export interface HostDelays {
  readonly of: Int32Array;
  /** 0: none. */
  readonly delay: Float64Array;
  /** When each may be crawled first, its last crawl before the interval being known; may lie before the interval. */
  readonly from: Float64Array;
}

/** Times of page i: times[offsets[i]..offsets[i + 1] − 1], increasing. */
export interface TimesByPage {
  readonly offsets: Int32Array;
  readonly times: Float64Array;
}

export interface CrawlSchedule {
  readonly status: 'optimal' | 'feasible';
  /** Σ weight·staleness at the scheduled times; no schedule of as many crawls can beat the bound. */
  readonly objective: Objective;
  readonly solution: {
    /** `ideal…`: as the allocation wants them, with times free. */
    readonly pages: {
      readonly crawls: Int32Array;
      readonly times: TimesByPage;
      readonly idealTimes: TimesByPage;
      /** Share of the interval with a stale copy. */
      readonly staleness: Float64Array;
      readonly idealStaleness: Float64Array;
    };
    /** Used slots in time order. */
    readonly schedule: { readonly time: Float64Array; readonly crawler: Int32Array; readonly page: Int32Array };
    readonly idleSlots: number;
    /** Crawls for which no slot was left after their update or beside their host's delay, and which went elsewhere. */
    readonly moved: number;
  };
  readonly beside: {
    /** Σ weight·staleness with times free: of plain counts, and with the paper's greedy choice among possible updates. */
    readonly baselines: { readonly uniform: number; readonly proportional: number; readonly greedy: number };
    /** With free times alone, and on these slots. */
    readonly bounds: { readonly freeTimes: number; readonly slots: number };
  };
  readonly warnings: readonly Warning[];
  readonly statistics: {
    readonly solver: string;
    readonly pages: number;
    readonly crawls: number;
    readonly exchanges: number;
  };
}

export interface ScheduleConflict extends Conflict {
  readonly crawls: number;
  readonly slots: number;
  /** Fewest and most crawls that limits, delays and slots allow; most null: no limit but the slots. */
  readonly least: number;
  readonly most: number | null;
  /** Hosts whose limits or delays clash, at most 20. */
  readonly hosts: readonly string[];
  /** What would make it possible. */
  readonly repair: string;
}

export type CrawlScheduleAnswer =
  | CrawlSchedule
  | {
      readonly status: 'infeasible';
      readonly conflict: ScheduleConflict;
      readonly statistics: { readonly solver: string; readonly pages: number };
    };
