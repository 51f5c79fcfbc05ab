/**
 * The slots of a priced plan: the index rule, slot by slot where that is affordable, else by epochs. The baseline is
 * computed too: pages in turn within the same limits.
 *
 * A schedule that the time limit stops is completed at the fetch intervals, or replaced by the baseline where that costs
 * less. Both deal slots as pages fall due, whatever their fetches are worth: each to the page longest overdue of those that
 * may be fetched; one that may not be yet (its least interval, notBefore, its host's delay) comes when it may.
 * O(slots·log pages), a small part of what a schedule by worth takes.
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

/** Elementary steps of a slot. */
const stepsPerSlot = 500;

/**
 * Relative tolerance of a tie in worth: the page whose fetch at the start saves most in the interval then comes first.
 * Without it: +3.8% at worst, +.1% in the mean (pages never fetched whose weights are as their rates; families seed 83).
 */
const tie = 1e-9;

export interface GivenSlots extends IndexSchedule, PageCosts {
  /** Of pages whose maxInterval the schedule does not keep. */
  readonly lateWarnings: readonly Warning[];
  /** Σ weight·cost, in seconds, where the pages take turns; null where the budget ended first. */
  readonly inTurn: number | null;
}

/** By page: the expected stale time, and cost by the objective before weighting, in the interval, in seconds. */
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

/** @param probes fetches for what they teach; null for none */
export function giveSlots(priced: PricedPlan, probes: Probes | null, budget: Budget): GivenSlots {
  const { isStopped, schedule } = bestSchedule(priced, probes, budget);
  const inTurn = judgeInTurn(priced, budget);
  const best = isStopped && inTurn !== null && inTurn.cost < schedule.cost ? inTurn : schedule;
  const lateWarnings = best.lateWarning === null ? [] : [best.lateWarning];
  return { ...best, isStopped, lateWarnings, inTurn: inTurn?.cost ?? null };
}

/** The slots, and when pages may and must be fetched. */
const slotLimits = ({ problem: { availability, ...problem }, slots, age }: PricedPlan) => ({
  ...problem,
  notBefore: availability?.pageFrom,
  slotTime: slots.time,
  age,
});

function bestSchedule(priced: PricedPlan, probes: Probes | null, budget: Budget) {
  const { pages, steady, longest } = priced;
  const favour = favourOf(priced);
  const createModel = (): PageModel => {
    const own = pages.createModel();
    const model = { ...own, worth: (i: number, old: number) => favour[i] * own.worth(i, old) };
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

/** The pages in turn, sooner where their longest intervals ask for it; null where the budget ends first. */
function judgeInTurn(priced: PricedPlan, budget: Budget): JudgedSchedule | null {
  const { problem, slots, age } = priced;
  const turn = (problem.interval * age.length) / slots.time.length;
  const gap = problem.maxInterval.map((limit) => Math.min(turn, limit));
  return unlessStopped(null, () => {
    const page = new Int32Array(slots.time.length).fill(-1);
    dealAsDue(slotLimits(priced), page, gap, pollOf(budget, 'the pages had not taken turns yet'));
    return judge(priced, page);
  });
}

/** What a schedule is expected to cost its pages, gap by gap. */
function judge(priced: PricedPlan, page: Int32Array): JudgedSchedule {
  const { problem, slots, age, pages } = priced;
  const model = pages.createModel();
  const staleTime = new Float64Array(age.length);
  const costTime = model.costTime === null ? staleTime : new Float64Array(age.length);
  const last = age.map((old) => -old);
  /** Adds page i from now, or from its fetch after now, until `time`. */
  const add = (i: number, time: number): void => {
    const isUnseen = last[i] === Number.NEGATIVE_INFINITY;
    staleTime[i] += isUnseen ? time : model.staleTime(i, Math.max(0, -last[i]), time - last[i]);
    if (model.costTime === null) return;
    // a page never fetched begins to cost at now
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

/** Tie breaker, a factor on the worth of each page: grows with what a fetch at the start saves until the interval ends. */
function favourOf({ problem, age, pages, steady }: PricedPlan): Float64Array {
  const { weight, interval } = problem;
  const model = pages.now;
  const cost = model.costTime ?? model.staleTime;
  return age.map((own, i) => {
    const freshCost = cost(i, 0, interval);
    // without a copy a page is stale throughout; under other objectives its cost begins at the start, as that of a new copy
    const unseenCost = model.costTime === null ? interval : freshCost;
    const saving = weight[i] * Math.max(0, (isNever(own) ? unseenCost : cost(i, own, own + interval)) - freshCost);
    return 1 + (saving > 0 ? (tie * saving) / (saving + steady.typicalWorth) : 0);
  });
}

/** The fetch interval of the page that one in a thousand undercuts. */
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
 * The longest intervals that a schedule misses by more than a slot.
 * A schedule is a heuristic: a miss proves nothing, so it is a warning. What is proved to be impossible is a conflict,
 * found before any schedule.
 *
 * @param page by slot, −1 for none
 */
function missedDeadlines({ problem, slots, age }: PricedPlan, page: Int32Array): Warning | null {
  const { now, interval, maxInterval, availability } = problem;
  if (maxInterval.every((most) => most === Number.POSITIVE_INFINITY)) return null;
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
 * Fills the slots after the last that has a page.
 *
 * @param gap by page: it is due this long after its last fetch, one never fetched before all others; Infinity: after them
 * @throws NothingToReturn when `poll` says so
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
  /** Whether the page may be fetched; where not it waits. */
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
