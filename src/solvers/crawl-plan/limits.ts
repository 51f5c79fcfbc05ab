/**
 * When fetches are allowed, and whether the longest intervals in the request can be kept at all.
 *
 * Slot l of crawler k starts l·interval/S_k after the start of the interval. The delay and the largest rate of a host
 * limit all its pages together, in the time that windows leave open. A feed shows its last N items; if more than N come
 * between two fetches, some are lost. The longest interval T with P(Poisson(λT) > N) ≤ ε is x/λ with P(N + 1, x) = ε,
 * and is a maxInterval of the feed. P(N + 1, x) is the regularised lower incomplete gamma function, λ the estimated
 * rate.
 *
 * A conflict is found by necessary conditions, so that it is a proof. Fetched as late as allowed, page i with
 * maxInterval M is due at last + M, last + 2M, …; a page never fetched, or overdue at now, at now + M, now + 2M, …. Any
 * schedule that keeps the deadlines has made at least as many fetches by every time t as there are deadlines. So Σ
 * (deadlines by t) ≤ slots by t must hold for all pages, and within each host with a delay, with 1 + t/delay in place
 * of the slots. Every fetch may be one slot late, which does not move later deadlines of its page; plans and
 * certificates are checked by the same rule (deadlineAfter in schedule/problem.ts). A heap with one entry a page gives
 * the deadlines in order of time, up to the first clash. O(D log pages) for D deadlines before it.
 */
import { type Budget, NothingToReturn, type Poll, pollOf } from '../budget.ts';
import { KeyedHeap } from '../numerics/collections/keyed-heap.ts';
import { findRoot } from '../numerics/search/root.ts';
import { lowerGamma } from '../numerics/special/incomplete-gamma.ts';
import { deadlineAfter, hostBurst, sortSlots } from '../schedule/index.ts';
import { agesOf, type CrawlPlanProblem, type PlanConflict, roundoff } from './problem.ts';
import { utc } from './spans.ts';

/** Maximum number of crawls in a plan. */
export const maxPlanCrawls = 5_000_000;

/** Default probability that a feed loses items between two fetches. */
const defaultLoss = 0.01;

export interface CrawlSlots {
  /** Seconds since the interval began, rising; ties in the order of the crawlers. */
  readonly time: Float64Array;
  readonly crawler: Int32Array;
}

/** The open slots of the whole interval. */
export interface IntervalSlots extends CrawlSlots {
  /** The longest time between two consecutive slots, in seconds: the tolerance of a deadline. */
  readonly longestStep: number;
}

/** The slots of all crawlers that start in a window, in order of time. O(slots). */
export function openSlots(
  { interval, slotsByCrawler, availability }: Pick<CrawlPlanProblem, 'interval' | 'slotsByCrawler' | 'availability'>,
  poll?: Poll,
): IntervalSlots {
  const sorted = sortSlots(interval, Int32Array.from(slotsByCrawler), poll);
  const { time, crawler } = availability === undefined ? sorted : slotsWithin(sorted, availability.spans);
  return { time, crawler, longestStep: longestStep(time, interval) };
}

function slotsWithin({ time, crawler }: CrawlSlots, spans: Float64Array | null): CrawlSlots {
  if (spans === null) return { time, crawler };
  const open = time.map((at) => (nextOpenTime(spans, at) === at ? 1 : 0));
  return { time: time.filter((_, k) => open[k] === 1), crawler: crawler.filter((_, k) => open[k] === 1) };
}

function longestStep(time: Float64Array, interval: number): number {
  let step = interval - (time[time.length - 1] ?? 0);
  for (let k = 1; k < time.length; k++) step = Math.max(step, time[k] - time[k - 1]);
  return step;
}

/**
 * The first moment at or after a time that lies in a span; Infinity after the last span. @param spans null: all times
 * are allowed
 */
export function nextOpenTime(spans: Float64Array | null, time: number): number {
  if (spans === null) return time;
  let low = 0;
  let high = spans.length >> 1;
  // the first span that closes after the time
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[2 * middle + 1] > time) high = middle;
    else low = middle + 1;
  }
  return 2 * low < spans.length ? Math.max(time, spans[2 * low]) : Number.POSITIVE_INFINITY;
}

/**
 * By host: the shortest mean time between two of its fetches, in seconds, closed times included; 0 for a host without a
 * limit.
 */
export function meanHostDelay(problem: CrawlPlanProblem): Float64Array {
  const { hostDelay, hostRate } = problem;
  const share = openShare(problem);
  return hostDelay.map((delay, h) => Math.max(delay, hostRate === undefined ? 0 : 1 / hostRate[h]) / share);
}

/** Share of the interval in which fetches are allowed. */
export function openShare({ interval, availability }: CrawlPlanProblem): number {
  const spans = availability?.spans ?? null;
  const open = spans?.reduce((sum, time, k) => sum + (k % 2 === 0 ? -1 : 1) * Math.min(time, interval), 0) ?? interval;
  return open / interval;
}

/** The maximum number of fetches of host h in a time from now, in seconds. */
export function maxFetchesOfHost({ hostDelay, hostRate }: CrawlPlanProblem, h: number, time: number): number {
  const byDelay = hostDelay[h] > 0 ? 1 + Math.floor(time / hostDelay[h]) : Number.POSITIVE_INFINITY;
  const byRate = hostRate === undefined ? Number.POSITIVE_INFINITY : 1 + hostBurst + Math.floor(time * hostRate[h]);
  return Math.min(byDelay, byRate);
}

/** The problem with maxInterval of feeds shortened so that they keep their loss, never below minInterval. */
export function withFeedWindows(problem: CrawlPlanProblem, rate: Float64Array, budget: Budget): CrawlPlanProblem {
  const { feedItems, feedLoss, maxInterval, minInterval } = problem;
  if (feedItems === undefined || feedItems.every((items) => Number.isNaN(items))) return problem;
  const means = new Map<string, number>();
  const longest = maxInterval.map((limit, i) => {
    if (Number.isNaN(feedItems[i])) return limit;
    const loss = feedLoss?.[i] ?? defaultLoss;
    const key = `${feedItems[i]} ${loss}`;
    let mean = means.get(key);
    if (mean === undefined) {
      if ((means.size & 63) === 0 && budget.stopRequested()) {
        throw new NothingToReturn('stopped while computing how long windows of items last');
      }
      mean = meanItems(feedItems[i], loss);
      means.set(key, mean);
    }
    return Math.min(limit, Math.max(minInterval[i], mean / rate[i]));
  });
  return { ...problem, maxInterval: longest };
}

/** The mean x of a Poisson variable that exceeds `items` with probability `loss`. */
export function meanItems(items: number, loss: number): number {
  const excess = (x: number): number => lowerGamma(items + 1, x) - loss;
  // P(N + 1, x) ≥ 1/2 at x = N + 1
  return findRoot(excess, 0, items + 1);
}

/** A problem with its open slots and the ages of its copies. */
export interface LimitedProblem {
  readonly problem: CrawlPlanProblem;
  readonly slots: IntervalSlots;
  /** Age of each copy at `now`, in seconds; Infinity for a page never fetched. */
  readonly age: Float64Array;
}

/** The problem with its slots; or the conflict if no slot starts in a window, or too few for the longest intervals. */
export function slotsOrConflict(
  problem: CrawlPlanProblem,
  budget: Budget,
): LimitedProblem | { readonly conflict: PlanConflict } {
  const slots = openSlots(problem, pollOf(budget, 'the slots were not in order yet'));
  const needsSlots = problem.slotsByCrawler.some((count) => count > 0);
  if (needsSlots && slots.time.length === 0) return { conflict: windowConflict(problem) };
  const limits = { problem, slots, age: agesOf(problem) };
  const conflict = planConflict(limits, budget);
  return conflict === null ? limits : { conflict };
}

/** The conflict of windows in which no slot starts. */
function windowConflict({ now, interval, availability }: CrawlPlanProblem): PlanConflict {
  const opens = availability?.spans?.[0];
  const opening = opens === undefined ? 'they open at no time of it' : `they open first at ${now + opens}`;
  return {
    detail: `no slot of the interval lies in windows (${opening}): give more crawls, a longer interval or wider windows`,
    pages: [],
    host: null,
    crawlsNeeded: 1,
    slots: 0,
    by: now + interval,
    page: null,
    possibleBy: null,
  };
}

/**
 * The conflict of the longest intervals: the first time by which more fetches are due than the slots, or a host, allow.
 */
export function planConflict({ problem, slots, age }: LimitedProblem, budget: Budget): PlanConflict | null {
  const pages = Int32Array.from(age.keys()).filter((i) => problem.maxInterval[i] < Number.POSITIVE_INFINITY);
  if (pages.length === 0) return null;
  const grace = slots.longestStep * (1 + roundoff);
  const total = slots.time.length;
  let slotCount = 0;
  const slotsBy = (due: number): number => {
    while (slotCount < total && slots.time[slotCount] <= due + grace) slotCount++;
    return slotCount;
  };
  const clash = firstClash(pages, { problem, age, grace }, budget, slotsBy);
  if (clash) {
    const { requiredFetches, due, possibleFetches } = clash;
    const detail = `${requiredFetches} fetches are due by ${utc(problem.now + due)} to keep maxInterval, and ${possibleFetches} slots start by then (one slot of grace included)`;
    const at = requiredFetches <= total ? slots.time[requiredFetches - 1] - grace : null;
    return conflictOf(clash, { detail, host: null, at }, problem);
  }
  for (const [h, members] of pagesByHost(pages, problem)) {
    const maxFetches = (due: number): number => maxFetchesOfHost(problem, h, due + grace);
    const own = firstClash(members, { problem, age, grace }, budget, maxFetches);
    if (own) {
      const { requiredFetches, due, possibleFetches } = own;
      const name = problem.hostName[h];
      const rate = problem.hostRate?.[h] ?? Number.POSITIVE_INFINITY;
      const limit = 1 / rate > problem.hostDelay[h] ? `maxRate of ${rate}` : `minDelay of ${problem.hostDelay[h]} s`;
      const detail = `${requiredFetches} fetches of host ${name} are due by ${utc(problem.now + due)} to keep maxInterval, and its ${limit} allows ${possibleFetches}`;
      return conflictOf(own, { detail, host: name, at: firstPossibleTime(maxFetches, own, problem.interval) }, problem);
    }
  }
  return null;
}

/** The pages of each host with a delay or a largest rate, hosts in order. */
function pagesByHost(
  pages: Int32Array,
  { host, hostDelay, hostRate }: CrawlPlanProblem,
): [host: number, pages: number[]][] {
  const members = new Map<number, number[]>();
  for (const i of pages) {
    const h = host[i];
    if (h < 0 || !(hostDelay[h] > 0 || (hostRate?.[h] ?? Infinity) < Infinity)) continue;
    const list = members.get(h);
    if (list) list.push(i);
    else members.set(h, [i]);
  }
  return [...members].sort(([a], [b]) => a - b);
}

interface Clash {
  /** The deadline, in seconds from now. */
  readonly due: number;
  /** Fetches due by the deadline, and how many of them are possible. */
  readonly requiredFetches: number;
  readonly possibleFetches: number;
  /** The page of the deadline. */
  readonly page: number;
  /** Pages with a deadline at or before it, in order. */
  readonly pages: readonly number[];
}

/**
 * The first deadline by which more fetches are due than are possible; null for none. Only deadlines that end within the
 * interval count, their grace of one slot included.
 */
function firstClash(
  pages: Iterable<number>,
  { problem, age, grace }: Pick<LimitedProblem, 'problem' | 'age'> & { readonly grace: number },
  budget: Budget,
  maxFetches: (due: number) => number,
): Clash | null {
  const { interval, maxInterval, availability } = problem;
  const next = new KeyedHeap();
  const pushDeadline = (i: number, due: number): void => {
    if (due + grace < interval) next.push(-due, i);
  };
  for (const i of pages)
    pushDeadline(i, Math.max(deadlineAfter(-age[i], maxInterval[i]), availability?.pageFrom[i] ?? 0));
  const duePages = new Set<number>();
  for (let requiredFetches = 1; next.size > 0; requiredFetches++) {
    if ((requiredFetches & 8191) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('stopped while checking that maxInterval can be kept');
    }
    const due = -next.topKey();
    const i = next.pop();
    duePages.add(i);
    const possibleFetches = maxFetches(due);
    if (requiredFetches > possibleFetches)
      return { due, requiredFetches, possibleFetches, page: i, pages: [...duePages].sort((a, b) => a - b) };
    pushDeadline(i, due + maxInterval[i]);
  }
  return null;
}

/** The time from which on the required number of fetches is possible; null if that is after the interval. */
function firstPossibleTime(
  maxFetches: (due: number) => number,
  { due, requiredFetches }: Clash,
  interval: number,
): number | null {
  if (maxFetches(interval) < requiredFetches) return null;
  let [low, high] = [due, interval];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (maxFetches(middle) >= requiredFetches) high = middle;
    else low = middle;
  }
  return high;
}

interface ClashDetails {
  readonly detail: string;
  readonly host: string | null;
  /** When the first fetch too many becomes possible, in seconds from now; null: not in the interval. */
  readonly at: number | null;
}

function conflictOf(clash: Clash, { detail, host, at }: ClashDetails, { now }: CrawlPlanProblem): PlanConflict {
  const { due, requiredFetches, possibleFetches, page, pages } = clash;
  return {
    detail,
    pages: pages.slice(0, 100),
    host,
    crawlsNeeded: requiredFetches,
    slots: possibleFetches,
    by: now + due,
    page,
    possibleBy: at === null ? null : now + at,
  };
}

/**
 * The smallest number of slots for which the longest intervals have no conflict; null if the limit of a host is in
 * conflict with them, or more than `maxPlanCrawls` slots are needed.
 */
export function slotsNeeded(search: LimitedProblem, budget: Budget): number | null {
  const { problem } = search;
  const current = problem.slotsByCrawler.reduce((sum, count) => sum + count, 0);
  const clashAt = (count: number): PlanConflict | null => {
    const sizedProblem = { ...problem, slotsByCrawler: Uint32Array.of(count) };
    return planConflict({ ...search, problem: sizedProblem, slots: openSlots(sizedProblem) }, budget);
  };
  let [tooFew, enough] = [current, 2 * current];
  for (let clash = clashAt(enough); clash !== null; clash = clashAt(enough)) {
    if (clash.host !== null || 2 * enough > maxPlanCrawls) return null;
    [tooFew, enough] = [enough, 2 * enough];
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (clashAt(middle) === null) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
