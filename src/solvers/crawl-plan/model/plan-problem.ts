/** What a plan is made from and what it says. Times in seconds. */
import type { Conflict, Objective, Warning } from '../../answer.ts';
import type { CheckHistory } from '../../estimation/changes/check-history.ts';
import type { BurstChoice } from '../../estimation/changes/choose-bursts.ts';
import type { GroupRhythm, RhythmChoice, WallClock } from '../../estimation/rhythm/index.ts';
import type { GroupStrengths } from '../../estimation/siblings/index.ts';
import type { ObjectiveName } from '../../objectives/index.ts';
import type { Availability } from './availability.ts';
import type { FetchCosts } from './fetch-costs.ts';

export type Estimator = 'maximum-likelihood' | 'drifting-rate';

/** Whether fetch intervals are kept that are best for ever, or this interval alone counts. */
export type Horizon = 'long-run' | 'interval';

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
  /** By host: its name, and the seconds between two fetches of it. */
  readonly hostName: readonly string[];
  readonly hostDelay: Float64Array;
  /** By host: most fetches a second in the mean, Infinity for no limit; left out: no host has one. */
  readonly hostRate?: Float64Array | undefined;
  /** Share of the crawls that is spread evenly: no page waits longer than this makes it. */
  readonly floor: number;
  readonly estimator: Estimator;
  /** Left out: `long-run`. `interval` takes neither costs nor exploration, and no floor. */
  readonly horizon?: Horizon | undefined;
  /** What staleness costs; left out: freshness. */
  readonly objective?: ObjectiveName;
  /** Items a page shows at most, NaN for no such window, and the chance of losing some between two fetches. */
  readonly windowItems?: Float64Array;
  readonly lossProbability?: Float64Array;
  /** Left out: fetches are allowed at all times. */
  readonly availability?: Availability | undefined;
  /** Whether fetches are also made for what they teach of rates; needs the drifting rate. Left out: no. */
  readonly exploration?: boolean | undefined;
  /** Whether rates may burst, where the log shows that they do; needs the drifting rate and freshness. Left out: no. */
  readonly bursts?: boolean | undefined;
  /**
   * Whether rates may go up and down over the day and the week, where the log shows that they do; needs freshness. Left
   * out: no.
   */
  readonly rhythm?: RhythmQuestion | undefined;
  /** Pages that may change together; left out: each by itself. */
  readonly groups?: PageGroups | undefined;
  /** 1 where the history is a record of all changes. */
  readonly knownEvents?: Int32Array;
  /** Left out: every fetch costs one slot, and nothing else is limited. */
  readonly costs?: FetchCosts | undefined;
  /** Left out: no page has signals. */
  readonly signals?: SignalEvidence | undefined;
}

/** What a plan is told of each page itself, where there is nothing to tell: see {@link plainPages}. */
export type PlainPages = Pick<
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

/** Signals of changes (sitemap lastmod, IndexNow, pings), and how far they can be trusted. */
export interface SignalEvidence {
  /** By page: the share of its signals that are right, in (0, 1], NaN for a page without signals; */
  readonly precision: Float64Array;
  /** the share of its changes that are signalled, in [0, 1]; */
  readonly recall: Float64Array;
  /** and the signals since its last fetch. */
  readonly since: Float64Array;
  /** By check: the signals between it and the check before. */
  readonly byCheck: Float64Array;
}

/** By which clock on a wall pages may keep hours, and which of them may keep their own. */
export interface RhythmQuestion {
  readonly wall: WallClock;
  readonly group?: PageGroups | undefined;
  /**
   * By how many times the mean slots may be nearer to each other at the hours at which they are worth most; left out:
   * they stay.
   */
  readonly peak?: number | undefined;
}

/** Which pages may change together. */
export interface PageGroups {
  /** By page: position of its group, −1 for none. */
  readonly group: Int32Array;
  /** By group. */
  readonly names: readonly string[];
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
  /** Where a budget cannot pay: what the fetches due cost at least. */
  readonly costNeeded?: number | undefined;
  /** What would make it possible, in words, and each single change that would; empty where none was found in time. */
  readonly repair: string;
  readonly repairs: readonly PlanRepair[];
}

/** One change with which the conflict is gone, the least to a hundredth. */
export interface PlanRepair {
  readonly change: 'maxInterval' | 'crawls' | 'budget' | 'minDelay' | 'maxRate';
  /** By how many times; of longest intervals all are meant. */
  readonly factor: number;
  /** The value that will do; null for longest intervals, of which each page has its own. */
  readonly to: number | null;
  /** Whose delay or rate it is. */
  readonly host: string | null;
}

/** A plan, or the proof that none keeps the longest intervals asked for. */
export type CrawlPlanAnswer =
  | {
      readonly status: 'optimal' | 'feasible';
      /**
       * Σ weight·cost in the interval, under freshness Σ weight·staleness, and what no schedule with as many fetches
       * can beat; no bound where the time was up, nor with bursts.
       */
      readonly objective: Objective;
      /**
       * Σ weight·cost of the fetch intervals kept for ever, and what none can beat that keep the same limits; null
       * where the longest intervals ask for more fetches than there are, and where no bound is known.
       */
      readonly longRun: Objective | null;
      readonly plan: CrawlPlan;
      readonly warnings: readonly Warning[];
    }
  | { readonly status: 'infeasible'; readonly conflict: PlanConflict };

/** How pages of a group change together. */
export interface SiblingFigures {
  readonly strengths: GroupStrengths;
  /** By page: what its chance to be unchanged is multiplied by when a page of its group is found changed. */
  readonly factor: Float64Array;
  /** By page: the seconds by which its next fetch is then due sooner. */
  readonly sooner: Float64Array;
}

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
  /** Share of the interval the copy is expected to be stale: under this plan, and when all pages take turns. */
  readonly staleness: Float64Array;
  readonly uniformStaleness: Float64Array;
  /** Mean cost of the copy over the interval by the objective: the staleness itself under freshness. */
  readonly cost: Float64Array;
  /**
   * Seconds: how long a change of the interval waits, and how old what is shown is; null unless they are the objective.
   */
  readonly meanDelay: Float64Array | null;
  readonly meanAge: Float64Array | null;
  /** The bursts chosen, and whether they are taken; null where that was not asked for. */
  readonly bursts: BurstChoice | null;
  /**
   * The rhythm of all pages over the week, taken or not, and of groups with one of their own; null where that was not
   * asked for.
   */
  readonly rhythm: { readonly common: RhythmChoice; readonly groups: readonly GroupRhythm[] } | null;
  /** Positions of pages probed for what a fetch teaches; null where that was not asked for. */
  readonly probed: Uint32Array | null;
  /** What is known of pages that change together; null where no groups were asked for. */
  readonly siblings: SiblingFigures | null;
  /** Used slots in time order. */
  readonly slotTime: Float64Array;
  readonly slotCrawler: Uint32Array;
  readonly slotPage: Uint32Array;
  readonly idleSlots: number;
  /** What the fetches are expected to cost; null where fetches have no cost. */
  readonly spent: number | null;
  /** Pages without a fetch in the interval. */
  readonly withoutCrawl: Uint32Array;
  /** What the objective would fall by with one fetch more. */
  readonly shadowPrice: number;
  /** Σ weight·cost when all pages take turns. */
  readonly uniformObjective: number;
}
