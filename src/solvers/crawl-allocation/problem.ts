/** The allocation problem as the solver takes it. */
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { UpdateProcesses } from './update-processes.ts';

export interface CrawlAllocationProblem {
  /** Length T > 0 of the interval. */
  readonly interval: number;
  /** Crawls R ≥ 0 to give out, an integer below 2³¹ − 1. */
  readonly crawls: number;
  readonly updates: UpdateProcesses;
  /** w_i ≥ 0. */
  readonly weight: Float64Array;
  /** m_i. */
  readonly minCrawls: Int32Array;
  /** M_i; −1: no limit. m_i ≤ M_i has been checked. */
  readonly maxCrawls: Int32Array;
  /** Time since the last crawl, ≥ 0; NaN: never crawled. Null: no page was. */
  readonly lastCrawlAge: Float64Array | null;
  /** What staleness costs; another than freshness for Poisson pages only. */
  readonly objective: ObjectiveName;
  /** Null without host constraints. */
  readonly hosts: PageHosts | null;
  /** How quasi-deterministic pages choose their crawl times: the best, or the paper's greedy rule. */
  readonly quasiDeterministic: 'exact' | 'greedy';
  /** Whether to say when each crawl should be made. */
  readonly idealTimes: boolean;
  /** Whether to cost two plain allocations as well. */
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
