/** The inverse question: how few crawls leave no more than a target. */
import type { Budget } from '../../budget.ts';

/** What pages make of a price, page by page. */
export interface Wanting {
  readonly pages: number;
  /** Told of a price before all pages are asked for it one by one. */
  allAt?(price: number): void;
  /** Crawls a unit of time at a price above 0; falls in the price. At a price beyond every worth: what must be. */
  crawlsAt(page: number, price: number): number;
  /** What is left then, by weight: falls and is convex in the crawls. */
  leftAt(page: number, crawls: number): number;
}

/** Most crawls a unit of time of the pages of each host: `of` has the position of each page's host, −1 for none. */
export interface HostLimits {
  readonly of: Int32Array;
  readonly limit: Float64Array;
}

/** Of all pages and of each host: above 0 and finite, or else unknown. */
export interface NearPrices {
  readonly price: number;
  readonly host: ArrayLike<number>;
}

export const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && price < Number.POSITIVE_INFINITY;

export interface TargetProblem {
  readonly wanting: Wanting;
  /** Most that all pages may leave together. */
  readonly whole: number;
  /** null for none. */
  readonly hosts: HostLimits | null;
  /** A price near the one sought, above 0. */
  readonly start: number;
  /** Prices that are those sought but for a little, where they are known. */
  readonly near?: NearPrices | undefined;
  /** Relative, of the target and of the hosts' limits; left out: as the number of pages allows. */
  readonly tolerance?: number | undefined;
  readonly budget: Budget;
}

/** The least crawls, and what they leave. */
export interface TargetMet {
  readonly met: true;
  /** By page. */
  readonly crawls: Float64Array;
  /** Σ crawls, and what no crawls below can do. */
  readonly total: number;
  readonly bound: number;
  /** Σ of what is left. */
  readonly left: number;
  /** What one more crawl saves of what is left; Infinity where no crawl is needed but those that must be. */
  readonly price: number;
  /**
   * By host: the least price at which it keeps its limit; 0 where it always does, or that of all is higher.
   * Where hosts overlap, what it adds to the price.
   */
  readonly hostPrice: Float64Array;
}

/** A target that no number of crawls reaches. */
export interface TargetMissed {
  readonly met: false;
  /** The least that can be left. */
  readonly least: number;
  /** By host: what one more crawl would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
}
