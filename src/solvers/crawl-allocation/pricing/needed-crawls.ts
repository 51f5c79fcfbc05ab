/**
 * The fewest whole crawls that keep a target: counts by gain per crawl, the largest first, until what is left is little
 * enough.
 *
 * Gains of a page never increase, so the largest gains leave the least at every number of crawls. The first number at
 * which that is no more than the target is the least there is. The price at which it happens is a clearing price
 * (market); gains equal to it are then taken one by one. Between whole counts what is left is a line, so the
 * dual bound at that price, rounded up, is the number itself.
 * Complexity: as of an allocation by exact gains, and the ties at the price.
 */
import type { Budget } from '../../budget.ts';
import { clearTarget, type Demand, type MarketProblem, type TargetMet, type TargetMissed } from '../../market/index.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import type { Evaluation, HostConstraints } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { neededAmongMany } from './needed-among-many.ts';
import { exactCount } from './price-count.ts';

export interface TargetSearch {
  readonly pages: Pages;
  readonly weight: Float64Array;
  readonly hosts: HostConstraints | null;
  /** Most that all pages may leave of Σ w·A. */
  readonly whole: number;
}

export interface NeededCrawls {
  readonly crawls: Int32Array;
  readonly total: number;
  /** No fewer keep the target. */
  readonly bound: number;
  /** Where the search has made it. */
  readonly evaluation?: Evaluation;
}

/** Sums of what is left differ by less than this from their order alone. */
const rounding = 1e-12;
/** A whole number but for rounding. */
const nearlyWhole = 1e-7;

/** @throws NothingToReturn when the budget ends first */
export function neededCrawls(search: TargetSearch, budget: Budget): NeededCrawls | TargetMissed {
  const { pages, weight, whole, hosts } = search;
  if (hosts === null) {
    const many = neededAmongMany({ pages, weight, enough: whole * (1 + rounding), start: startOf(pages) }, budget);
    if (many !== null) return { ...many, bound: many.total };
  }
  const met = clearTarget(marketOf(pages, weight, hosts, budget), whole);
  if (!met.met) return met;
  const counts = new WholeCounts(search, met);
  counts.addUntilKept(met.price);
  counts.giveBack();
  const { crawls } = counts;
  const total = crawls.reduce((sum, each) => sum + each, 0);
  return { crawls, total, bound: Math.max(0, Math.ceil(met.bound - nearlyWhole)) };
}

/** Who wants crawls: the pages, as far as their hosts take them. */
export function marketOf(
  pages: Pages,
  weight: Float64Array,
  hosts: HostConstraints | null,
  budget: Budget,
): MarketProblem {
  const limits = hosts && { of: hosts.of, limit: hosts.maxCrawls };
  return { demand: demandOf(pages, weight), hosts: limits, start: startOf(pages), budget };
}

/** What pages want by exact gains; between whole counts what is left is a line. */
function demandOf(pages: Pages, weight: Float64Array): Demand {
  const guess = pages.minimum.slice();
  return {
    pages: pages.count,
    fetchesAt(i, price) {
      guess[i] = exactCount(pages, i, price, guess[i]);
      return guess[i];
    },
    leftAt(i, x) {
      const below = Math.floor(x);
      const cost = weight[i] * meanCost(pages, i, below);
      return x === below ? cost : cost + (x - below) * (weight[i] * meanCost(pages, i, below + 1) - cost);
    },
  };
}

/** What a crawl is worth to pages that have one, in the mean: above 0. */
export function startOf(pages: Pages): number {
  const stride = Math.ceil(pages.count / 1024);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < pages.count; i += stride, count++) sum += gainOfNext(pages, i, Math.max(1, pages.minimum[i]));
  return sum > 0 ? sum / count : 1;
}

/** Whole counts on their way up. */
class WholeCounts {
  readonly crawls: Int32Array;
  readonly #search: TargetSearch;
  /** Crawls that each host still has room for. */
  readonly #room: Float64Array;

  constructor(search: TargetSearch, { fetches }: TargetMet) {
    const { hosts } = search;
    this.#search = search;
    this.crawls = Int32Array.from(fetches, (x) => Math.floor(x + nearlyWhole));
    this.#room = hosts === null ? new Float64Array(0) : hosts.maxCrawls.slice();
    for (const [i, count] of this.crawls.entries()) if (this.#hostOf(i) >= 0) this.#room[this.#hostOf(i)] -= count;
  }

  /** Whether the page's host takes no more. */
  #isFull(page: number): boolean {
    const h = this.#hostOf(page);
    return h >= 0 && !(this.#room[h] > 0);
  }

  #hostOf(page: number): number {
    return this.#search.hosts?.of[page] ?? -1;
  }

  #left(): number {
    const { pages, weight } = this.#search;
    const sum = new RunningSum();
    for (const [i, count] of this.crawls.entries()) sum.add(weight[i] * meanCost(pages, i, count));
    return sum.total();
  }

  /** Takes the largest gains, from a price down, until the pages leave no more than the target. */
  addUntilKept(price: number): void {
    const enough = this.#search.whole * (1 + rounding);
    let least = Number.isFinite(price) ? price * (1 - 1e-9) : 0;
    for (let now = this.#left(); now > enough; now = this.#left()) {
      const next = this.#gainsFrom(least);
      if (next.length === 0) {
        if (least <= 0) return;
        least = least < 1e-290 ? 0 : least / 2;
      }
      for (const { page, gain } of next) {
        if (now <= enough) break;
        if (!this.#take(page)) continue;
        now -= gain;
      }
    }
  }

  /**
   * Gives back crawls, the least gains first, while the target is kept without them. A price takes too many where many
   * gains differ by their rounding alone.
   */
  giveBack(): void {
    const { pages, whole } = this.#search;
    let slack = whole * (1 + rounding) - this.#left();
    for (let found = true; found; ) {
      found = false;
      const spare: { page: number; gain: number }[] = [];
      for (let page = 0; page < pages.count; page++) {
        if (this.crawls[page] <= pages.minimum[page]) continue;
        const gain = gainOfNext(pages, page, this.crawls[page] - 1);
        if (gain <= slack) spare.push({ page, gain });
      }
      for (const { page, gain } of spare.sort((a, b) => a.gain - b.gain)) {
        if (gain > slack) break;
        this.crawls[page]--;
        slack -= gain;
        found = true;
      }
    }
  }

  /** The next gain of each page that has one of at least so much, the largest first. */
  #gainsFrom(least: number): { readonly page: number; readonly gain: number }[] {
    const { pages } = this.#search;
    const found: { page: number; gain: number }[] = [];
    for (let page = 0; page < pages.count; page++) {
      if (this.crawls[page] >= pages.maximum[page]) continue;
      if (this.#isFull(page)) continue;
      const gain = gainOfNext(pages, page, this.crawls[page]);
      if (gain > 0 && gain >= least) found.push({ page, gain });
    }
    return found.sort((a, b) => b.gain - a.gain);
  }

  #take(page: number): boolean {
    if (this.#isFull(page)) return false;
    const h = this.#hostOf(page);
    if (h >= 0) this.#room[h]--;
    this.crawls[page]++;
    return true;
  }
}
