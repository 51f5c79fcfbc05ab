/**
 * The first timetable by the index rule: every slot goes to the page whose crawl is worth most just then.
 *
 * Let a be the age of a copy, c(a) the chance that it is stale and C(a) its stale time so far. A crawl is worth the
 * lesser of two values. One is w·(a·c(a) − C(a)), what it saves in the long run. The other is what it saves until the
 * interval ends if no other follows. For a page of possible updates the long run is the time until its next possible
 * update. Hosts that are not ready are passed over: their best page waits for them. Pages and hosts that have all their
 * crawls take no more. Crawls that a page must have are due spread over the interval, and go first then; others take no
 * slot that those still need.
 *
 * Method: slots are taken in epochs, as short as `mostLooks` allows (one slot each where pages × slots are few). All
 * pages are ranked at the middle of an epoch, and those near the price of the one before compete for its slots. A page
 * that was crawled comes back within the epoch where it is worth as much again. Complexity: pages × epochs + slots·log
 * pages. Source: the index of Azar et al. 2018 and Kolobov et al. 2019, with the end of the interval in sight.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { KeyedHeap } from '../numerics/heaps/keyed-heap.ts';
import type { CrawlScheduleProblem, HostDelays } from './problem.ts';
import { fromStart, type StaleTime } from './stale-time.ts';

/** Pages ranked, over all epochs. */
const mostLooks = 8e6;
const fewestEpochs = 40;
const pagesPerPoll = 4096;
/** Pages worth less than this share of what slots last went for do not compete, unless too few do. */
const nearPrice = 0.7;
/** Added to what a crawl is worth that its page must have by now. */
const due = 1e200;
/** Shortens a delay by rounding, so that slots exactly a delay apart will do. */
const rounding = 1 - 1e-13;

interface IndexRuleProblem {
  readonly problem: CrawlScheduleProblem;
  readonly slotTime: Float64Array;
  readonly stale: StaleTime;
  /** What a crawl is worth where slots are to spare. */
  readonly price: number;
}

/**
 * The page of each slot, −1 for none, and how many crawls found no slot.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function scheduleByIndex(
  rule: IndexRuleProblem,
  budget: Budget,
): { readonly page: Int32Array; readonly open: number } {
  return new IndexRule(rule).run(budget);
}

class IndexRule {
  readonly #rule: IndexRuleProblem;
  readonly #page: Int32Array;
  /** Last crawl in the interval, or `fromStart`. */
  readonly #last: Float64Array;
  readonly #left: Float64Array;
  readonly #leftOfHost: Float64Array;
  /** Crawls that a page must still have, and all pages; and crawls that may still be given to those that need none. */
  readonly #needs: Int32Array;
  #spare: number;
  readonly #worth: Float64Array;
  readonly #active = new KeyedHeap();
  readonly #hosts: ReadyHosts | null;
  /** The least worth that a slot of the last epoch went for. */
  #paid = 0;

  constructor(rule: IndexRuleProblem) {
    this.#rule = rule;
    const { allocation, hostDelays } = rule.problem;
    const count = allocation.weight.length;
    this.#page = new Int32Array(rule.slotTime.length).fill(-1);
    this.#last = new Float64Array(count).fill(fromStart);
    this.#left = Float64Array.from(allocation.maxCrawls, (most) => (most < 0 ? Number.POSITIVE_INFINITY : most));
    this.#leftOfHost = allocation.hosts?.maxCrawls.slice() ?? new Float64Array(0);
    this.#needs = allocation.minCrawls.slice();
    this.#spare = allocation.crawls - this.#needs.reduce((sum, least) => sum + least, 0);
    this.#worth = new Float64Array(count);
    this.#hosts = hostDelays === null ? null : new ReadyHosts(hostDelays);
  }

  run(budget: Budget) {
    const { slotTime, problem } = this.#rule;
    const { crawls, weight, interval } = problem.allocation;
    const slots = slotTime.length;
    const epochs = Math.min(slots, Math.max(fewestEpochs, Math.floor(mostLooks / weight.length)));
    let given = 0;
    for (let e = 0; e < epochs; e++) {
      const from = Math.floor((e * slots) / epochs);
      const to = Math.floor(((e + 1) * slots) / epochs);
      const middle = 0.5 * (slotTime[from] + slotTime[to - 1]);
      const end = to < slots ? slotTime[to] : interval;
      this.#rank(middle, to - from, budget);
      let least = Number.POSITIVE_INFINITY;
      for (let s = from; s < to; s++) {
        // fewer crawls than slots are spread over them; those that hosts' delays have put off may follow
        if (given >= crawls) continue;
        const i = this.#best(slotTime[s]);
        if (i < 0) continue;
        // with slots to spare a crawl waits until it is worth its price; those without any fill slots afterwards
        if (slots > crawls && this.#worth[i] <= this.#rule.price) {
          this.#active.push(this.#worth[i], i);
          continue;
        }
        least = Math.min(least, this.#worth[i]);
        this.#give(s, i);
        given++;
        if (to - from > 1) this.#comeBack(i, 0.5 * (slotTime[s] + end));
      }
      if (least < Number.POSITIVE_INFINITY) this.#paid = least;
    }
    return { page: this.#page, open: crawls - given };
  }

  /** The pages that compete in an epoch. */
  #rank(time: number, slots: number, budget: Budget): void {
    const worth = this.#worth;
    let enough = nearPrice * this.#paid;
    let near = 0;
    for (let i = 0; i < worth.length; i++) {
      if (i % pagesPerPoll === 0 && budget.stopRequested()) throw new NothingToReturn('the crawls had no slots yet');
      worth[i] = this.#mayTake(i) ? this.#worthAt(i, time) : -1;
      if (worth[i] >= enough) near++;
    }
    // hosts that are not ready hold pages back: then more have to compete
    if (near < 2 * slots || this.#hosts !== null) enough = Number.MIN_VALUE;
    this.#active.clear();
    this.#hosts?.clear();
    if (slots === 1 && this.#hosts === null) this.#pushBest();
    else for (let i = 0; i < worth.length; i++) if (worth[i] >= enough) this.#active.push(worth[i], i);
  }

  /** One slot: the best page alone. */
  #pushBest(): void {
    const worth = this.#worth;
    let best = -1;
    for (let i = 0; i < worth.length; i++) if (worth[i] > 0 && (best < 0 || worth[i] > worth[best])) best = i;
    if (best >= 0) this.#active.push(worth[best], best);
  }

  #mayTake(i: number): boolean {
    const h = this.#rule.problem.allocation.hosts?.of[i] ?? -1;
    return this.#left[i] > 0 && (h < 0 || this.#leftOfHost[h] > 0) && (this.#needs[i] > 0 || this.#spare > 0);
  }

  #worthAt(i: number, time: number): number {
    const { problem, stale } = this.#rule;
    const { interval, weight, minCrawls } = problem.allocation;
    const worth = weight[i] * stale.worthAt(i, this.#last[i], time, interval);
    const needs = this.#needs[i];
    if (needs === 0) return worth;
    const isDue = time >= interval * (1 - (needs - 0.5) / minCrawls[i]);
    return isDue ? due + worth : Math.max(worth, Number.MIN_VALUE);
  }

  /** The best page that may be crawled now, −1 for none. */
  #best(time: number): number {
    const hosts = this.#hosts;
    hosts?.wake(time, (i) => this.#active.push(this.#worth[i], i));
    while (this.#active.size > 0) {
      const i = this.#active.pop();
      if (!this.#mayTake(i)) continue;
      if (hosts === null || hosts.isReady(i, time)) return i;
      hosts.hold(i, this.#worth[i]);
    }
    return -1;
  }

  #give(slot: number, i: number): void {
    const { slotTime, problem } = this.#rule;
    this.#page[slot] = i;
    this.#last[i] = slotTime[slot];
    this.#left[i]--;
    if (this.#needs[i] > 0) this.#needs[i]--;
    else this.#spare--;
    const h = problem.allocation.hosts?.of[i] ?? -1;
    if (h >= 0) this.#leftOfHost[h]--;
    this.#hosts?.crawled(i, slotTime[slot]);
  }

  /** A page that was crawled competes again within its epoch where it is worth enough by then. */
  #comeBack(i: number, time: number): void {
    if (!this.#mayTake(i)) return;
    const worth = this.#worthAt(i, time);
    if (worth <= this.#paid || worth <= 0) return;
    this.#worth[i] = worth;
    this.#active.push(worth, i);
  }
}

/** Pages of hosts that are not ready, each host's best first. */
class ReadyHosts {
  readonly #hosts: HostDelays;
  readonly #ready: Float64Array;
  readonly #waiting: KeyedHeap[];
  /** Hosts with pages that wait, by when they are ready (negative). */
  readonly #wakes = new KeyedHeap();

  constructor(hosts: HostDelays) {
    this.#hosts = hosts;
    this.#ready = hosts.from.slice();
    this.#waiting = Array.from(hosts.delay, () => new KeyedHeap());
  }

  clear(): void {
    this.#wakes.clear();
    for (const heap of this.#waiting) heap.clear();
  }

  isReady(i: number, time: number): boolean {
    const h = this.#hosts.of[i];
    return h < 0 || time >= this.#ready[h];
  }

  hold(i: number, worth: number): void {
    const h = this.#hosts.of[i];
    if (this.#waiting[h].size === 0) this.#wakes.push(-this.#ready[h], h);
    this.#waiting[h].push(worth, i);
  }

  crawled(i: number, time: number): void {
    const h = this.#hosts.of[i];
    if (h >= 0) this.#ready[h] = time + this.#hosts.delay[h] * rounding;
  }

  /** The best page of each host that has become ready; the others wait for its next turn. */
  wake(time: number, join: (page: number) => void): void {
    while (this.#wakes.size > 0 && -this.#wakes.topKey() <= time) {
      const h = this.#wakes.pop();
      if (this.#ready[h] > time) {
        this.#wakes.push(-this.#ready[h], h);
        continue;
      }
      if (this.#waiting[h].size === 0) continue;
      join(this.#waiting[h].pop());
      // the next of it once this one has been crawled, or with the next slot
      if (this.#waiting[h].size > 0) this.#wakes.push(-(time + this.#hosts.delay[h] * rounding), h);
    }
  }
}
