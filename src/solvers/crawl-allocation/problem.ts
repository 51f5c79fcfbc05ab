/** The allocation problem as the solver takes it. */
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { UpdateProcesses } from './update-processes.ts';

export interface CrawlAllocationProblem {
  /** Length T > 0 of the interval. */
  readonly interval: number;
  /** Crawls R ≥ 0 to give out, an integer below 2³¹ − 1. */
  readonly crawls: number;
  readonly updates: UpdateProcesses;
  /** w_i ≥ 0, by page. */
  readonly weight: Float64Array;
  /** m_i: fewest crawls, by page. */
  readonly minCrawls: Int32Array;
  /** M_i: most crawls, by page; −1: no limit. m_i ≤ M_i has been checked. */
  readonly maxCrawls: Int32Array;
  /** Time since the last crawl, ≥ 0, by page; NaN: never crawled. Null: no page has been crawled. */
  readonly lastCrawlAge: Float64Array | null;
  /** The measure of staleness; any but freshness requires that all pages are Poisson. */
  readonly objective: ObjectiveName;
  /** Null: no host has a limit. */
  readonly hosts: PageHosts | null;
  /** How quasi-deterministic pages choose their crawl times: the best, or the paper's greedy rule. */
  readonly quasiDeterministic: 'exact' | 'greedy';
  /** Whether the answer states when each crawl should be made. */
  readonly idealTimes: boolean;
  /**
   * Whether the answer states the costs of two plain allocations: equal counts, and counts in proportion to update
   * rates.
   */
  readonly baselines: boolean;
}

/**
 * Hosts whose pages share a constraint: page i is on host of[i] (−1: none), which takes at most maxCrawls[h] crawls.
 */
export interface PageHosts {
  readonly of: Int32Array;
  readonly maxCrawls: Float64Array;
  readonly names: readonly string[];
}
