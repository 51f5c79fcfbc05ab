/**
 * The slots of a priced plan: the index rule, by epochs, and slot by slot too where that can be had. With it comes the
 * plan to compare with: pages in turn within the same limits.
 *
 * A plan that the time limit stops is dealt to its end at the fetch intervals, or all of it in turn where that costs less.
 */
import type { Warning } from '../../answer.ts';
import { type Budget, pollOf, unlessStopped } from '../../budget.ts';
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
import { dealAsDue } from './as-due.ts';
import type { Probes } from './probes.ts';

/** Of pages worth the same to within this the one comes first whose fetch at the start saves most in the interval. */
const tie = 1e-9;

export interface GivenSlots extends IndexSchedule, PageCosts {
  /** All slots are given, but the budget ended before a better schedule had been looked for. */
  readonly unimproved: boolean;
  /** The longest intervals that it misses. */
  readonly late: readonly Warning[];
  /** Σ weight·cost, in seconds, where the pages take turns; null where the budget ended first. */
  readonly inTurn: number | null;
}

/** By page: the expected stale time, and cost by the objective before weighting, in the interval, in seconds. */
interface PageCosts {
  readonly staleTime: Float64Array;
  readonly costTime: Float64Array;
}

interface Judged extends PageCosts {
  readonly page: Int32Array;
  /** Σ weight·cost, in seconds. */
  readonly cost: number;
  readonly late: Warning | null;
}

/** @param probes fetches for what they teach; null for none */
export function giveSlots(priced: PricedPlan, probes: Probes | null, budget: Budget): GivenSlots {
  const { stopped, unimproved, judged } = bestSchedule(priced, probes, budget);
  const inTurn = judgedInTurn(priced, budget);
  const best = stopped && inTurn !== null && inTurn.cost < judged.cost * (1 - tie) ? inTurn : judged;
  const late = best.late === null ? [] : [best.late];
  return { ...best, stopped, unimproved, late, inTurn: inTurn?.cost ?? null };
}

/** When pages may and must be fetched, in which slots. */
const slotLimits = ({ problem: { availability, ...problem }, slots, age }: PricedPlan) => ({
  ...problem,
  notBefore: availability?.pageFrom,
  slotTime: slots.time,
  age,
});

function bestSchedule(priced: PricedPlan, probes: Probes | null, budget: Budget) {
  const { pages, steady, longest } = priced;
  const favour = favourOf(priced);
  const indexed = (): PageModel => {
    const own = pages.working();
    const model = { ...own, worth: (i: number, old: number) => favour[i] * own.worth(i, old) };
    return probes === null ? model : probes.raising(model);
  };
  const plan = {
    ...slotLimits(priced),
    cap: longest,
    price: steady.typicalPrice,
    shortInterval: shortInterval(steady.fetchInterval, longest),
  };
  const { page, stopped } = scheduleByEpochs({ ...plan, model: indexed() }, budget);
  if (stopped) dealAsDue(plan, page, steady.fetchInterval);
  const byEpochs = judge(priced, page);
  const exact = { ...plan, model: indexed() };
  if (stopped || !isSlotBySlotAffordable(exact)) return { judged: byEpochs, stopped, unimproved: false };
  const slow = scheduleSlotBySlot(exact, budget);
  if (slow.stopped) return { judged: byEpochs, stopped, unimproved: true };
  const bySlots = judge(priced, slow.page);
  const isWorse =
    (bySlots.late === null) === (byEpochs.late === null) ? byEpochs.cost < bySlots.cost : bySlots.late !== null;
  return { judged: isWorse ? byEpochs : bySlots, stopped, unimproved: false };
}

/** The pages in turn, sooner where their longest intervals ask for it; null where the budget ends first. */
function judgedInTurn(priced: PricedPlan, budget: Budget): Judged | null {
  const { problem, slots, age } = priced;
  const turn = (problem.interval * age.length) / slots.time.length;
  const gap = problem.maxInterval.map((most) => Math.min(turn, most));
  return unlessStopped(null, () => {
    const page = new Int32Array(slots.time.length).fill(-1);
    dealAsDue(slotLimits(priced), page, gap, pollOf(budget, 'the pages had not taken turns yet'));
    return judge(priced, page);
  });
}

/** What a schedule is expected to cost its pages, gap by gap. */
function judge(priced: PricedPlan, page: Int32Array): Judged {
  const { problem, slots, age, pages } = priced;
  const model = pages.working();
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
  return { page, staleTime, costTime, cost, late: missedDeadlines(priced, page) };
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
