/**
 * Whether the longest intervals asked for can be kept at all: necessary conditions, so that a conflict is a proof.
 *
 * Fetched as late as allowed, page i is due at last + M, last + 2M, …. Any schedule that keeps the deadlines has made
 * at least as many fetches by every time t. So Σ (deadlines by t) ≤ slots by t must hold for all pages. It must hold
 * within each host that asks for a delay too, with 1 + t/delay in place of the slots. One slot of grace is allowed, as
 * for the plan. A page already overdue (or never fetched) counts from the first slot on, not before: that is a fact,
 * not a demand. The deadlines are taken in order of time from a heap with one entry a page. So no more are looked at
 * than there are slots, and the hosts' after them no more than these. It takes O(D log pages), D the deadlines inside
 * the interval up to the first that clashes.
 */

import { type Budget, NothingToReturn } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import { isNever } from '../../pages/never.ts';
import type { CrawlPlanProblem, PlanConflict } from '../problem.ts';
import { utc } from '../spans.ts';
import { type IntervalSlots, mostOfHost, openSlots } from './allowed.ts';

/** The most crawls that a plan takes. */
export const maxPlanCrawls = 5_000_000;

/** Input of the search for a conflict. */
export interface ConflictSearch {
  readonly problem: CrawlPlanProblem;
  readonly slots: IntervalSlots;
  readonly age: Float64Array;
}

/** No slot lies in a window. */
export function closedThroughout({ now, interval, availability }: CrawlPlanProblem): PlanConflict {
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
export function planConflict({ problem, slots, age }: ConflictSearch, budget: Budget): PlanConflict | null {
  const pages = Int32Array.from(age.keys()).filter((i) => problem.maxInterval[i] < Number.POSITIVE_INFINITY);
  if (pages.length === 0) return null;
  const grace = slots.longestStep;
  const total = slots.time.length;
  let slotCount = 0;
  const slotsBy = (due: number): number => {
    while (slotCount < total && slots.time[slotCount] <= due + grace) slotCount++;
    return slotCount;
  };
  const clash = firstClash(pages, problem, age, budget, slotsBy);
  if (clash) {
    const { required, due, possible } = clash;
    const detail = `${required} fetches are due by ${utc(problem.now + due)} to keep maxInterval, and ${possible} slots start by then (one slot of grace included)`;
    const at = required <= total ? slots.time[required - 1] - grace : null;
    return conflict(clash, { detail, host: null, at }, problem);
  }
  for (const [h, members] of pagesByHost(pages, problem)) {
    const maxFetches = (due: number): number => mostOfHost(problem, h, due + grace);
    const own = firstClash(members, problem, age, budget, maxFetches);
    if (own) {
      const { required, due, possible } = own;
      const name = problem.hostName[h];
      const rate = problem.hostRate?.[h] ?? Number.POSITIVE_INFINITY;
      const limit = 1 / rate > problem.hostDelay[h] ? `maxRate of ${rate}` : `minDelay of ${problem.hostDelay[h]} s`;
      const detail = `${required} fetches of host ${name} are due by ${utc(problem.now + due)} to keep maxInterval, and its ${limit} allows ${possible}`;
      return conflict(own, { detail, host: name, at: firstPossible(maxFetches, own, problem.interval) }, problem);
    }
  }
  return null;
}

/** The pages of each host that asks for a delay, hosts in order. */
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
  readonly due: number;
  /** Fetches due by then, and how many are possible. */
  readonly required: number;
  readonly possible: number;
  /** Whose deadline that is. */
  readonly page: number;
  /** Pages with a deadline by then, in order. */
  readonly pages: readonly number[];
}

/** The first deadline by which more fetches are due than `possible` allows; deadlines are inside the interval. */
function firstClash(
  pages: Iterable<number>,
  { interval, maxInterval, availability }: CrawlPlanProblem,
  age: Float64Array,
  budget: Budget,
  possible: (due: number) => number,
): Clash | null {
  const next = new KeyedHeap();
  for (const i of pages) {
    // never fetched: within one interval from now; overdue: no deadline before the end, then as any other
    const last = isNever(age[i]) ? 0 : -age[i];
    const first = last + maxInterval[i];
    const due = Math.max(first < 0 ? maxInterval[i] : first, availability?.pageFrom[i] ?? 0);
    if (due < interval) next.push(-due, i);
  }
  const duePages = new Set<number>();
  for (let required = 1; next.size > 0; required++) {
    if ((required & 8191) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('stopped while checking that maxInterval can be kept');
    }
    const due = -next.topKey();
    const i = next.pop();
    duePages.add(i);
    const maximum = possible(due);
    if (required > maximum)
      return { due, required, possible: maximum, page: i, pages: [...duePages].sort((a, b) => a - b) };
    if (due + maxInterval[i] < interval) next.push(-(due + maxInterval[i]), i);
  }
  return null;
}

/** The time from which the required number of fetches is possible; null where that is past the interval. */
function firstPossible(possible: (due: number) => number, { due, required }: Clash, interval: number): number | null {
  if (possible(interval) < required) return null;
  let [low, high] = [due, interval];
  while (high - low > 1e-9 * interval) {
    const middle = (low + high) / 2;
    if (possible(middle) >= required) high = middle;
    else low = middle;
  }
  return high;
}

interface ClashDetails {
  readonly detail: string;
  readonly host: string | null;
  /** From when the fetch too many is possible, in seconds from now. */
  readonly at: number | null;
}

function conflict(clash: Clash, { detail, host, at }: ClashDetails, { now }: CrawlPlanProblem): PlanConflict {
  const { due, required, possible, page, pages } = clash;
  return {
    detail,
    pages: pages.slice(0, 100),
    host,
    crawlsNeeded: required,
    slots: possible,
    by: now + due,
    page,
    possibleBy: at === null ? null : now + at,
  };
}

/**
 * The least slots, to a hundredth, with which no more fetches are due at any time than slots; null where a host's limit
 * stands in the way, or no number of slots will do.
 */
export function slotsNeeded(search: ConflictSearch, budget: Budget): number | null {
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
  while (enough - tooFew > Math.max(1, 0.01 * tooFew)) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (clashAt(middle) === null) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
