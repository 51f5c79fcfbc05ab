/**
 * A schedule for this interval alone, whatever comes after it.
 *
 * 1. How often each page is fetched, by marginal value with free times (interval-counts.ts).
 * 2. A first schedule: the free times in their order on the slots in theirs; where hosts, windows or intervals are to
 *    be kept, the pages as they are due, by the schedule that keeps them (due-order.ts). The schedule for ever is another one.
 * 3. The better one improved by exchanges, transfers and empty slots, as crawl-schedule's timetable is, within the same
 *    rules.
 * Where hosts lie within others, the better of the first schedules stands as it is.
 * Complexity: that of its parts. Stopping rule: nothing to gain, or the budget. A heuristic: the gap to the plan's
 * bound is what it, slots, delays and windows have cost together.
 */
import type { Budget } from '../../../budget.ts';
import { fillSlots, improveSlots, Timetable } from '../../../crawl-schedule/index.ts';
import type { PricedPlan } from '../../market/priced-plan.ts';
import { canBeExact, type ExactProblem, scheduleExactly } from '../by-index/exact-schedule.ts';
import { scheduleByIndex } from '../by-index/index-schedule.ts';
import type { Saving } from '../by-index/rest-worth.ts';
import type { IndexScheduleResult, ScheduleProblem } from '../by-index/schedule-problem.ts';
import { bestOf, type ScheduleJudge } from '../schedule-account.ts';
import { dueOrder } from './due-order.ts';
import { freeTimesInOrder } from './free-times.ts';
import { ModelCosts } from './gap-costs.ts';
import { evenGap, intervalCounts } from './interval-counts.ts';
import { keptLimits } from './page-rules.ts';

/** Pages times slots for which schedules shaken by chance are tried as well. */
const mostShaken = 2500;

interface IntervalTerms {
  /** How the schedule for ever is made by epochs, and that schedule: this one is not to fall behind it. */
  readonly byIndex: ScheduleProblem;
  readonly forEver: IndexScheduleResult;
  readonly judge: ScheduleJudge;
  readonly saved: Saving;
}

export function scheduleInterval(
  priced: PricedPlan,
  { byIndex, forEver, judge, saved }: IntervalTerms,
  budget: Budget,
): IndexScheduleResult {
  const { problem, slots, age, rates, pages, steady } = priced;
  const { interval, weight, minInterval } = problem;
  // before all else: no answer is to be above the rule, however early the time ends
  const byRule = byFiniteRule({ ...byIndex, model: pages.working(), cap: problem.maxInterval, saved }, budget);
  const { hosts, rules } = keptLimits(byIndex, { page: forEver.page, grace: slots.longestStep });
  const costs = new ModelCosts(pages.now, age, interval, rates.beliefs === null && problem.signals === undefined);
  const counts = intervalCounts({
    costs,
    weight,
    age,
    interval,
    minInterval,
    slots: slots.time.length,
    intervalAt: (i, price) => pages.now.intervalAt(i, price),
    pagePrice: steady.pagePrice,
    typicalPrice: steady.price > 0 ? steady.price : steady.typicalPrice,
  });
  const grouped = problem.hostGroups !== undefined;
  const free = hosts === null && rules === undefined && !grouped;
  const terms = { slotTime: slots.time, interval, weight, stale: costs, hosts, rules };
  const table = (page: Int32Array): Timetable => new Timetable(terms, page);
  const first = free
    ? (freeTimesInOrder(terms, { counts, age }, table, budget) ?? forEver.page)
    : pagesAsDue(priced, counts, byIndex, budget);
  const plain = judge.judged(forEver.page);
  const due = judge.judged(first);
  // fetches ahead of a host's largest rate leave exchanges nothing to go by
  const begun = problem.hostRate === undefined ? [due, plain] : [due];
  const start = bestOf(byRule === null ? begun : [judge.judged(byRule), ...begun]);
  // exchanges know a page's own host alone
  if (grouped) {
    const { staleTime, costTime } = judge.accountOf(start.page);
    return { page: start.page, staleTime, costTime, stopped: false, unimproved: false };
  }
  const improved = improve(table(start.page.slice()), { table, weight, free, cost: start.cost * interval }, budget);
  const { page } = bestOf([judge.judged(improved.table.page), start, plain]);
  const { staleTime, costTime } = judge.accountOf(page);
  return { page, staleTime, costTime, stopped: false, unimproved: improved.stopped };
}

/**
 * The index rule slot by slot, a fetch being worth no more than it saves until the end; null where that takes too long.
 */
function byFiniteRule(rule: ExactProblem, budget: Budget): Int32Array | null {
  if (!canBeExact(rule)) return null;
  const { page, stopped } = scheduleExactly(rule, budget);
  return stopped ? null : page;
}

interface Improving {
  readonly table: (page: Int32Array) => Timetable;
  readonly weight: Float64Array;
  /** Whether any page may have any slot. */
  readonly free: boolean;
  readonly cost: number;
}

function improve(start: Timetable, { table, weight, free, cost }: Improving, budget: Budget) {
  const least = new Int32Array(weight.length);
  const limits = { least, allow: (i: number) => weight[i] > 0, changed: () => {} };
  const shaken = free && weight.length * start.page.length <= mostShaken;
  const idle = start.page.reduce((sum, i) => sum + (i < 0 ? 1 : 0), 0);
  fillSlots(start, limits, idle, budget);
  return improveSlots({ table: start, tableOf: table, limits: () => limits, weight, cost, shaken }, budget);
}

/** The pages as they are due by these counts, within all that is to be kept. */
function pagesAsDue(
  { problem, age, pages }: PricedPlan,
  counts: Int32Array,
  byIndex: ScheduleProblem,
  budget: Budget,
): Int32Array {
  const { interval, maxInterval, hostDelay, hostRate } = problem;
  const gap = Float64Array.from(counts, (x, i) => evenGap({ age, interval }, i, x));
  const model = dueOrder(pages.working(), { price: byIndex.price, gap, counts });
  // a host's largest rate is kept as a delay, as the exchanges do
  const delay = hostRate === undefined ? hostDelay : hostDelay.map((own, h) => Math.max(own, 1 / hostRate[h]));
  return scheduleByIndex(
    { ...byIndex, model, isPlain: false, cap: maxInterval, hostDelay: delay, hostRate: undefined },
    budget,
  ).page;
}
