/** The input of a market: the demand of the pages at a price, and the limits of their hosts. */
import type { Budget } from '../budget.ts';

/** Demand and cost, page by page. */
export interface Demand {
  readonly pages: number;
  /** Fetches per unit of time at a price above 0; falls in the price, down to the minimum of the page. */
  fetchesAt(page: number, price: number): number;
  /** Cost of the page at that number of fetches: falls in the fetches and is convex. */
  costOf(page: number, fetches: number): number;
  /**
   * If present, fetches are whole: the saving by the next one, which never increases. Infinity below the minimum of the
   * page, −Infinity at its maximum.
   */
  readonly gain?: (page: number, fetches: number) => number;
}

/** Limits on the fetches of hosts. */
export interface HostLimits {
  /** By page: position of its host, −1 for none. */
  readonly of: Int32Array;
  /** By host: maximum fetches per unit of time of its pages together; Infinity for no limit. */
  readonly limit: Float64Array;
}

/**
 * Approximate prices to start from: the common one, and by host; an entry that is not positive and finite is ignored.
 */
export interface WarmStart {
  readonly price: number;
  readonly host: ArrayLike<number>;
}

export interface MarketProblem {
  readonly demand: Demand;
  /** null: no host has a limit. */
  readonly hosts: HostLimits | null;
  /** A price of the right order of magnitude, above 0. */
  readonly start: number;
  /** Demand does not fall any further above this price; default: no ceiling. */
  readonly ceiling?: number | undefined;
  /** Relative tolerance of the supply where it is above rounding, for a caller that rescales the fetches. */
  readonly tolerance?: number | undefined;
  /** Prices of a similar problem. */
  readonly warmStart?: WarmStart | undefined;
  readonly budget: Budget;
}

/** A market of whole fetches. */
export interface WholeMarketProblem extends MarketProblem {
  readonly demand: Demand & Required<Pick<Demand, 'gain'>>;
}

export const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && price < Number.POSITIVE_INFINITY;
