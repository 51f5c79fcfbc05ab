/**
 * Wolf et al.'s whole scheme in one call: how many crawls each page gets, when, and which crawler makes each.
 *
 * 1. Allocation (crawl-allocation): counts and ideal times, with times free; hosts' delays as limits (host-delays.ts).
 * 2. Placing (placing/): the better of two timetables. One follows the index rule: each slot goes to the page whose
 *    crawl is worth most just then (index-rule.ts). The other moves ideal times by what moments may cost and gives them
 *    slots by slot-assignment's sweep, crawls of possible updates only after them, those of a host its delay apart.
 * 3. Filling: their slots go one by one to the page that saves most there, within its limits. Pages with
 *    fewer crawls than they must have get theirs from pages that have more (placing/keep-least.ts).
 * 4. Exchanges: two slots exchange their pages (or one its emptiness) where the true cost falls, until that gains
 *    nothing worth while. Slots also go to pages that make better use of them (improving/transfer-slots.ts,
 *    transfer-crawls.ts), and of few pages any two share their slots anew (improving/share-slots.ts).
 * 5. Bound: the largest of the allocation's optimum, since slots only take choices away, of a dual with a price for
 *    every moment (bound/slot-prices.ts), which knows that a slot is had once, and of one with a price curve for every
 *    host that asks for a delay (bound/host-bound.ts).
 * Complexity: that of its parts. Stopping rule: no exchange worth while, tries, or the budget.
 * Source: Wolf, Squillante, Yu, Sethuraman & Ozsen (2002), sections 2 and 3; prices and bound are ours. Known limits:
 * after the allocation it is a heuristic; the gap is what it and the bound can have cost together.
 */
import { objective, type Warning, warning } from '../answer.ts';
import { type Budget, keepingShare, NothingToReturn, pollOf } from '../budget.ts';
import {
  allocateCrawls,
  type CrawlAllocation,
  type CrawlAllocationProblem,
  quasiDeterministicProcess,
  refuseUncomputable,
  type TimesByPage,
} from '../crawl-allocation/index.ts';
import { guessSlopes, slopesOf } from './bound/price-guess.ts';
import { slotBound } from './bound/slot-bound.ts';
import { allocationConflict, tooManyCrawls } from './conflict.ts';
import { withinDelays } from './host-delays.ts';
import { improveSlots } from './improving/improve-slots.ts';
import { type CrawlLimits, crawlLimits } from './placing/crawl-limits.ts';
import { fillSlots } from './placing/fill-slots.ts';
import { scheduleByIndex } from './placing/index-rule.ts';
import { keepLeast } from './placing/keep-least.ts';
import { type Placed, placeCrawls } from './placing/place-crawls.ts';
import { PricedTimes, type PriceSlopes } from './placing/priced-times.ts';
import { type SlotsInOrder, slotsInOrder } from './placing/slots-in-order.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import { StaleTime } from './table/stale-time.ts';
import { Timetable } from './table/timetable.ts';

/** A schedule whose gap is below this is optimal. */
const optimalGap = 1e-9;
/** Slots up to which crawls are placed at their ideal times as well. */
const mostPlaced = 50_000;
/** Slots a crawl from which on ideal times have slots near them. */
const spare = 1.2;

/** Of the time left when the improving begins. */
const boundShare = 0.35;

/**
 * @throws NothingToReturn when the budget ends before the crawls are placed
 * @throws ConditionNotMet where a law leaves double precision
 */
export function solveCrawlSchedule(given: CrawlScheduleProblem, budget: Budget) {
  const { interval, weight } = given.allocation;
  const slots = slotsInOrder(interval, given.slotCounts, pollOf(budget, 'the crawls had no slots yet'));
  const statistics = { solver: 'allocation, slots, exchanges', pages: weight.length };
  const conflict = tooManyCrawls(given, slots.time.length);
  if (conflict !== null) return { status: 'infeasible' as const, conflict, statistics };
  const capped = withinDelays(given, slots.time);
  const { problem, answer: ideal } = allocated(capped, budget);
  if (ideal.status === 'infeasible') {
    const conflict = allocationConflict(given, ideal.conflict, slots.time.length);
    return { status: 'infeasible' as const, conflict, statistics };
  }
  // without them the time was up before there was a timetable
  const { baselines } = ideal;
  if (baselines === null) throw new NothingToReturn('the crawls had no slots yet');
  const times = ideal.idealTimes ?? { offsets: new Int32Array(weight.length + 1), times: new Float64Array(0) };
  const stale = new StaleTime(problem.allocation);
  const { table: first, open } = placed({ problem, ideal, times, slots, stale }, budget);
  const limits = (table: Timetable): CrawlLimits => crawlLimits(problem, table);
  const within = limits(first);
  const left = fillSlots(first, within, open, budget);
  const lost = keepLeast(first, { limits: within, hosts: problem.hostDelays, spare: left }, budget);
  const unplaced = fillSlots(first, within, left + lost, budget);
  const cost = ideal.objective.value * interval;
  const tableOf = (page: Int32Array): Timetable => tableWith({ problem, slots, stale }, page);
  const shaken = problem.hostDelays === null;
  // the bound has its share of the time, whatever is still to be gained
  const improving = keepingShare(budget, boundShare);
  const { table, exchanges, stopped } = improveSlots(
    { table: first, tableOf, limits, weight, cost, shaken },
    improving,
  );
  const staleness = Float64Array.from(weight, (_, i) => Math.min(1, table.staleTime(i) / interval));
  refuseUncomputable(staleness);
  let value = 0;
  for (let i = 0; i < weight.length; i++) value += weight[i] * staleness[i];
  const free = Math.min(ideal.objective.bound ?? 0, ideal.objective.value);
  const bySlots = slotBound({ problem, table, stale, shadowPrice: ideal.shadowPrice * interval }, budget);
  const bound = Math.max(free, bySlots.value);
  // a bound above the value by no more than rounding is the value; shares of time are rounded to 1e−16 or so
  const rounding = Math.max(optimalGap * bound, 1e-15 * weight.reduce((sum, w) => sum + w, 0));
  // the bound is of schedules that keep the limits: one that does not may well be below it
  const kept = pagesShort(table, problem.allocation.minCrawls) === 0;
  const proved = objective(value, kept ? (bound > value && bound - value <= rounding ? value : bound) : null);
  const freeTimes = Math.min(free, proved.bound ?? free);
  const { schedule, idleSlots } = slotLists(table, slots);
  return {
    status: proved.gap !== null && proved.gap < optimalGap ? ('optimal' as const) : ('feasible' as const),
    objective: proved,
    solution: {
      pages: {
        crawls: Int32Array.from(weight, (_, i) => table.crawlsOf(i)),
        times: timesOf(table, weight.length),
        idealTimes: times,
        staleness,
        idealStaleness: ideal.staleness,
      },
      schedule,
      idleSlots,
      moved: open,
    },
    beside: {
      baselines: {
        uniform: baselines.uniform,
        proportional: baselines.proportional,
        greedy: greedyValue(problem.allocation, ideal, budget),
      },
      bounds: { freeTimes, slots: proved.bound ?? freeTimes },
    },
    // asked for as many as there can be, fewer are no shortage
    warnings: warningsOf(
      { table, unplaced: given.upTo ? 0 : unplaced, stopped, bound: bySlots.cut },
      problem.allocation,
    ),
    statistics: { ...statistics, crawls: schedule.time.length, exchanges },
  };
}

/** The allocation; with fewer crawls where that is all that limits allow and fewer will do. */
function allocated(problem: CrawlScheduleProblem, budget: Budget) {
  const { allocation, upTo } = problem;
  const asked: CrawlAllocationProblem = { ...allocation, idealTimes: true, baselines: true };
  const answer = allocateCrawls(asked, budget);
  if (answer.status !== 'infeasible' || !upTo) return { problem, answer };
  const { least, most, crawls } = answer.conflict;
  if (most === null || most >= crawls || least > most || crawls !== allocation.crawls) return { problem, answer };
  const fewer = { ...asked, crawls: most };
  return { problem: { ...problem, allocation: fewer }, answer: allocateCrawls(fewer, budget) };
}

interface Placing {
  readonly problem: CrawlScheduleProblem;
  readonly ideal: CrawlAllocation;
  readonly times: TimesByPage;
  readonly slots: SlotsInOrder;
  readonly stale: StaleTime;
}

function tableWith(
  { problem, slots, stale }: Pick<Placing, 'problem' | 'slots' | 'stale'>,
  page: Int32Array,
): Timetable {
  const { interval, weight } = problem.allocation;
  return new Timetable({ slotTime: slots.time, interval, weight, stale, hosts: problem.hostDelays }, page);
}

/**
 * The first timetable: the better of the allocation's counts at their ideal times and of the index rule. Among very
 * many slots it is the ideal times' alone where slots are to spare, and else the index rule's. The other takes longer
 * there and is behind.
 */
function placed(placing: Placing, budget: Budget): { readonly table: Timetable; readonly open: number } {
  const { problem, slots, stale } = placing;
  const quasi = problem.allocation.updates.quasi.count > 0;
  const wide = slots.time.length > mostPlaced && !quasi;
  if (wide && slots.time.length > spare * problem.allocation.crawls) return placedByTimes(placing, budget);
  const byIndex = scheduleByIndex({ problem, slotTime: slots.time, stale }, wide ? budget : keepingShare(budget, 0.5));
  if (byIndex === null) return placedByTimes(placing, budget);
  const table = tableWith({ problem, slots, stale }, byIndex);
  const open = problem.allocation.crawls - byIndex.reduce((count, i) => (i >= 0 ? count + 1 : count), 0);
  if (wide) return { table, open };
  const other = placedByTimes(placing, budget);
  // a crawl without a slot may still save something: the filling finds out
  return other.open <= open && costOf(other.table, problem) < costOf(table, problem) ? other : { table, open };
}

function costOf(table: Timetable, { allocation: { weight } }: CrawlScheduleProblem): number {
  let sum = 0;
  for (let i = 0; i < weight.length; i++) sum += weight[i] * table.staleTime(i);
  return sum;
}

/** Crawls at their ideal times: twice where all have their slot, the second time by the prices that the first shows. */
function placedByTimes({ problem, ideal, times, slots, stale }: Placing, budget: Budget) {
  const { interval, weight } = problem.allocation;
  const tableOf = ({ page }: Placed): Timetable => tableWith({ problem, slots, stale }, page);
  const found = { slotTime: slots.time, crawls: ideal.crawls, shadowPrice: ideal.shadowPrice * interval };
  const slopes = guessSlopes(problem, found, budget);
  if (slopes === null) {
    const first = placeCrawls(problem, times, slots, budget);
    return { table: tableOf(first), open: first.open };
  }
  const first = placeCrawls(problem, movedTimes(problem, times, stale, slopes, budget), slots, budget);
  const table = tableOf(first);
  if (first.open > 0 || problem.hostDelays !== null || budget.stopRequested()) return { table, open: first.open };
  const again = movedTimes(problem, timesOf(table, weight.length), stale, slopesOf(table, problem.allocation), budget);
  const second = placeCrawls(problem, again, slots, budget);
  return { table: tableOf(second), open: second.open };
}

/** Times as they would be if slots had the prices they may go for. */
function movedTimes(
  { allocation: { weight, updates } }: CrawlScheduleProblem,
  from: TimesByPage,
  stale: StaleTime,
  slopes: PriceSlopes,
  budget: Budget,
): TimesByPage {
  const times = from.times.slice();
  const { offsets } = from;
  const priced = new PricedTimes(stale, slopes);
  for (let i = 0; i < weight.length && !(i % 1024 === 0 && budget.stopRequested()); i++) {
    if (updates.process[i] !== quasiDeterministicProcess) priced.move(i, weight[i], times, offsets[i], offsets[i + 1]);
  }
  return { offsets, times };
}

/** The allocation's objective with the paper's greedy choice among possible updates. */
function greedyValue(allocation: CrawlAllocationProblem, ideal: CrawlAllocation, budget: Budget): number {
  if (allocation.updates.quasi.count === 0) return ideal.objective.value;
  const greedy = { ...allocation, quasiDeterministic: 'greedy', idealTimes: false, baselines: false } as const;
  const answer = allocateCrawls(greedy, budget);
  return answer.status === 'infeasible' ? ideal.objective.value : answer.objective.value;
}

function slotLists(table: Timetable, slots: SlotsInOrder) {
  const used = new Int32Array(table.page.length);
  let count = 0;
  for (let s = 0; s < used.length; s++) if (table.page[s] >= 0) used[count++] = s;
  const list = used.subarray(0, count);
  const schedule = {
    time: Float64Array.from(list, (s) => slots.time[s]),
    crawler: Int32Array.from(list, (s) => slots.crawler[s]),
    page: Int32Array.from(list, (s) => table.page[s]),
  };
  return { schedule, idleSlots: used.length - count };
}

function timesOf(table: Timetable, pages: number): TimesByPage {
  const offsets = new Int32Array(pages + 1);
  for (let i = 0; i < pages; i++) offsets[i + 1] = offsets[i] + table.crawlsOf(i);
  const times = new Float64Array(offsets[pages]);
  const filled = offsets.slice(0, pages);
  for (let s = 0; s < table.page.length; s++) {
    if (table.page[s] >= 0) times[filled[table.page[s]]++] = table.slotTime[s];
  }
  return { offsets, times };
}

interface Outcome {
  readonly table: Timetable;
  readonly unplaced: number;
  readonly stopped: boolean;
  /** Whether the time ended before the bound was done. */
  readonly bound: boolean;
}

/** How many pages have fewer crawls than they must have. */
function pagesShort(table: Timetable, minCrawls: Int32Array): number {
  return minCrawls.filter((least, i) => table.crawlsOf(i) < least).length;
}

function warningsOf({ table, unplaced, stopped, bound }: Outcome, { minCrawls }: CrawlAllocationProblem): Warning[] {
  const warnings: Warning[] = [];
  if (stopped || bound) {
    const undone = stopped
      ? 'while exchanges were still lowering the cost, or slots being filled'
      : 'before the bound was as close as it can be';
    warnings.push(warning('stopped-early', `the time limit came ${undone}; raise options.timeLimitMs`));
  }
  const short = pagesShort(table, minCrawls);
  if (unplaced > 0 || short > 0) {
    const pages = short > 0 ? `; ${short} pages have fewer than their minCrawls, so that no bound is given` : '';
    const detail = `no slot was found for ${unplaced} crawls beside the hosts' delays${pages}: lower crawls, or the delays`;
    warnings.push(warning('crawls-unplaced', detail));
  }
  return warnings;
}
