/** Problem and answer of a crawl plan. Times in seconds. */

import type { Conflict, Objective, Warning } from '../answer.ts';
import type { CheckHistory } from '../estimation/changes/check-history.ts';
import { infiniteTime } from '../pages/never.ts';
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { SignalEvidence } from '../pages/signals/index.ts';

/** Relative tolerance within which rates, times and numbers of fetches count as equal. */
export const roundoff = 1e-9;

/** The input of a plan. Lists are by page, except those whose comment says by host. */
export interface CrawlPlanProblem {
  /** Start of the interval, in epoch seconds. */
  readonly now: number;
  readonly interval: number;
  readonly slotsByCrawler: Uint32Array;
  readonly history: CheckHistory;
  /** Given change rates, per second; NaN for a rate to be estimated. */
  readonly changeRate: Float64Array;
  /** Epoch seconds; NaN for a page never fetched. */
  readonly lastCrawl: Float64Array;
  readonly weight: Float64Array;
  /** Shortest time between two fetches; 0 for no limit. */
  readonly minInterval: Float64Array;
  /** Longest time between two fetches; Infinity for no limit. */
  readonly maxInterval: Float64Array;
  /** Position of the page's host in the lists by host, −1 for a host without limits. */
  readonly host: Int32Array;
  /** Name of the page in warnings; left out: its position. */
  readonly pageName?: readonly (string | undefined)[] | null;
  /** By host: its name, and the shortest time between two of its fetches. */
  readonly hostName: readonly string[];
  readonly hostDelay: Float64Array;
  /** By host: largest mean rate of fetches a second, Infinity for no limit; left out: no host has a largest rate. */
  readonly hostRate?: Float64Array | undefined;
  /** Share of the crawls that is spread evenly over all pages, which bounds their waits; 0 for none. */
  readonly evenShare: number;
  /** The objective; left out: freshness. */
  readonly objective?: ObjectiveName;
  /** Maximum number of items that a feed shows, NaN for no feed; allowed probability of a loss between two fetches. */
  readonly feedItems?: Float64Array;
  readonly feedLoss?: Float64Array;
  /** Left out: fetches are allowed at all times. */
  readonly availability?: Availability | undefined;
  /** 1 where the history is a record of all changes. */
  readonly knownEvents?: Int32Array;
  /** Left out: no page has signals. */
  readonly signals?: SignalEvidence | undefined;
}

/** When fetches are allowed. Spans alternate opening and closing times, in seconds from now, rising. */
export interface Availability {
  /** Spans for all pages; null: fetches are allowed at all times. */
  readonly spans: Float64Array | null;
  /** By page: earliest time of a fetch, in seconds from now, by notBefore of the page or of its host; 0 for none. */
  readonly pageFrom: Float64Array;
}

/** Age of each copy at `now`, in seconds; Infinity for a page never fetched. */
export const agesOf = ({ lastCrawl, now }: Pick<CrawlPlanProblem, 'lastCrawl' | 'now'>): Float64Array =>
  lastCrawl.map((last) => (Number.isNaN(last) ? infiniteTime : Math.max(0, now - last)));

/** The properties that {@link plainPages} sets. */
type PlainPages = Pick<
  CrawlPlanProblem,
  'changeRate' | 'weight' | 'minInterval' | 'maxInterval' | 'host' | 'hostName' | 'hostDelay'
>;

/** The default properties of a number of pages: weight 1, rate to be estimated, no limits on fetches. */
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

/** The conflict of longest intervals with the slots, or with the limits of a host. */
export interface PlanConflict extends Conflict {
  /** Positions of the pages concerned, at most 100. */
  readonly pages: readonly number[];
  readonly host: string | null;
  /** Fetches due, and fetches possible, up to `by` (epoch seconds). */
  readonly crawlsNeeded: number;
  readonly slots: number;
  readonly by: number;
  /**
   * The page of the first fetch too many, and the earliest deadline at which the fetch is possible, in epoch seconds;
   * null if there is no such page or time.
   */
  readonly page: number | null;
  readonly possibleBy: number | null;
}

/**
 * A longest interval for every page in seconds, and a lower bound on Σ weight·cost if all pages keep to it for ever.
 */
export interface KeptPages {
  readonly maxInterval: number;
  readonly value: number;
}

/** A plan, or the proof that no plan keeps the longest intervals. */
export type CrawlPlanAnswer =
  | {
      readonly status: 'feasible';
      /** Σ weight·cost in the interval, under freshness Σ weight·staleness. No bound is known for a single interval. */
      readonly objective: Objective;
      /**
       * Σ weight·cost with the fetch intervals kept for ever, and a lower bound for all fetch intervals within the same
       * limits. Null where the longest intervals need more fetches than there are, and where no bound is known.
       */
      readonly longRun: Objective | null;
      /** The cost of fetching the pages given up as well; null if no page is given up, or the cost is not known. */
      readonly keepingAll: KeptPages | null;
      readonly plan: CrawlPlan;
      readonly warnings: readonly Warning[];
    }
  | { readonly status: 'infeasible'; readonly conflict: PlanConflict };

/** Lists are by page; NaN stands for "none". */
export interface CrawlPlan {
  readonly changeRate: Float64Array;
  readonly changeRateLow: Float64Array;
  /** Upper end of the 95% interval of the rate; Infinity where it is unbounded. */
  readonly changeRateHigh: Float64Array;
  readonly crawls: Uint32Array;
  readonly fetchInterval: Float64Array;
  readonly intervalIfUnchanged: Float64Array;
  readonly intervalIfChanged: Float64Array;
  readonly nextFetch: Float64Array;
  /** Expected share of the interval in which the copy is stale. */
  readonly staleness: Float64Array;
  /** Mean cost of the copy over the interval by the objective: the staleness itself under freshness. */
  readonly cost: Float64Array;
  /**
   * Mean time that a change in the interval waits for its fetch, in seconds; null under other objectives than delay.
   */
  readonly meanDelay: Float64Array | null;
  /** Positions of pages fetched sooner, or once more, for the information. */
  readonly probed: Uint32Array;
  /** Positions of pages whose fetches are never worth the price: only the even share fetches them. */
  readonly givenUp: Uint32Array;
  /** Used slots in time order. */
  readonly slotTime: Float64Array;
  readonly slotCrawler: Uint32Array;
  readonly slotPage: Uint32Array;
  readonly idleSlots: number;
  /** Pages without a fetch in the interval. */
  readonly withoutCrawl: Uint32Array;
  /** Decrease of the objective by one more fetch. */
  readonly shadowPrice: number;
  /** Σ weight·cost when all pages take turns; null if the budget ended first. */
  readonly uniformObjective: number | null;
}
