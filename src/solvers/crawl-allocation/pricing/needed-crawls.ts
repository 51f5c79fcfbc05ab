/**
 * The fewest whole crawls that keep a target: counts by gain per crawl, the largest first, until what is left is little
 * enough.
 *
 * Gains of a page never increase, so the largest gains leave the least at every number of crawls. The first number at
 * which that is no more than the target is the least there is. The price at which it happens is a clearing price
 * (pages/targets); gains equal to it are then taken one by one. Between whole counts what is left is a line, so the
 * dual bound at that price, rounded up, is the number itself. With targets of classes the least whole number of each is
 * necessary, and the largest gains from there on are the best at every number. So the number is its own proof.
 * Complexity: as of an allocation by exact gains, and the ties at the price.
 */
import type { Budget } from '../../budget.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import { around } from '../../pages/groups/index.ts';
import { type Groups, meetApart, type TargetMet, type TargetMissed, type Wanting } from '../../pages/targets/index.ts';
import type { Evaluation, HostConstraints } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { neededAmongMany } from './needed-among-many.ts';
import { exactCount } from './price-count.ts';

/** What an allocation is to leave at most: Σ w·A of all pages (Infinity: no target), and of groups of them. */
export interface AllocationTarget {
  readonly whole: number;
  readonly own: Groups | null;
}

export interface NeededCrawls {
  /** What groups with a target of their own come to. */
  readonly met: Pick<TargetMet, 'own'>;
  readonly crawls: Int32Array;
  readonly total: number;
  /** No fewer keep the target; null where no bound is known. */
  readonly bound: number | null;
  /** Where the search has made it. */
  readonly evaluation?: Evaluation;
}

/** Sums of what is left differ by less than this from their order alone. */
const rounding = 1e-12;
/** A whole number but for rounding. */
const nearlyWhole = 1e-7;

export interface TargetSearch extends AllocationTarget {
  readonly pages: Pages;
  readonly weight: Float64Array;
  readonly hosts: HostConstraints | null;
}

/** @throws NothingToReturn when the budget ends first */
export function neededCrawls(search: TargetSearch, budget: Budget): NeededCrawls | TargetMissed {
  const { pages, weight, whole, own, hosts } = search;
  if (own === null && hosts === null) {
    const many = neededAmongMany({ pages, weight, enough: whole * (1 + rounding), start: startOf(pages) }, budget);
    if (many !== null) return { ...many, met: { own: [] }, bound: many.total };
  }
  const met = reachTarget(search, budget);
  if (!met.met) return met;
  const counts = new WholeCounts(search, met.crawls);
  for (const [g, { ceiling }] of met.own.entries()) {
    if (own !== null) counts.addUntil(own.limit[g], (i) => own.of[i] === g, ceiling);
  }
  if (whole < Number.POSITIVE_INFINITY) counts.addUntil(whole, () => true, met.price);
  counts.giveBack();
  const { crawls } = counts;
  let total = 0;
  for (const count of crawls) total += count;
  const dual = met.bound === null ? null : Math.min(total, Math.max(0, Math.ceil(met.bound - nearlyWhole)));
  // each class needs its own least whole number, and from there the largest gains are the best at every number
  const bound = own !== null && hosts === null ? total : dual;
  return { met, crawls, total, bound };
}

/** Crawls that need not be whole. @throws NothingToReturn when the budget ends first */
export function reachTarget(
  { pages, weight, hosts, whole, own }: TargetSearch,
  budget: Budget,
): TargetMet | TargetMissed {
  const limits = hosts === null ? null : { of: hosts.of, limit: hosts.maxCrawls, around: hosts.around };
  const wanting = wantingOf(pages, weight);
  return meetApart({ wanting, whole, own, hosts: limits, start: startOf(pages), budget });
}

/** What pages want by exact gains; between whole counts what is left is a line. */
export function wantingOf(pages: Pages, weight: Float64Array): Wanting {
  const guess = pages.minimum.slice();
  return {
    pages: pages.count,
    crawlsAt(i, price) {
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

  constructor(search: TargetSearch, rates: Float64Array) {
    const { hosts } = search;
    this.#search = search;
    this.crawls = Int32Array.from(rates, (x) => Math.floor(x + nearlyWhole));
    this.#room = hosts === null ? new Float64Array(0) : hosts.maxCrawls.slice();
    for (const [i, count] of this.crawls.entries()) for (const h of this.#hostsOf(i)) this.#room[h] -= count;
  }

  /** The limited hosts that a page lies in. */
  #hostsOf(page: number): Int32Array {
    const { hosts } = this.#search;
    return around(hosts?.around, hosts?.of[page] ?? -1);
  }

  /** Takes the largest gains, from a price down, until the pages leave no more than a limit. */
  addUntil(limit: number, of: (page: number) => boolean, price: number): void {
    const { pages, weight } = this.#search;
    const members: number[] = [];
    for (let i = 0; i < pages.count; i++) if (of(i)) members.push(i);
    const enough = limit * (1 + rounding);
    const left = (): number => {
      const sum = new RunningSum();
      for (const i of members) sum.add(weight[i] * meanCost(pages, i, this.crawls[i]));
      return sum.total();
    };
    let least = Number.isFinite(price) ? price * (1 - 1e-9) : 0;
    for (let now = left(); now > enough; now = left()) {
      const next = this.#gainsFrom(members, least);
      if (next.length === 0) {
        if (least === 0) return;
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
   * Gives back crawls, the least gains first, while every target is kept without them. A price takes too many where many
   * gains differ by their rounding alone.
   */
  giveBack(): void {
    const { pages, weight, whole, own } = this.#search;
    const left = new RunningSum();
    const leftBy = Array.from(own?.limit ?? [], () => new RunningSum());
    for (let i = 0; i < pages.count; i++) {
      const cost = weight[i] * meanCost(pages, i, this.crawls[i]);
      left.add(cost);
      leftBy[own?.of[i] ?? -1]?.add(cost);
    }
    let all = whole * (1 + rounding) - left.total();
    const slack = leftBy.map((sum, g) => (own?.limit[g] ?? 0) * (1 + rounding) - sum.total());
    for (let found = true; found; ) {
      found = false;
      const spare: { page: number; gain: number }[] = [];
      for (let page = 0; page < pages.count; page++) {
        if (this.crawls[page] <= pages.minimum[page]) continue;
        const gain = gainOfNext(pages, page, this.crawls[page] - 1);
        if (gain <= all) spare.push({ page, gain });
      }
      for (const { page, gain } of spare.sort((a, b) => a.gain - b.gain)) {
        const g = own?.of[page] ?? -1;
        if (gain > Math.min(all, slack[g] ?? all)) continue;
        this.crawls[page]--;
        all -= gain;
        if (g >= 0) slack[g] -= gain;
        found = true;
      }
    }
  }

  /** The next gain of each page that has one of at least so much, the largest first. */
  #gainsFrom(members: readonly number[], least: number): { readonly page: number; readonly gain: number }[] {
    const { pages } = this.#search;
    const found: { page: number; gain: number }[] = [];
    for (const page of members) {
      if (this.crawls[page] >= pages.maximum[page]) continue;
      if (this.#hostsOf(page).some((h) => !(this.#room[h] > 0))) continue;
      const gain = gainOfNext(pages, page, this.crawls[page]);
      if (gain > 0 && gain >= least) found.push({ page, gain });
    }
    return found.sort((a, b) => b.gain - a.gain);
  }

  #take(page: number): boolean {
    const hosts = this.#hostsOf(page);
    if (hosts.some((h) => !(this.#room[h] > 0))) return false;
    for (const h of hosts) this.#room[h]--;
    this.crawls[page]++;
    return true;
  }
}
