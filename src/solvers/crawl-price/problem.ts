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
  /** C_h: by host, maximum crawls per unit of time of its pages together; above 0. */
  readonly maxRate: Float64Array;
}

/** The price of a host with a limit. */
export interface HostPrice {
  /** Position in `maxRate`. */
  readonly host: number;
  /** ν_h: the common price, or a higher one where the limit of the host binds. */
  readonly price: number;
  /**
   * Factor on the crawl rates of its pages so that they sum to the limit; `scale` of the answer if it does not bind.
   */
  readonly scale: number;
  /** Crawls per unit of time after rescaling. */
  readonly rate: number;
  /** Whether the limit binds. */
  readonly limited: boolean;
}

export interface CrawlPriceAnswer {
  readonly status: 'optimal' | 'feasible';
  /** Upper bound on the cost per unit of time of the rescaled plan, and lower bound on the cost of any plan. */
  readonly objective: Objective;
  /** ν, in weight × time per crawl. */
  readonly price: number;
  /** The exact price lies between these. */
  readonly priceBracket: readonly [number, number];
  /** Estimated crawls per unit of time at the prices, before rescaling. */
  readonly rate: number;
  /** Factor on the rates of pages without a binding host limit. */
  readonly scale: number;
  /** Pages that are never crawled at the exact price: estimate and bounds. */
  readonly withoutCrawl: { readonly pages: number; readonly bracket: readonly [number, number] };
  readonly hosts: readonly HostPrice[];
  readonly warnings: readonly Warning[];
  /** Number of prices at which all buckets were evaluated. */
  readonly evaluations: number;
}
