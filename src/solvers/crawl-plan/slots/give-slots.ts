/**
 * The schedule of a priced plan by the index rule, slot by slot where that is affordable, else by epochs; and the
 * baseline, in which pages take turns within the same limits.
 *
 * A schedule that the time limit stops is completed by the fetch intervals, or replaced by the baseline where the
 * baseline costs less. Both assign slots as pages fall due, whatever their fetches are worth: each slot goes to the
 * page longest overdue of those that may be fetched. A page that may not be fetched yet (minInterval, notBefore, delay
 * of its host) waits until it may. O(slots·log pages), a small part of the time of a schedule by worth.
 */
import type { Warning } from '../../answer.ts';
import { type Budget, type Poll, pollOf, unlessStopped } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/collections/keyed-heap.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { isNever } from '../../pages/never.ts';
import {
  deadlineAfter,
  type IndexSchedule,
  isSlotBySlotAffordable,
  type ScheduleProblem,
  scheduleByEpochs,
  scheduleSlotBySlot,
  WaitingPages,
} from '../../schedule/index.ts';
import type { PricedPlan } from '../price.ts';
import { roundoff } from '../problem.ts';
import { listPages } from '../spans.ts';
import type { Probes } from './probes.ts';

/** Elementary steps that assigning a slot takes, for the poll of the time limit. */
const stepsPerSlot = 500;

/**
 * Relative tolerance of a tie in worth: of tied pages the one whose fetch at the start saves most in the interval comes
 * first. Without the tie breaker costs rise by 3.8% at worst and .1% in the mean (pages never fetched with weights in
 * proportion to their rates; families seed 83).
 */
const tieTolerance = 1e-9;

export interface GivenSlots extends IndexSchedule, PageCosts {
  /** Warnings of pages whose maxInterval the schedule does not keep. */
  readonly lateWarnings: readonly Warning[];
  /** Σ weight·cost of the baseline in which pages take turns, in seconds; null if the budget ended first. */
  readonly roundRobinCost: number | null;
}

/** By page, over the interval, in seconds: expected stale time, and expected cost by the objective before weighting. */
interface PageCosts {
  readonly staleTime: Float64Array;
  readonly costTime: Float64Array;
}

interface JudgedSchedule extends PageCosts {
  readonly page: Int32Array;
  /** Σ weight·cost, in seconds. */
  readonly cost: number;
  readonly lateWarning: Warning | null;
}

/** @param probes fetches for their information; null for none */
export function giveSlots(priced: PricedPlan, probes: Probes | null, budget: Budget): GivenSlots {
  const { isStopped, schedule } = bestSchedule(priced, probes, budget);
  const roundRobin = judgeRoundRobin(priced, budget);
  const best = isStopped && roundRobin !== null && roundRobin.cost < schedule.cost ? roundRobin : schedule;
  const lateWarnings = best.lateWarning === null ? [] : [best.lateWarning];
  return { ...best, isStopped, lateWarnings, roundRobinCost: roundRobin?.cost ?? null };
}

/** The slots, and the times at which pages may and must be fetched, as a schedule takes them. */
const slotLimits = ({ problem: { availability, ...problem }, slots, age }: PricedPlan) => ({
  ...problem,
  notBefore: availability?.pageFrom,
  slotTime: slots.time,
  age,
});

function bestSchedule(priced: PricedPlan, probes: Probes | null, budget: Budget) {
  const { pages, steady, longest } = priced;
  const tieBreaker = tieBreakers(priced);
  const createModel = (): PageModel => {
    const own = pages.createModel();
    const model = { ...own, worth: (i: number, old: number) => tieBreaker[i] * own.worth(i, old) };
    return probes === null ? model : probes.raise(model);
  };
  const plan = {
    ...slotLimits(priced),
    cap: longest,
    price: steady.typicalWorth,
    shortInterval: shortInterval(steady.fetchInterval, longest),
  };
  const problem = { ...plan, model: createModel() };
  const { page, isStopped } = isSlotBySlotAffordable(problem)
    ? scheduleSlotBySlot(problem, budget)
    : scheduleByEpochs(problem, budget);
  if (isStopped) dealAsDue(plan, page, steady.fetchInterval);
  return { schedule: judge(priced, page), isStopped };
}

/** The baseline: pages in turn, sooner where maxInterval requires it; null if the budget ends first. */
function judgeRoundRobin(priced: PricedPlan, budget: Budget): JudgedSchedule | null {
  const { problem, slots, age } = priced;
  const turn = (problem.interval * age.length) / slots.time.length;
  const gap = problem.maxInterval.map((limit) => Math.min(turn, limit));
  return unlessStopped(null, () => {
    const page = new Int32Array(slots.time.length).fill(-1);
    dealAsDue(slotLimits(priced), page, gap, pollOf(budget, 'the pages had not taken turns yet'));
    return judge(priced, page);
  });
}

/** The expected costs of all pages under a schedule, gap by gap. @param page by slot, −1 for none */
function judge(priced: PricedPlan, page: Int32Array): JudgedSchedule {
  const { problem, slots, age, pages } = priced;
  const model = pages.createModel();
  const staleTime = new Float64Array(age.length);
  const costTime = model.costTime === null ? staleTime : new Float64Array(age.length);
  const last = age.map((old) => -old);
  /** Adds the cost of page i from `now`, or from its last fetch after `now`, until `time`. */
  const add = (i: number, time: number): void => {
    const isUnseen = last[i] === Number.NEGATIVE_INFINITY;
    staleTime[i] += isUnseen ? time : model.staleTime(i, Math.max(0, -last[i]), time - last[i]);
    if (model.costTime === null) return;
    // the cost of a page never fetched starts at now
    const from = isUnseen ? 0 : last[i];
    costTime[i] += model.costTime(i, Math.max(0, -from), time - from);
  };
  for (let s = 0; s < page.length; s++) {
    if (page[s] < 0) continue;
    add(page[s], slots.time[s]);
    model.recordFetch(page[s], slots.time[s]);
    last[page[s]] = slots.time[s];
  }
  for (let i = 0; i < age.length; i++) add(i, problem.interval);
  const cost = costTime.reduce((sum, each, i) => sum + problem.weight[i] * each, 0);
  return { page, staleTime, costTime, cost, lateWarning: missedDeadlines(priced, page) };
}

/**
 * By page: a factor on its worth, slightly above 1, that rises with the saving by a fetch at the start of the interval.
 */
function tieBreakers({ problem, age, pages, steady }: PricedPlan): Float64Array {
  const { weight, interval } = problem;
  const model = pages.now;
  const cost = model.costTime ?? model.staleTime;
  return age.map((own, i) => {
    const freshCost = cost(i, 0, interval);
    // a page never fetched is stale throughout; under other objectives it costs as much as a copy fetched at the start
    const unseenCost = model.costTime === null ? interval : freshCost;
    const saving = weight[i] * Math.max(0, (isNever(own) ? unseenCost : cost(i, own, own + interval)) - freshCost);
    return 1 + (saving > 0 ? (tieTolerance * saving) / (saving + steady.typicalWorth) : 0);
  });
}

/** The shortest fetch interval, one page in a thousand left aside. */
function shortInterval(fetchInterval: Float64Array, longest: Float64Array): number {
  const shortest = new KeyedHeap();
  const rank = Math.floor(longest.length / 1000) + 1;
  for (let i = 0; i < longest.length; i++) {
    const value = Math.min(fetchInterval[i], longest[i]);
    if (shortest.size === rank && value >= shortest.topKey()) continue;
    shortest.push(value, i);
    if (shortest.size > rank) shortest.pop();
  }
  return shortest.topKey();
}

/**
 * The warning of pages that a schedule fetches more than a slot after their deadlines; null for none. The schedule is a
 * heuristic, so that a missed deadline does not prove a conflict; proved conflicts are found before any schedule.
 *
 * @param page by slot, −1 for none
 */
function missedDeadlines({ problem, slots, age }: PricedPlan, page: Int32Array): Warning | null {
  const { now, interval, maxInterval, availability } = problem;
  if (maxInterval.every((limit) => limit === Number.POSITIVE_INFINITY)) return null;
  const grace = slots.longestStep * (1 + roundoff);
  const due = maxInterval.map((limit, i) => Math.max(deadlineAfter(-age[i], limit), availability?.pageFrom[i] ?? 0));
  const latePages = new Set<number>();
  let by = Number.POSITIVE_INFINITY;
  const miss = (i: number): void => {
    latePages.add(i);
    by = Math.min(by, due[i]);
  };
  for (let s = 0; s < page.length; s++) {
    const i = page[s];
    if (i < 0 || maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    const time = slots.time[s];
    if (time > due[i] + grace) miss(i);
    due[i] = Math.min(time, due[i]) + maxInterval[i];
  }
  for (let i = 0; i < due.length; i++) if (due[i] + grace < interval) miss(i);
  if (latePages.size === 0) return null;
  const pages = Int32Array.from(latePages).sort();
  const which = `${latePages.size} ${latePages.size === 1 ? 'page' : 'pages'}${listPages(problem, pages)}`;
  return {
    code: 'max-interval-missed',
    detail:
      `no schedule was found that keeps maxInterval to within one slot for ${which}, the first from ${now + by} on ` +
      '(whether one exists is not known); raise maxInterval, lower minDelay or add crawls',
  };
}

/**
 * Fills the slots after the last one that has a page, in order of due times; pages never fetched come first.
 *
 * @param gap by page: time from its last fetch until it is due; Infinity: due after all others
 * @throws NothingToReturn from `poll`, when the budget ends
 */
export function dealAsDue(
  problem: Omit<ScheduleProblem, 'model' | 'cap' | 'price'>,
  page: Int32Array,
  gap: Float64Array,
  poll?: Poll,
): void {
  const { slotTime, age, minInterval, notBefore } = problem;
  let from = page.length;
  while (from > 0 && page[from - 1] < 0) from--;
  const last = age.map((old) => -old);
  const waitingPages = new WaitingPages(problem, last);
  const fetch = (i: number, time: number): void => {
    last[i] = time;
    waitingPages.recordFetch(i, time);
  };
  for (let s = 0; s < from; s++) if (page[s] >= 0) fetch(page[s], slotTime[s]);
  const queue = new KeyedHeap(last.length);
  const enqueue = (i: number): void =>
    queue.push(last[i] === Number.NEGATIVE_INFINITY ? Infinity : -last[i] - gap[i], i);
  for (let i = 0; i < last.length; i++) enqueue(i);
  /** Whether page i may be fetched at a time; if not, it is put among the waiting pages. */
  const isReady = (i: number, time: number): boolean => {
    const soonest = Math.max(last[i] + minInterval[i], notBefore?.[i] ?? 0);
    if (soonest > time) waitingPages.waitUntil(i, soonest);
    else if (!waitingPages.hostReady(i, time)) waitingPages.waitForHost(i, () => 0);
    else return true;
    return false;
  };
  for (let s = from; s < page.length; s++) {
    poll?.(stepsPerSlot);
    const time = slotTime[s];
    waitingPages.wake(time, enqueue);
    let next = queue.pop();
    while (next >= 0 && !isReady(next, time)) next = queue.pop();
    if (next < 0) continue;
    page[s] = next;
    fetch(next, time);
    enqueue(next);
  }
}
