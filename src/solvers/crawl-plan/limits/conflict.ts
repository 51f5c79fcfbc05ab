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
import type { CrawlPlanProblem, PlanConflict } from '../problem.ts';
import { utc } from '../spans.ts';
import { type IntervalSlots, mostOfHost, openSlots } from './allowed.ts';

/** The most crawls that a plan takes. */
export const maxPlanCrawls = 5_000_000;

/** What a conflict is looked for in. */
export interface ConflictSearch {
  readonly problem: CrawlPlanProblem;
  readonly slots: IntervalSlots;
  readonly age: Float64Array;
}

/** No slot lies in a window. */
export function closedThroughout({ now, interval, availability }: CrawlPlanProblem): PlanConflict {
  const opens = availability?.spans?.[0];
  const when = opens === undefined ? 'they open at no time of it' : `they open first at ${now + opens}`;
  return {
    detail: `no slot of the interval lies in windows (${when}): give more crawls, a longer interval or wider windows`,
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
 * What cannot be kept of the longest intervals: the first time at which more fetches are due than
 * can have been made, by the slots or by a host.
 */
export function planConflict({ problem, slots, age }: ConflictSearch, budget: Budget): PlanConflict | null {
  const pages = Int32Array.from(age.keys()).filter((i) => problem.maxInterval[i] < Number.POSITIVE_INFINITY);
  if (pages.length === 0) return null;
  const grace = slots.longestStep;
  const total = slots.time.length;
  let made = 0;
  const slotsBy = (due: number): number => {
    while (made < total && slots.time[made] <= due + grace) made++;
    return made;
  };
  const clash = firstClash(pages, problem, age, budget, slotsBy);
  if (clash) {
    const { needed, due, possible } = clash;
    const detail = `${needed} fetches are due by ${utc(problem.now + due)} to keep maxInterval, and ${possible} slots start by then (one slot of grace included)`;
    const at = needed <= total ? slots.time[needed - 1] - grace : null;
    return conflict(clash, { detail, host: null, at }, problem);
  }
  for (const [h, members] of pagesByHost(pages, problem)) {
    const most = (due: number): number => mostOfHost(problem, h, due + grace);
    const own = firstClash(members, problem, age, budget, most);
    if (own) {
      const { needed, due, possible } = own;
      const name = problem.hostName[h];
      const rate = problem.hostRate?.[h] ?? Number.POSITIVE_INFINITY;
      const limit = 1 / rate > problem.hostDelay[h] ? `maxRate of ${rate}` : `minDelay of ${problem.hostDelay[h]} s`;
      const detail = `${needed} fetches of host ${name} are due by ${utc(problem.now + due)} to keep maxInterval, and its ${limit} allows ${possible}`;
      return conflict(own, { detail, host: name, at: firstPossible(most, own, problem.interval) }, problem);
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
  readonly needed: number;
  readonly possible: number;
  /** Whose deadline that is. */
  readonly page: number;
  /** Pages with a deadline by then, in order. */
  readonly pages: readonly number[];
}

/** The first deadline by which more fetches are due than `possible` says; deadlines are inside the interval. */
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
    const last = age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i];
    const first = last + maxInterval[i];
    const due = Math.max(first < 0 ? maxInterval[i] : first, availability?.pageFrom[i] ?? 0);
    if (due < interval) next.push(-due, i);
  }
  const concerned = new Set<number>();
  for (let needed = 1; next.size > 0; needed++) {
    if ((needed & 8191) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('stopped while checking that maxInterval can be kept');
    }
    const due = -next.topKey();
    const i = next.pop();
    concerned.add(i);
    const most = possible(due);
    if (needed > most) return { due, needed, possible: most, page: i, pages: [...concerned].sort((a, b) => a - b) };
    if (due + maxInterval[i] < interval) next.push(-(due + maxInterval[i]), i);
  }
  return null;
}

/** The time from which as many fetches are possible as were needed; null where that is past the interval. */
function firstPossible(possible: (due: number) => number, { due, needed }: Clash, interval: number): number | null {
  if (possible(interval) < needed) return null;
  let [low, high] = [due, interval];
  while (high - low > 1e-9 * interval) {
    const middle = (low + high) / 2;
    if (possible(middle) >= needed) high = middle;
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
  const { due, needed, possible, page, pages } = clash;
  return {
    detail,
    pages: pages.slice(0, 100),
    host,
    crawlsNeeded: needed,
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
  const now = problem.slotsByCrawler.reduce((sum, count) => sum + count, 0);
  const clashAt = (count: number): PlanConflict | null => {
    const sized = { ...problem, slotsByCrawler: Uint32Array.of(count) };
    return planConflict({ ...search, problem: sized, slots: openSlots(sized) }, budget);
  };
  let [few, enough] = [now, 2 * now];
  for (let clash = clashAt(enough); clash !== null; clash = clashAt(enough)) {
    if (clash.host !== null || 2 * enough > maxPlanCrawls) return null;
    [few, enough] = [enough, 2 * enough];
  }
  while (enough - few > Math.max(1, 0.01 * few)) {
    const middle = Math.floor((few + enough) / 2);
    if (clashAt(middle) === null) enough = middle;
    else few = middle;
  }
  return enough;
}
