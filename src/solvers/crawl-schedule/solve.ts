/**
 * Wolf et al.'s whole scheme in one call: how many crawls each page gets, when, and which crawler makes each.
 *
 * 1. Allocation (crawl-allocation): counts with times free, hosts' delays as limits (host-delays.ts). It says what is
 *    impossible, what a crawl is worth, and what no schedule can beat.
 * 2. Slots: each goes to the page whose crawl is worth most just then (create-timetable.ts). Where there are slots to
 *    spare, crawls get slots near their ideal times (ideal-times.ts).
 * 3. Local search: slots exchange their pages, or go to pages that make better use of them, while the true cost falls;
 *    crawls that found none go to free slots (improve-slots.ts).
 * 4. Value and bound. The bound is the larger of two: the allocation's optimum, since slots only take choices away, and
 *    one with a price for every moment (price-bound.ts), which takes into account that a slot holds one crawl.
 * Complexity: that of its parts. Stopping rule: no change worth while, or the budget.
 * Source: Wolf, Squillante, Yu, Sethuraman & Ozsen (2002), sections 2 and 3; local search and bound are ours. Known
 * limits: all steps after the allocation are heuristics; the gap is the most that they and the bound can have lost
 * together.
 */
import { type Objective, objective, type Warning, warning } from '../answer.ts';
import { type Budget, NothingToReturn, pollOf, reserveShare } from '../budget.ts';
import {
  type AllocationConflict,
  allocateCrawls,
  type CrawlAllocation,
  type CrawlAllocationProblem,
  refuseUncomputable,
  type TimesByPage,
} from '../crawl-allocation/index.ts';
import { type SortedSlots, sortSlots } from '../schedule/index.ts';
import { CrawlLimits } from './crawl-limits.ts';
import { createTimetable } from './create-timetable.ts';
import { applyHostDelays } from './host-delays.ts';
import { assignIdealTimes, prefersIdealTimes } from './ideal-times.ts';
import { improveSlots } from './improve-slots.ts';
import { type BoundProblem, boundByPrices } from './price-bound.ts';
import type { CrawlScheduleProblem, ScheduleConflict } from './problem.ts';
import { StaleTime } from './stale-time.ts';
import { Timetable } from './timetable.ts';

/** Relative gap below which a schedule is called optimal. */
const optimalGap = 1e-9;
/**
 * Fraction of the time left after the first timetable that is reserved for the bound. Without it, a solve that reaches
 * its limit has no bound.
 */
const boundShare = 0.35;

/**
 * Solves the whole scheme: counts, times and slots.
 *
 * @throws NothingToReturn when the budget ends before the crawls are placed
 * @throws ConditionNotMet where a law leaves double precision
 */
export function solveCrawlSchedule(original: CrawlScheduleProblem, budget: Budget) {
  const { interval, weight } = original.allocation;
  const slots = sortSlots(interval, original.slotCounts, pollOf(budget, 'the crawls had no slots yet'));
  const statistics = { solver: 'allocation, slots, exchanges', pages: weight.length };
  const conflict = slotShortage(original, slots.time.length);
  if (conflict !== null) return { status: 'infeasible' as const, conflict, statistics };
  const { problem, answer: ideal } = allocate(applyHostDelays(original, slots.time), budget);
  if (ideal.status === 'infeasible') {
    const conflict = allocationConflict(original, ideal.conflict, slots.time.length);
    return { status: 'infeasible' as const, conflict, statistics };
  }
  if (budget.stopRequested()) throw new NothingToReturn('the crawls had no slots yet');
  const stale = new StaleTime(problem.allocation);
  const price = ideal.shadowPrice * interval;
  const { page, openCrawls } =
    ideal.idealTimes !== null && prefersIdealTimes(problem, slots.time.length)
      ? assignIdealTimes(problem, ideal.idealTimes, slots, budget)
      : createTimetable({ problem, slotTime: slots.time, stale, price, ideal }, budget);
  const hosts = problem.hostDelays;
  const table = new Timetable({ slotTime: slots.time, interval, weight, stale, hosts }, page);
  const limits = new CrawlLimits(problem);
  for (let i = 0; i < weight.length; i++) limits.record(i, table.crawlsOf(i));
  const cost = ideal.objective.value * interval;
  // reserve time for the bound, even if the schedule could still be improved
  const { exchanges, unplacedCrawls, isStopped } = improveSlots(
    table,
    { limits, openCrawls, weight, cost },
    reserveShare(budget, boundShare),
  );
  const staleness = Float64Array.from(weight, (_, i) => Math.min(1, table.staleTime(i) / interval));
  refuseUncomputable(staleness);
  let value = 0;
  for (let i = 0; i < weight.length; i++) value += weight[i] * staleness[i];
  const hostPrice = hostPrices(problem, ideal);
  const bestObjective = provedObjective({ problem, table, stale, price, hostPrice, value }, ideal, budget);
  const { schedule, idleSlots } = slotLists(table, slots);
  const noTimes = { offsets: new Int32Array(weight.length + 1), times: new Float64Array(0) };
  return {
    status: bestObjective.gap !== null && bestObjective.gap < optimalGap ? ('optimal' as const) : ('feasible' as const),
    objective: bestObjective,
    solution: {
      pages: {
        crawls: Int32Array.from(weight, (_, i) => table.crawlsOf(i)),
        times: timesOf(table, weight.length),
        idealTimes: ideal.idealTimes ?? noTimes,
        staleness,
        idealStaleness: ideal.staleness,
      },
      schedule,
      idleSlots,
    },
    // with upTo, fewer crawls are no shortage
    warnings: warningsOf(table, { unplacedCrawls: original.upTo ? 0 : unplacedCrawls, isStopped }, problem.allocation),
    statistics: { ...statistics, crawls: schedule.time.length, exchanges },
  };
}

/**
 * The optimal allocation. Where limits do not allow all crawls and `upTo` is set, that of as many crawls as they allow.
 */
function allocate(problem: CrawlScheduleProblem, budget: Budget) {
  const { allocation, upTo } = problem;
  const timedAllocation: CrawlAllocationProblem = { ...allocation, idealTimes: true, baselines: false };
  const answer = allocateCrawls(timedAllocation, budget);
  if (answer.status !== 'infeasible' || !upTo) return { problem, answer };
  const { least, most, crawls } = answer.conflict;
  if (most === null || most >= crawls || least > most || crawls !== allocation.crawls) return { problem, answer };
  const fewer = { ...timedAllocation, crawls: most };
  return { problem: { ...problem, allocation: fewer }, answer: allocateCrawls(fewer, budget) };
}

/**
 * Price of a crawl in each host that is full, above the price of a crawl elsewhere, in weighted stale time; null
 * without hosts.
 */
function hostPrices({ allocation }: CrawlScheduleProblem, ideal: CrawlAllocation): Float64Array | null {
  const { hosts, interval } = allocation;
  if (hosts === null || ideal.hosts === null) return null;
  return Float64Array.from(ideal.hosts, ({ crawls, maxNextGain }, h) =>
    crawls >= hosts.maxCrawls[h] ? interval * Math.max(0, (maxNextGain || 0) - ideal.shadowPrice) : 0,
  );
}

/**
 * The value with its bound. Costs are ≥ 0, so the bound is 0 where none better is known. There is no bound where a page
 * has fewer crawls than its minimum, since the bound is of schedules that keep minimums.
 */
function provedObjective(schedule: BoundProblem, ideal: CrawlAllocation, budget: Budget): Objective {
  const { problem, table, value } = schedule;
  const { weight, minCrawls } = problem.allocation;
  const allocationBound = Math.min(ideal.objective.bound ?? 0, ideal.objective.value);
  const bound = Math.max(allocationBound, boundByPrices(schedule, budget) ?? 0);
  if (countShortPages(table, minCrawls) > 0) return objective(value, null);
  // a bound above the value by rounding alone is the value; shares of time have errors of about 1e−16
  const rounding = Math.max(optimalGap * bound, 1e-15 * weight.reduce((sum, w) => sum + w, 0));
  return objective(value, bound > value && bound - value <= rounding ? value : bound);
}

function slotLists(table: Timetable, slots: SortedSlots) {
  const usedSlots = Int32Array.from(table.page.keys()).filter((s) => table.page[s] >= 0);
  const schedule = {
    time: Float64Array.from(usedSlots, (s) => slots.time[s]),
    crawler: Int32Array.from(usedSlots, (s) => slots.crawler[s]),
    page: Int32Array.from(usedSlots, (s) => table.page[s]),
  };
  return { schedule, idleSlots: table.page.length - usedSlots.length };
}

function timesOf(table: Timetable, pages: number): TimesByPage {
  const offsets = new Int32Array(pages + 1);
  for (let i = 0; i < pages; i++) offsets[i + 1] = offsets[i] + table.crawlsOf(i);
  const times = new Float64Array(offsets[pages]);
  const nextIndex = offsets.slice(0, pages);
  for (let s = 0; s < table.page.length; s++) {
    if (table.page[s] >= 0) times[nextIndex[table.page[s]]++] = table.slotTime[s];
  }
  return { offsets, times };
}

const countShortPages = (table: Timetable, minCrawls: Int32Array): number =>
  minCrawls.reduce((count, minimum, i) => (table.crawlsOf(i) < minimum ? count + 1 : count), 0);

function warningsOf(
  table: Timetable,
  { unplacedCrawls, isStopped }: { readonly unplacedCrawls: number; readonly isStopped: boolean },
  { minCrawls }: CrawlAllocationProblem,
): Warning[] {
  const warnings: Warning[] = [];
  if (isStopped) {
    const detail =
      'the time limit came while exchanges were still lowering the cost, or slots being filled; raise options.timeLimitMs';
    warnings.push(warning('stopped-early', detail));
  }
  const short = countShortPages(table, minCrawls);
  if (unplacedCrawls > 0 || short > 0) {
    const pages = short > 0 ? `; ${short} pages have fewer than their minCrawls, so that no bound is given` : '';
    const detail = `no slot was found for ${unplacedCrawls} crawls beside the hosts' delays${pages}: lower crawls, or the delays`;
    warnings.push(warning('crawls-unplaced', detail));
  }
  return warnings;
}

/** The conflict that there are more crawls than slots; null where every crawl has a slot. */
function slotShortage({ allocation }: CrawlScheduleProblem, slots: number): ScheduleConflict | null {
  const { crawls, minCrawls } = allocation;
  if (crawls <= slots) return null;
  const least = minCrawls.reduce((sum, m) => sum + m, 0);
  const detail = `${crawls} crawls are to be made and the crawlers have ${slots} slots`;
  return { detail, crawls, slots, least, most: slots, hosts: [] };
}

/** The allocation's conflict, with the names of the hosts whose delay causes it. */
function allocationConflict(
  { allocation, hostDelays }: CrawlScheduleProblem,
  { detail, crawls, least, most, hosts }: AllocationConflict,
  slots: number,
): ScheduleConflict {
  const names = allocation.hosts?.names ?? [];
  const delayedHosts = hosts.filter((name) => (hostDelays?.delay[names.indexOf(name)] ?? 0) > 0);
  const because =
    delayedHosts.length > 0 ? `; minDelay of ${delayedHosts.slice(0, 3).join(', ')} leaves no more slots` : '';
  return { detail: detail + because, crawls, slots, least, most, hosts };
}
