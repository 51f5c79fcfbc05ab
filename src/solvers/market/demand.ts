/** What a market is made from: what pages make of a price, and what their hosts allow. */
import type { Budget } from '../budget.ts';

/** What pages make of a price, page by page. */
export interface Demand {
  readonly pages: number;
  /** Fetches a unit of time at a price above 0; falls in it. At a price beyond every worth: what must be. */
  fetchesAt(page: number, price: number): number;
  /** What is left of the page's weight then: falls in the fetches and is convex. */
  costOf(page: number, fetches: number): number;
  /**
   * Where given, fetches are whole: what the next one saves, which never increases. Infinity below what the page must
   * have, −Infinity at the most it may have.
   */
  readonly gain?: (page: number, fetches: number) => number;
}

/** Most fetches a unit of time of the pages of each host: `of` has the position of each page's host, −1 for none. */
export interface HostLimits {
  readonly of: Int32Array;
  readonly limit: Float64Array;
}

/** Of all pages and by host; what is not above 0 and finite is unknown. */
export interface NearPrices {
  readonly price: number;
  readonly host: ArrayLike<number>;
}

export interface MarketProblem {
  readonly demand: Demand;
  /** null for none. */
  readonly hosts: HostLimits | null;
  /** A price of the size of the one sought, above 0. */
  readonly start: number;
  /** At a higher price no page is fetched more seldom; left out: beyond every worth. */
  readonly ceiling?: number | undefined;
  /** Prices that are those sought but for a little. */
  readonly near?: NearPrices | undefined;
  readonly budget: Budget;
}

/** A market of whole fetches. */
export interface WholeMarketProblem extends MarketProblem {
  readonly demand: Demand & Required<Pick<Demand, 'gain'>>;
}

export const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && price < Number.POSITIVE_INFINITY;
