/**
 * The slots of a priced plan: the index rule, by epochs, and slot by slot too where that can be had.
 *
 * A plan that the time limit stops is never worse than pages in turn: what is left is dealt at the fetch intervals, or
 * all of it in turn where that costs less.
 */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import {
  type IndexSchedule,
  isSlotBySlotAffordable,
  scheduleByEpochs,
  scheduleSlotBySlot,
} from '../../schedule/index.ts';
import type { PricedPlan } from '../price.ts';
import { named } from '../spans.ts';
import type { Probes } from './probes.ts';
import { dealRest } from './rest-of-slots.ts';
import { isConstrained, limitsOf, PageAccount, turnsOf, uniformTurns } from './turns.ts';

/** Of pages worth the same to within this the one comes first whose fetch at the start saves most in the interval. */
const tie = 1e-9;

export interface GivenSlots extends IndexSchedule {
  /** By page: the expected stale time, and cost by the objective before weighting, in the interval. */
  readonly staleTime: Float64Array;
  readonly costTime: Float64Array;
  /** All slots are given, but the budget ended before a better schedule had been looked for. */
  readonly unimproved: boolean;
  /** The longest intervals that it misses. */
  readonly late: readonly Warning[];
}

const timeIsUp: Budget = { stopRequested: () => true, remainingMs: () => 0, seed: 0, report: () => {} };

interface Judged {
  readonly page: Int32Array;
  readonly account: PageAccount;
  /** Σ weight·cost, in seconds. */
  readonly cost: number;
  readonly late: Warning | null;
}

/** @param probes fetches for what they teach; null for none */
export function giveSlots(priced: PricedPlan, probes: Probes | null, budget: Budget): GivenSlots {
  const { problem, slots, age, pages, steady, longest } = priced;
  const favour = favourOf(priced);
  const indexed = (): PageModel => {
    const own = pages.working();
    const model = { ...own, worth: (i: number, old: number) => favour[i] * own.worth(i, old) };
    return probes === null ? model : probes.raising(model);
  };
  const plan = {
    ...limitsOf(problem),
    slotTime: slots.time,
    age,
    cap: longest,
    price: steady.typicalPrice,
    shortInterval: shortInterval(steady.fetchInterval, longest),
  };
  const judged = (page: Int32Array): Judged => {
    const account = accountOf(priced, page);
    const cost = account.costTime.reduce((sum, each, i) => sum + problem.weight[i] * each, 0);
    return { page, account, cost, late: missedDeadlines(priced, page) };
  };
  const given = (best: Judged, stopped: boolean, unimproved = false): GivenSlots => ({
    page: best.page,
    staleTime: best.account.staleTime,
    costTime: best.account.costTime,
    stopped,
    unimproved,
    late: best.late === null ? [] : [best.late],
  });
  const epochs = scheduleByEpochs({ ...plan, model: indexed() }, budget);
  if (epochs.stopped) {
    const { page } = epochs;
    dealRest({ ...plan, model: indexed() }, page, steady.fetchInterval);
    const dealt = judged(page);
    if (isConstrained(problem)) return given(dealt, true);
    const inTurn = uniformTurns(priced, timeIsUp).cost.reduce((sum, each, i) => sum + problem.weight[i] * each, 0);
    const isWorse = inTurn * problem.interval < dealt.cost * (1 - tie);
    return given(isWorse ? judged(turnsOf(age, slots.time.length)) : dealt, true);
  }
  const byEpochs = judged(epochs.page);
  const exact = { ...plan, model: indexed() };
  if (!isSlotBySlotAffordable(exact)) return given(byEpochs, false);
  const slow = scheduleSlotBySlot(exact, budget);
  if (slow.stopped) return given(byEpochs, false, true);
  const bySlots = judged(slow.page);
  const isWorse =
    (bySlots.late === null) === (byEpochs.late === null) ? byEpochs.cost < bySlots.cost : bySlots.late !== null;
  return given(isWorse ? byEpochs : bySlots, false);
}

function accountOf({ problem, slots, age, pages }: PricedPlan, page: Int32Array): PageAccount {
  const account = new PageAccount(pages.working(), age);
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) account.fetched(page[s], slots.time[s]);
  return account.end(problem.interval);
}

/** By how much a page's worth is raised to part ties: by what a fetch at the start saves until the interval ends. */
function favourOf({ problem, age, pages, steady }: PricedPlan): Float64Array {
  const { weight, interval } = problem;
  const model = pages.now;
  const cost = model.costTime ?? model.staleTime;
  return age.map((own, i) => {
    const fetched = cost(i, 0, interval);
    const isUnseen = own === Number.POSITIVE_INFINITY;
    let saved = weight[i] * Math.max(0, (isUnseen ? interval : cost(i, own, own + interval)) - fetched);
    // of a copy never fetched the time is all that a fetch can save; or it costs nothing at the start, as one of now
    if (isUnseen && model.costTime !== null) saved = 0;
    return 1 + (saved > 0 ? (tie * saved) / (saved + steady.typicalPrice) : 0);
  });
}

/** A fetch interval that only one page in a thousand is fetched more often than. */
function shortInterval(fetchInterval: Float64Array, longest: Float64Array): number {
  const shortest = new KeyedHeap();
  const wanted = Math.floor(longest.length / 1000) + 1;
  for (let i = 0; i < longest.length; i++) {
    const value = Math.min(fetchInterval[i], longest[i]);
    if (shortest.size === wanted && value >= shortest.topKey()) continue;
    shortest.push(value, i);
    if (shortest.size > wanted) shortest.pop();
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
  const grace = slots.longestStep * (1 + 1e-9);
  const due = maxInterval.map((most, i) => {
    const first = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
    return Math.max(first < 0 ? interval : first, availability?.pageFrom[i] ?? 0);
  });
  const late = new Set<number>();
  let by = Number.POSITIVE_INFINITY;
  const miss = (i: number): void => {
    late.add(i);
    by = Math.min(by, due[i]);
  };
  for (let s = 0; s < page.length; s++) {
    const i = page[s];
    if (i < 0 || maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    const time = slots.time[s];
    if (time > due[i] + grace) miss(i);
    due[i] = time + maxInterval[i];
  }
  for (let i = 0; i < due.length; i++) if (due[i] + grace < interval) miss(i);
  if (late.size === 0) return null;
  const pages = Int32Array.from(late).sort();
  const which = `${late.size} ${late.size === 1 ? 'page' : 'pages'}${named(problem, pages)}`;
  return {
    code: 'max-interval-missed',
    detail:
      `no schedule was found that keeps maxInterval to within one slot for ${which}, the first from ${now + by} on ` +
      '(whether one exists is not known); raise maxInterval, lower minDelay or add crawls',
  };
}
