/** What a plan is made from and what it says. Times in seconds. */

import type { Conflict, Objective, Warning } from '../answer.ts';
import type { CheckHistory } from '../estimation/changes/check-history.ts';
import { infiniteTime } from '../pages/never.ts';
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { SignalEvidence } from '../pages/signals/index.ts';

/** Relative tolerance of rates, times and counts of fetches: what is closer is equal. */
export const roundoff = 1e-9;

/** Lists are by page unless said otherwise. */
export interface CrawlPlanProblem {
  /** The interval starts now: epoch seconds. */
  readonly now: number;
  readonly interval: number;
  readonly slotsByCrawler: Uint32Array;
  readonly history: CheckHistory;
  /** Known rates, per second; NaN where it is to be estimated. */
  readonly changeRate: Float64Array;
  /** Epoch seconds; NaN for a page never fetched. */
  readonly lastCrawl: Float64Array;
  readonly weight: Float64Array;
  /** 0 for none. */
  readonly minInterval: Float64Array;
  /** Infinity for none. */
  readonly maxInterval: Float64Array;
  /** Position in the list of hosts that ask for a delay, −1 for none. */
  readonly host: Int32Array;
  /** What warnings call a page; left out: its position. */
  readonly pageName?: readonly (string | undefined)[] | null;
  /** By host: its name, and the seconds between two fetches of it. */
  readonly hostName: readonly string[];
  readonly hostDelay: Float64Array;
  /** By host: most fetches a second in the mean, Infinity for no limit; left out: no host has one. */
  readonly hostRate?: Float64Array | undefined;
  /** Share of the crawls that is spread evenly: no page waits longer than this makes it. */
  readonly evenShare: number;
  /** What staleness costs; left out: freshness. */
  readonly objective?: ObjectiveName;
  /** Items a feed shows at most, NaN for no feed, and the chance of losing some between two fetches. */
  readonly feedItems?: Float64Array;
  readonly feedLoss?: Float64Array;
  /** Left out: fetches are allowed at all times. */
  readonly availability?: Availability | undefined;
  /** 1 where the history is a record of all changes. */
  readonly knownEvents?: Int32Array;
  /** Left out: no page has signals. */
  readonly signals?: SignalEvidence | undefined;
}

/** When fetches are allowed. Spans are openings and closings in turn, in seconds from now, rising. */
export interface Availability {
  /** For all pages; null: always. */
  readonly spans: Float64Array | null;
  /** By page: seconds from now before which it is not fetched, by itself or for its host; 0 for none. */
  readonly pageFrom: Float64Array;
}

/** Of each copy at the start; Infinity where there is none. */
export const agesOf = ({ lastCrawl, now }: Pick<CrawlPlanProblem, 'lastCrawl' | 'now'>): Float64Array =>
  lastCrawl.map((last) => (Number.isNaN(last) ? infiniteTime : Math.max(0, now - last)));

/** The properties of each page, where nothing is known of it: see {@link plainPages}. */
type PlainPages = Pick<
  CrawlPlanProblem,
  'changeRate' | 'weight' | 'minInterval' | 'maxInterval' | 'host' | 'hostName' | 'hostDelay'
>;

/**
 * Pages of equal weight, whose rates are to be estimated and whose fetches nothing restricts: a problem starts from
 * them.
 */
export function plainPages(pages: number): PlainPages {
  const fill = (value: number): Float64Array => new Float64Array(pages).fill(value);
  return {
    changeRate: fill(Number.NaN),
    weight: fill(1),
    minInterval: fill(0),
    maxInterval: fill(Number.POSITIVE_INFINITY),
    host: new Int32Array(pages).fill(-1),
    hostName: [],
    hostDelay: new Float64Array(0),
  };
}

/** What cannot be kept, and for whom. */
export interface PlanConflict extends Conflict {
  /** Positions of the pages concerned, at most 100. */
  readonly pages: readonly number[];
  readonly host: string | null;
  /** Fetches asked for, and slots there are, up to `by` (epoch seconds). */
  readonly crawlsNeeded: number;
  readonly slots: number;
  readonly by: number;
  /**
   * The page whose fetch is the first too many, and to when its deadline would have to move, epoch seconds; null for
   * neither.
   */
  readonly page: number | null;
  readonly possibleBy: number | null;
}

/** A longest interval for every page, and Σ weight·cost for ever with it. */
export interface KeptPages {
  readonly maxInterval: number;
  readonly value: number;
}

/** A plan, or the proof that none keeps the longest intervals asked for. */
export type CrawlPlanAnswer =
  | {
      readonly status: 'feasible';
      /** Σ weight·cost in the interval, under freshness Σ weight·staleness. No bound is known of one interval. */
      readonly objective: Objective;
      /**
       * Σ weight·cost of the fetch intervals kept for ever, and what none can beat that keep the same limits. It is
       * null where the longest intervals ask for more fetches than there are, and where no bound is known.
       */
      readonly longRun: Objective | null;
      /** What keeping the pages given up would cost; null where there are none, or it is not possible or not known. */
      readonly keepingAll: KeptPages | null;
      readonly plan: CrawlPlan;
      readonly warnings: readonly Warning[];
    }
  | { readonly status: 'infeasible'; readonly conflict: PlanConflict };

/** Lists are by page; NaN stands for "none". */
export interface CrawlPlan {
  readonly changeRate: Float64Array;
  readonly changeRateLow: Float64Array;
  /** Infinity where nothing bounds it. */
  readonly changeRateHigh: Float64Array;
  readonly crawls: Uint32Array;
  readonly fetchInterval: Float64Array;
  readonly intervalIfUnchanged: Float64Array;
  readonly intervalIfChanged: Float64Array;
  readonly nextFetch: Float64Array;
  /** Share of the interval the copy is expected to be stale. */
  readonly staleness: Float64Array;
  /** Mean cost of the copy over the interval by the objective: the staleness itself under freshness. */
  readonly cost: Float64Array;
  /**
   * Seconds: how long a change of the interval waits, and how old what is shown is; null unless they are the objective.
   */
  readonly meanDelay: Float64Array | null;
  /** Positions of pages fetched sooner, or once more, for what that teaches. */
  readonly probed: Uint32Array;
  /** Positions of pages of which no fetch is worth its price: the even share or a longest interval fetches them. */
  readonly givenUp: Uint32Array;
  /** Used slots in time order. */
  readonly slotTime: Float64Array;
  readonly slotCrawler: Uint32Array;
  readonly slotPage: Uint32Array;
  readonly idleSlots: number;
  /** Pages without a fetch in the interval. */
  readonly withoutCrawl: Uint32Array;
  /** What the objective would fall by with one fetch more. */
  readonly shadowPrice: number;
  /** Σ weight·cost when all pages take turns; null where the time ended before that was known. */
  readonly uniformObjective: number | null;
}
