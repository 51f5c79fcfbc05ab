/**
 * The first timetable: an index schedule (solvers/schedule) by stale time.
 *
 * Every slot goes to the page whose crawl is worth most just then, within hosts' delays: slot by slot where pages × slots
 * are few, else by epochs. A crawl is worth the lesser of what it saves in the long run and of what it saves until the
 * interval ends if no other follows (stale-time.ts). Where slots are to spare it waits until that is what one more crawl
 * saves, unless its host is full. Pages and hosts that have all their crawls take no more, and crawls that others must still have are left to
 * them: a page that must have m crawls is crawled at least every m-th of the interval.
 * Source: the index of Azar et al. 2018 and Kolobov et al. 2019, with the end of the interval in sight.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import type { CrawlAllocation } from '../crawl-allocation/index.ts';
import { type IndexedPages, isSlotBySlotAffordable, scheduleByEpochs, scheduleSlotBySlot } from '../schedule/index.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import { intervalStart, type StaleTime } from './stale-time.ts';

interface FirstSlots {
  readonly problem: CrawlScheduleProblem;
  readonly slotTime: Float64Array;
  readonly stale: StaleTime;
  /** What one more crawl saves with times free: the scale of worths. */
  readonly price: number;
  /** Counts with times free. */
  readonly ideal: Pick<CrawlAllocation, 'crawls' | 'hosts'>;
}

/**
 * The page of each slot, −1 for none, and how many crawls found no slot.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function createTimetable({ problem, slotTime, stale, price, ideal }: FirstSlots, budget: Budget) {
  const { allocation, hostDelays } = problem;
  const { interval, crawls, weight, minCrawls } = allocation;
  const model = new StaleTimePages(problem, stale, leastWorths(problem, ideal, slotTime.length > crawls ? price : 0));
  const endless = weight.map(() => Number.POSITIVE_INFINITY);
  const schedule = {
    model,
    slotTime,
    interval,
    age: model.ages,
    price: price > 0 ? price : Number.MIN_VALUE,
    cap: endless,
    minInterval: new Float64Array(weight.length),
    maxInterval: endless.map((none, i) => (minCrawls[i] > 0 ? interval / minCrawls[i] : none)),
    notBefore: weight.map((_, i) => Math.max(0, hostDelays?.from[hostDelays.of[i]] ?? 0)),
    host: hostDelays?.of ?? new Int32Array(weight.length).fill(-1),
    hostDelay: hostDelays?.delay ?? new Float64Array(0),
    shortInterval: interval / Math.max(1, ideal.crawls.slice().sort()[Math.floor(0.999 * weight.length)]),
  };
  const schedules = isSlotBySlotAffordable(schedule) ? scheduleSlotBySlot : scheduleByEpochs;
  const found = schedules(schedule, budget);
  if (found.stopped) throw new NothingToReturn('the crawls had no slots yet');
  // a deadline is kept for pages too that have all their crawls
  const counts = new CrawlCounts(problem);
  let given = 0;
  const page = found.page.map((i) => {
    if (i < 0 || !counts.mayTake(i)) return -1;
    counts.take(i);
    given++;
    return i;
  });
  return { page, open: crawls - given };
}

/**
 * What a crawl must be worth, by page: nothing where one more would not save less elsewhere. In a full host waiting
 * costs a crawl, since its delay begins later.
 */
function leastWorths({ allocation }: CrawlScheduleProblem, { hosts }: FirstSlots['ideal'], price: number) {
  const { minCrawls, hosts: limits } = allocation;
  const isFull = hosts?.map(({ crawls }, h) => crawls >= (limits?.maxCrawls[h] ?? 0)) ?? [];
  return Float64Array.from(minCrawls, (least, i) => (least > 0 || isFull[limits?.of[i] ?? -1] ? 0 : price));
}

/** Crawls that pages, hosts and all together may still have. */
class CrawlCounts {
  readonly #hostOf: Int32Array | null;
  readonly #left: Float64Array;
  readonly #leftOfHost: Float64Array;
  /** Crawls that a page must still have; and crawls for those that need none. */
  readonly #needs: Int32Array;
  #spare: number;

  constructor({ allocation }: CrawlScheduleProblem) {
    const { maxCrawls, minCrawls, hosts, crawls } = allocation;
    this.#hostOf = hosts?.of ?? null;
    this.#left = Float64Array.from(maxCrawls, (most) => (most < 0 ? Number.POSITIVE_INFINITY : most));
    this.#leftOfHost = hosts?.maxCrawls.slice() ?? new Float64Array(0);
    this.#needs = minCrawls.slice();
    this.#spare = crawls - minCrawls.reduce((sum, least) => sum + least, 0);
  }

  mayTake(i: number): boolean {
    const h = this.#hostOf?.[i] ?? -1;
    return this.#left[i] > 0 && (h < 0 || this.#leftOfHost[h] > 0) && (this.#needs[i] > 0 || this.#spare > 0);
  }

  take(i: number): void {
    const h = this.#hostOf?.[i] ?? -1;
    this.#left[i]--;
    if (h >= 0) this.#leftOfHost[h]--;
    if (this.#needs[i] > 0) this.#needs[i]--;
    else this.#spare--;
  }
}

class StaleTimePages implements IndexedPages {
  readonly pages: number;
  /** At the start; for pages never crawled just so old that their hosts are ready. */
  readonly ages: Float64Array;
  readonly #problem: CrawlScheduleProblem;
  readonly #stale: StaleTime;
  /** Last crawl; before the interval by the age. */
  readonly #last: Float64Array;
  readonly #isCrawled: Uint8Array;
  readonly #counts: CrawlCounts;
  /** What a crawl is worth at least. */
  readonly #least: Float64Array;

  constructor(problem: CrawlScheduleProblem, stale: StaleTime, least: Float64Array) {
    const { weight, lastCrawlAge } = problem.allocation;
    this.pages = weight.length;
    this.#problem = problem;
    this.#stale = stale;
    const unseen = problem.hostDelays?.delay.reduce((most, each) => Math.max(most, each), 0) ?? 0;
    this.ages = weight.map((_, i) => (lastCrawlAge !== null && lastCrawlAge[i] >= 0 ? lastCrawlAge[i] : unseen));
    this.#last = this.ages.map((age) => -age);
    this.#isCrawled = new Uint8Array(weight.length);
    this.#counts = new CrawlCounts(problem);
    this.#least = least;
  }

  worth(i: number, age: number): number {
    if (!this.#counts.mayTake(i)) return -1;
    const { weight, interval } = this.#problem.allocation;
    const time = Math.max(0, this.#last[i] + age);
    const from = this.#isCrawled[i] === 1 ? this.#last[i] : intervalStart;
    const worth = weight[i] * this.#stale.worthAt(i, from, time, interval);
    return worth > this.#least[i] || this.#least[i] === 0 ? worth : -1;
  }

  ageAt(i: number, price: number): number {
    if (!this.#counts.mayTake(i)) return Number.POSITIVE_INFINITY;
    const { weight, interval, lastCrawlAge } = this.#problem.allocation;
    // a page never crawled is worth most at the start
    if (this.#isCrawled[i] === 0 && !(lastCrawlAge !== null && lastCrawlAge[i] >= 0)) return 0;
    return this.#stale.ageAt(i, price / weight[i], interval - this.#last[i]);
  }

  recordFetch(i: number, time: number): void {
    this.#last[i] = time;
    this.#isCrawled[i] = 1;
    this.#counts.take(i);
  }
}
