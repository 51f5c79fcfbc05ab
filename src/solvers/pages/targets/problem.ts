/** The inverse question: how few crawls leave no more than a target. */
import type { Budget } from '../../budget.ts';
import type { HostGroups } from '../groups/index.ts';

/** What pages make of a price, page by page. */
export interface Wanting {
  readonly pages: number;
  /** Told of a price before all pages are asked for it one by one. */
  allAt?(price: number): void;
  /** Crawls a unit of time at a price above 0; falls in the price. At a price beyond every worth: what must be. */
  crawlsAt(page: number, price: number): number;
  /** The same without steps, where crawls are whole: prices of several limits are looked for with it. */
  smoothAt?(page: number, price: number): number;
  /** What is left then, by weight: falls and is convex in the crawls. */
  leftAt(page: number, crawls: number): number;
}

/** Pages in groups: the position of each page's group, −1 for none, and a limit for each group. */
export interface Groups {
  readonly of: Int32Array;
  readonly limit: Float64Array;
}

/** Hosts that may lie within one another. */
export interface HostLimits extends Groups {
  readonly around?: HostGroups | undefined;
}

/** Of all pages, of each group and of each host: above 0 and finite, or else unknown. */
export interface NearPrices {
  readonly price: number;
  readonly own: ArrayLike<number>;
  readonly host: ArrayLike<number>;
}

export const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && price < Number.POSITIVE_INFINITY;

export interface TargetProblem {
  readonly wanting: Wanting;
  /** Most that all pages may leave together; Infinity where only some of them have a target. */
  readonly whole: number;
  /** Most that groups of pages may leave; null for none. */
  readonly own: Groups | null;
  /** Most crawls a unit of time that groups of pages (hosts) may get together; null for none. */
  readonly hosts: HostLimits | null;
  /** A price near the one sought, above 0. */
  readonly start: number;
  /** Prices that are those sought but for a little, where they are known. */
  readonly near?: NearPrices | undefined;
  /** How near the targets and limits are to be kept; left out: as the number of pages allows. */
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
  readonly own: readonly GroupMet[];
  /**
   * By host: the least price at which it keeps its limit; 0 where it always does, or the price around it is higher.
   * Where hosts overlap, what it adds to the price.
   */
  readonly hostPrice: Float64Array;
  /** By host: what multiplies the price that its pages pay, at least 1; none without hosts. */
  readonly factor?: Float64Array;
}

/** A group with a target of its own: its price, what its pages leave, and their crawls. */
export interface GroupMet {
  readonly price: number;
  /** The highest price at which it keeps its target. */
  readonly ceiling: number;
  readonly left: number;
  readonly crawls: number;
}

/** A target that cannot be reached by any number of crawls. */
export interface OneMissed {
  /** The group that misses its own target; −1: the whole. */
  readonly group: number;
  /** The target, and the least that can be left. */
  readonly target: number;
  readonly least: number;
}

/** What cannot be reached by any number of crawls: the first such target, and the others. */
export interface TargetMissed extends OneMissed {
  readonly met: false;
  readonly others: readonly OneMissed[];
  /** By host: what one more crawl would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
  /** From so many whole crawls on, not all were tried, and some may keep it; Infinity, or left out: none do. */
  readonly untried?: number;
}
