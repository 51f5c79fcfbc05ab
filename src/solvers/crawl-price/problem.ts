/** Problem and answer of crawl-price. */
import type { Objective, Warning } from '../answer.ts';
import type { ObjectiveName } from '../pages/objectives/index.ts';
import type { Histogram } from './buckets.ts';

export interface CrawlPriceProblem {
  readonly objective: ObjectiveName;
  /** R: crawls per unit of time, above 0. */
  readonly rate: number;
  readonly histogram: Histogram;
  /** Position of each bucket's host in `maxRate`, −1 without one; null where no host has a limit. */
  readonly host: Int32Array | null;
  /** C_h: most crawls per unit of time of each host's pages together; above 0. */
  readonly maxRate: Float64Array;
}

/** The price of a host with a limit. */
export interface HostPrice {
  /** Position in `maxRate`. */
  readonly host: number;
  /** ν_h: `price`, or more where its limit binds. */
  readonly price: number;
  /**
   * Factor on the rates of its pages so that the host spends its limit; where the limit does not bind, `scale` of the
   * answer.
   */
  readonly scale: number;
  /** Crawls per unit of time after rescaling. */
  readonly rate: number;
  readonly limited: boolean;
}

export interface CrawlPriceAnswer {
  readonly status: 'optimal' | 'feasible';
  /** Cost per unit of time of the rescaled plan (proved from above) and the proved bound of every plan. */
  readonly objective: Objective;
  /** ν, in weight × time per crawl. */
  readonly price: number;
  /** The exact price lies between these. */
  readonly priceBracket: readonly [number, number];
  /** Crawls per unit of time at the prices before rescaling, estimated. */
  readonly rate: number;
  /** Factor on the rates of pages without a binding host limit. */
  readonly scale: number;
  /** Pages that are never crawled at the exact price: estimate and bounds. */
  readonly withoutCrawl: { readonly pages: number; readonly bracket: readonly [number, number] };
  readonly hosts: readonly HostPrice[];
  readonly warnings: readonly Warning[];
  /** Evaluations of all buckets at a price. */
  readonly evaluations: number;
}
