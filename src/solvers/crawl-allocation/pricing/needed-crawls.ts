/**
 * The fewest whole crawls that keep a target: counts by gain per crawl, the largest first, until what is left is little
 * enough.
 *
 * Gains of a page never increase, so the largest gains leave the least at every number of crawls. The first number at
 * which that is no more than the target is the least there is. The price at which it happens is a clearing price
 * (pages/targets); gains equal to it are then taken one by one. Between whole counts what is left is a line, so the
 * dual bound at that price, rounded up, is the number itself. With targets of classes the least whole number of each is
 * necessary, and the largest gains from there on are the best at every number. So the number is its own proof. Where
 * hosts with limits have pages of several targets, prices come from counts whose steps are drawn out (pages/targets).
 * They lead near the fewest crawls and prove a bound; fewest-at-hosts.ts closes what is between.
 * Known limits: there may be too many splits to look at. Then a target within a crawl or so of what such hosts allow may
 * be said to be out of reach, with a warning.
 * Complexity: as of an allocation by exact gains, and the ties at the price.
 */
import type { Budget } from '../../budget.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import { around } from '../../pages/groups/index.ts';
import {
  meetTarget,
  type OneMissed,
  type TargetMet,
  type TargetMissed,
  type Wanting,
} from '../../pages/targets/index.ts';
import type { Evaluation, HostConstraints } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { fewestAtHosts, type TargetSearch } from './fewest-at-hosts.ts';
import { neededAmongMany } from './needed-among-many.ts';
import { exactCount } from './price-count.ts';

export interface NeededCrawls {
  /** What groups with a target of their own come to. */
  readonly met: Pick<TargetMet, 'own'>;
  readonly crawls: Int32Array;
  readonly total: number;
  /** No fewer keep the target. */
  readonly bound: number;
  /** Where the search has made it. */
  readonly evaluation?: Evaluation;
}

/** Sums of what is left differ by less than this from their order alone. */
const rounding = 1e-12;
/** How far below all prices a gain may still do, where hosts are full. */
const deep = 1e-4;
/** Of a usual gain: one that no target is kept by. */
const nothing = 1e-9;
/** A whole number but for rounding. */
const nearlyWhole = 1e-7;

/** @throws NothingToReturn when the budget ends first */
export function neededCrawls(search: TargetSearch, budget: Budget): NeededCrawls | TargetMissed {
  const { pages, weight, whole, own, hosts } = search;
  if (own === null && hosts === null) {
    const many = neededAmongMany({ pages, weight, enough: whole * (1 + rounding), start: startOf(pages) }, budget);
    if (many !== null) return { ...many, met: { own: [] }, bound: many.total };
  }
  const met = reachTarget(search, budget);
  if (!met.met) return met;
  const counts = new WholeCounts(search, met);
  for (const [g, { ceiling }] of met.own.entries()) {
    if (own !== null) counts.addUntil(own.limit[g], (i) => own.of[i] === g, ceiling);
  }
  if (whole < Number.POSITIVE_INFINITY) counts.addUntil(whole, () => true, met.price);
  counts.giveBack();
  const { crawls } = counts;
  const total = sumOf(crawls);
  const dual = Math.max(0, Math.ceil(met.bound - nearlyWhole));
  // each class needs its own least whole number, and from there the largest gains are the best at every number
  if (own !== null && hosts === null) return { met, crawls, total, bound: total };
  const missed = missedBy(search, crawls);
  if (own === null || (missed.length === 0 && dual === total)) return { met, crawls, total, bound: dual };
  const known = missed.length === 0 ? total : Number.POSITIVE_INFINITY;
  const fewest = fewestAtHosts(search, met, known, met.bound);
  const untried = fewest?.untried ?? 0;
  if (fewest?.crawls) {
    const least = sumOf(fewest.crawls);
    return { met, crawls: fewest.crawls, total: least, bound: untried >= least ? least : dual };
  }
  const [first, ...others] = missed;
  if (first !== undefined) return { met: false, ...first, others, hostPrice: met.hostPrice, untried };
  return { met, crawls, total, bound: untried >= total ? total : dual };
}

const sumOf = (crawls: Int32Array): number => crawls.reduce((sum, each) => sum + each, 0);

/** What counts leave of all pages, and of each group. */
function leftOf({ pages, weight, own }: TargetSearch, crawls: Int32Array) {
  const left = new RunningSum();
  const leftBy = Array.from(own?.limit ?? [], () => new RunningSum());
  for (const [i, count] of crawls.entries()) {
    const cost = weight[i] * meanCost(pages, i, count);
    left.add(cost);
    leftBy[own?.of[i] ?? -1]?.add(cost);
  }
  return { left: left.total(), leftBy: leftBy.map((sum) => sum.total()) };
}

/** The targets that counts do not keep. */
function missedBy(search: TargetSearch, crawls: Int32Array): OneMissed[] {
  const { left, leftBy } = leftOf(search, crawls);
  const asked = leftBy.map((least, group) => ({ group, target: search.own?.limit[group] ?? 0, least }));
  asked.push({ group: -1, target: search.whole, least: left });
  return asked.filter(({ target, least }) => least > target * (1 + rounding));
}

/** Crawls that need not be whole. @throws NothingToReturn when the budget ends first */
function reachTarget({ pages, weight, hosts, whole, own }: TargetSearch, budget: Budget): TargetMet | TargetMissed {
  return meetTarget({ ...marketOf(pages, weight, hosts), whole, own, budget });
}

/** Who wants crawls: the pages, as far as their hosts take them. */
export function marketOf(pages: Pages, weight: Float64Array, hosts: HostConstraints | null) {
  const limits = hosts && { of: hosts.of, limit: hosts.maxCrawls, around: hosts.around };
  return { wanting: wantingOf(pages, weight), hosts: limits, start: startOf(pages) };
}

/** What pages want by exact gains; between whole counts what is left is a line. */
function wantingOf(pages: Pages, weight: Float64Array): Wanting {
  const guess = pages.minimum.slice();
  return {
    pages: pages.count,
    crawlsAt(i, price) {
      guess[i] = exactCount(pages, i, price, guess[i]);
      return guess[i];
    },
    smoothAt: (i, price) => smoothCount(pages, i, price),
    leftAt(i, x) {
      const below = Math.floor(x);
      const cost = weight[i] * meanCost(pages, i, below);
      return x === below ? cost : cost + (x - below) * (weight[i] * meanCost(pages, i, below + 1) - cost);
    },
  };
}

/** Of ln p: how far before a gain half of its crawl is taken, and how far behind it all of it. */
const softness = 0.5;

/** The count at a price, each of its steps drawn out into a slope around the gain. */
function smoothCount(pages: Pages, i: number, price: number): number {
  const count = exactCount(pages, i, price, pages.minimum[i]);
  const beyond = count < pages.maximum[i] ? Math.log(price / gainOfNext(pages, i, count)) : Number.POSITIVE_INFINITY;
  const within =
    count > pages.minimum[i] ? Math.log(gainOfNext(pages, i, count - 1) / price) : Number.POSITIVE_INFINITY;
  const wide = Math.min(softness, (beyond + within) / 2);
  const half = (distance: number): number => (wide > 0 ? Math.max(0, 1 - distance / wide) / 2 : 0);
  return count + half(beyond) - half(within);
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
  /** Where full hosts leave too much, gains below this make nothing good. */
  readonly #lowest: number;

  constructor(search: TargetSearch, { crawls: rates, price, own }: TargetMet) {
    const { hosts } = search;
    this.#search = search;
    const prices = [price, ...own.map(({ ceiling }) => ceiling)].filter((each) => each > 0 && each < 1e290);
    const least = Math.max(deep * Math.min(...prices, 1e290), nothing * startOf(search.pages));
    this.#lowest = search.own === null || hosts === null ? 0 : least;
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
    const lowest = this.#lowest;
    let least = Math.max(lowest, Number.isFinite(price) ? price * (1 - 1e-9) : 0);
    for (let now = left(); now > enough; now = left()) {
      const next = this.#gainsFrom(members, least);
      if (next.length === 0) {
        if (least <= lowest) return;
        least = Math.max(lowest, least < 1e-290 ? 0 : least / 2);
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
    const { pages, whole, own } = this.#search;
    const { left, leftBy } = leftOf(this.#search, this.crawls);
    let all = whole * (1 + rounding) - left;
    const slack = leftBy.map((each, g) => (own?.limit[g] ?? 0) * (1 + rounding) - each);
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
