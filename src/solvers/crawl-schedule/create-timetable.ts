/**
 * The first timetable: an index schedule (solvers/schedule) by stale time.
 *
 * Every slot goes to the page whose crawl is worth most at its time, within hosts' delays: slot by slot where pages × slots
 * are few, else by epochs. The worth of a crawl is the lesser of its saving in the long run and its saving until the
 * interval ends if no other follows (stale-time.ts). Where there are more slots than crawls, a crawl waits until its worth
 * reaches the price of a crawl, unless its host is full. Pages and hosts at their limits take no more crawls, and the
 * minimum counts of others are reserved: a page with a minimum of m is crawled at least every m-th of the interval.
 * Source: the index of Azar et al. 2018 and Kolobov et al. 2019, extended by the end of the interval.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import type { CrawlAllocation } from '../crawl-allocation/index.ts';
import { type IndexedPages, isSlotBySlotAffordable, scheduleByEpochs, scheduleSlotBySlot } from '../schedule/index.ts';
import { CrawlLimits } from './crawl-limits.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import { intervalStart, type StaleTime } from './stale-time.ts';

interface TimetableInput {
  readonly problem: CrawlScheduleProblem;
  readonly slotTime: Float64Array;
  readonly stale: StaleTime;
  /** Saving of one more crawl at free times, in weighted stale time: the scale of all worths. */
  readonly price: number;
  /** The optimal allocation at free times, before slots are considered. */
  readonly ideal: Pick<CrawlAllocation, 'crawls' | 'hosts'>;
}

/**
 * The first timetable: the page of each slot, −1 for none, and the number of crawls without a slot.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function createTimetable({ problem, slotTime, stale, price, ideal }: TimetableInput, budget: Budget) {
  const { allocation, hostDelays } = problem;
  const { interval, crawls, weight, minCrawls } = allocation;
  const model = new StaleTimePages(problem, stale, minWorths(problem, ideal, slotTime.length > crawls ? price : 0));
  const noLimits = weight.map(() => Number.POSITIVE_INFINITY);
  const schedule = {
    model,
    slotTime,
    interval,
    age: model.ages,
    price: price > 0 ? price : Number.MIN_VALUE,
    cap: noLimits,
    minInterval: new Float64Array(weight.length),
    maxInterval: noLimits.map((noLimit, i) => (minCrawls[i] > 0 ? interval / minCrawls[i] : noLimit)),
    notBefore: weight.map((_, i) => Math.max(0, hostDelays?.from[hostDelays.of[i]] ?? 0)),
    host: hostDelays?.of ?? new Int32Array(weight.length).fill(-1),
    hostDelay: hostDelays?.delay ?? new Float64Array(0),
    shortInterval: interval / Math.max(1, ideal.crawls.slice().sort()[Math.floor(0.999 * weight.length)]),
  };
  const schedules = isSlotBySlotAffordable(schedule) ? scheduleSlotBySlot : scheduleByEpochs;
  const indexSchedule = schedules(schedule, budget);
  if (indexSchedule.isStopped) throw new NothingToReturn('the crawls had no slots yet');
  // a reserved slot may exceed the limits of its page: such a slot stays empty
  const limits = new CrawlLimits(problem);
  let crawlCount = 0;
  const page = indexSchedule.page.map((i) => {
    if (i < 0 || !limits.allowUnreserved(i)) return -1;
    limits.record(i, 1);
    crawlCount++;
    return i;
  });
  return { page, openCrawls: crawls - crawlCount };
}

/**
 * Minimum worth of a crawl, by page: the price, but 0 for pages with a minimum count and for pages of a full host.
 * There waiting delays every later crawl, and so loses one.
 */
function minWorths({ allocation }: CrawlScheduleProblem, { hosts }: TimetableInput['ideal'], price: number) {
  const { minCrawls, hosts: limits } = allocation;
  const isFull = hosts?.map(({ crawls }, h) => crawls >= (limits?.maxCrawls[h] ?? 0)) ?? [];
  return Float64Array.from(minCrawls, (minimum, i) => (minimum > 0 || isFull[limits?.of[i] ?? -1] ? 0 : price));
}

class StaleTimePages implements IndexedPages {
  readonly pages: number;
  /** Ages at the start. Pages never crawled get the longest delay of a host, so that their hosts are ready. */
  readonly ages: Float64Array;
  readonly #problem: CrawlScheduleProblem;
  readonly #stale: StaleTime;
  /** Time of the last crawl, by page; negative if it was before the interval. */
  readonly #last: Float64Array;
  readonly #isCrawled: Uint8Array;
  readonly #limits: CrawlLimits;
  /** Minimum worth of a crawl, by page. */
  readonly #minWorth: Float64Array;

  constructor(problem: CrawlScheduleProblem, stale: StaleTime, minWorth: Float64Array) {
    const { weight, lastCrawlAge } = problem.allocation;
    this.pages = weight.length;
    this.#problem = problem;
    this.#stale = stale;
    const longestDelay = problem.hostDelays?.delay.reduce((longest, each) => Math.max(longest, each), 0) ?? 0;
    this.ages = weight.map((_, i) => (lastCrawlAge !== null && lastCrawlAge[i] >= 0 ? lastCrawlAge[i] : longestDelay));
    this.#last = this.ages.map((age) => -age);
    this.#isCrawled = new Uint8Array(weight.length);
    this.#limits = new CrawlLimits(problem);
    this.#minWorth = minWorth;
  }

  worth(i: number, age: number): number {
    if (!this.#limits.allowUnreserved(i)) return -1;
    const { weight, interval } = this.#problem.allocation;
    const time = Math.max(0, this.#last[i] + age);
    const from = this.#isCrawled[i] === 1 ? this.#last[i] : intervalStart;
    const worth = weight[i] * this.#stale.worthAt(i, from, time, interval);
    return worth > this.#minWorth[i] || this.#minWorth[i] === 0 ? worth : -1;
  }

  ageAt(i: number, price: number): number {
    if (!this.#limits.allowUnreserved(i)) return Number.POSITIVE_INFINITY;
    const { weight, interval, lastCrawlAge } = this.#problem.allocation;
    // a page never crawled is worth most at the start
    if (this.#isCrawled[i] === 0 && !(lastCrawlAge !== null && lastCrawlAge[i] >= 0)) return 0;
    return this.#stale.ageAt(i, price / weight[i], interval - this.#last[i]);
  }

  recordFetch(i: number, time: number): void {
    this.#last[i] = time;
    this.#isCrawled[i] = 1;
    this.#limits.record(i, 1);
  }
}
