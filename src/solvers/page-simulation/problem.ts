/** A simulation of pages as it is asked for. */
import type { CheckLog } from '../estimation/index.ts';
import type { AdaptiveRule } from './fetch-rule.ts';
import type { SimulatedUpdates } from './update-stream.ts';

/** How the pages are fetched. Arrays are by page. */
export type FetchPolicy =
  | { readonly type: 'rates'; readonly rates: Float64Array; readonly spacing: 'even' | 'random' }
  /** Fetches with their pages, in the order of time. */
  | { readonly type: 'schedule'; readonly times: Float64Array; readonly pages: Uint32Array }
  /** Pages in turn, for ever, at `crawlRate` fetches per time unit. */
  | { readonly type: 'sequence'; readonly sequence: Uint32Array; readonly crawlRate: number }
  | { readonly type: 'adaptive'; readonly rule: AdaptiveRule }
  | PlannedPolicy;

/** Plans made every so often from what the fetches have seen, and followed. */
export interface PlannedPolicy {
  readonly type: 'planned';
  /** Time from one plan to the next. */
  readonly every: number;
  /** Fetches per plan. */
  readonly crawls: number;
  /** Makes the plan from `now` on for `every` time units; null when stopped. */
  plan(log: CheckLog, now: number, crawls: number, stop: () => boolean): PlannedFetches | null;
}

/** Fetches with their pages, in the order of time. */
interface PlannedFetches {
  readonly times: Float64Array;
  readonly pages: Uint32Array;
}

export interface PageSimulationProblem {
  readonly updates: readonly SimulatedUpdates[];
  readonly weight: Float64Array;
  /**
   * Time since the last fetch, at time 0; NaN for a page never fetched. Rates, sequences and adaptive rules set their
   * own.
   */
  readonly lastCrawlAge: Float64Array;
  /** By page: position of its host, −1 for none. */
  readonly host: Int32Array;
  /** The chance that a change of a page is a change of the other pages of its host, which are then Poisson; or 0. */
  readonly commonChanges: number;
  readonly policy: FetchPolicy;
  /** Time units observed in each replication. */
  readonly duration: number;
  readonly replications: number;
  readonly perPage: boolean;
}

/** How long before time 0 page i is followed, as a rule: the age of its copy, or a bound of it. */
export function meanLead({ policy, lastCrawlAge }: PageSimulationProblem, i: number): number {
  switch (policy.type) {
    case 'rates':
      return policy.rates[i] > 0 ? 1 / policy.rates[i] : 0;
    case 'adaptive':
      return policy.rule.firstInterval;
    case 'sequence':
      return policy.sequence.length / policy.crawlRate;
    default:
      return lastCrawlAge[i] || 0;
  }
}
