/**
 * The index rule slot by slot: each slot to the page whose fetch is worth most at its very time.
 *
 * Worth rises with the age, so that a page's worth at the end of an epoch of slots is an upper bound within it. At a
 * slot only pages are looked at whose bound is above the best found so far. Limits are kept as by index-schedule.ts,
 * which compares worths once an epoch and looks at few pages. This one is exact where pages × slots are not too many.
 * Complexity: pages × slots comparisons, pages × epochs worths.
 */
import type { Budget } from '../../../budget.ts';
import { PageAccount } from '../schedule-account.ts';
import { isPastCap } from './candidate-pool.ts';
import { CoolingPages } from './cooling-pages.ts';
import { ReservedSlots } from './reserved-slots.ts';
import type { IndexScheduleResult, ScheduleProblem } from './schedule-problem.ts';

/** Pages times slots up to which this takes a tenth of a second or so. */
export const mostExact = 5e7;
const mostEpochs = 64;
const fewestSlots = 4;
/** Added to the worth, over the price, of pages held to a deadline, and of pages past their cap. */
const urgentFirst = 1e100;
const overdueFirst = 1e50;
const rounding = 1 - 1e-12;

/** Whether the rule can be followed slot by slot. */
export const canBeExact = ({ model, slots }: ScheduleProblem): boolean => model.pages * slots.time.length <= mostExact;

/** Gives the slots to the pages. Stopped early, the remaining slots stay empty. */
export function scheduleExactly(problem: ScheduleProblem, budget: Budget): IndexScheduleResult {
  const { slots, model, age, interval, minInterval, availability } = problem;
  const { pages } = model;
  const count = slots.time.length;
  const page = new Int32Array(count).fill(-1);
  const bound = new Float64Array(pages);
  const urgent = new Uint8Array(pages);
  const account = new PageAccount(model, age);
  const { last } = account;
  const cooling = new CoolingPages(problem, last);
  const reserved = new ReservedSlots(slots, pages);
  const keyAt = (i: number, time: number, enough: number): number => {
    const key = upperKey(problem, urgent[i] === 1, i, time - last[i]);
    return key > enough ? keyOf(problem, urgent[i] === 1, i, time - last[i]) : key;
  };
  const hold = (i: number, fromSlot: number): void => {
    const from = last[i] === Number.NEGATIVE_INFINITY ? 0 : last[i];
    if (from + problem.maxInterval[i] < interval) reserved.reserve(i, fromSlot, from + problem.maxInterval[i]);
  };
  holdAll(problem, last, hold);
  const perEpoch = Math.max(fewestSlots, Math.ceil(count / mostEpochs));
  let stopped = false;
  for (let s = 0; s < count && !stopped; s++) {
    const time = slots.time[s];
    if (s % perEpoch === 0) {
      stopped = budget.stopRequested();
      const end = slots.time[Math.min(count, s + perEpoch) - 1];
      for (let i = 0; i < pages; i++) bound[i] = upperKey(problem, urgent[i] === 1, i, end - last[i]);
    }
    const holder = reserved.holder(s);
    if (holder >= 0) {
      urgent[holder] = 1;
      bound[holder] = Number.POSITIVE_INFINITY;
    }
    let best = -1;
    let most = 0;
    for (let i = 0; i < pages; i++) {
      if (!(bound[i] > most)) continue;
      if (time - last[i] < minInterval[i] * rounding) continue;
      if (availability !== undefined && time < availability.pageFrom[i]) continue;
      if (!cooling.hostReady(i, time)) continue;
      const key = keyAt(i, time, most);
      if (key > most) [best, most] = [i, key];
    }
    if (best < 0) continue;
    page[s] = best;
    urgent[best] = 0;
    account.fetched(best, time);
    reserved.release(best);
    hold(best, s + 1);
    cooling.fetched(best, time);
    const end = slots.time[Math.min(count, s - (s % perEpoch) + perEpoch) - 1];
    bound[best] = upperKey(problem, false, best, end - time);
  }
  account.end(interval);
  return { page, staleTime: account.staleTime, costTime: account.costTime, stopped };
}

/** The deadlines of pages that have one in the interval; those past theirs take the slots that others leave. */
function holdAll(problem: ScheduleProblem, last: Float64Array, hold: (i: number, slot: number) => void): void {
  const overdue: number[] = [];
  for (let i = 0; i < last.length; i++) {
    if (problem.maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    if (last[i] > Number.NEGATIVE_INFINITY && last[i] + problem.maxInterval[i] < 0) overdue.push(i);
    else hold(i, 0);
  }
  const worth = new Map(overdue.map((i) => [i, problem.model.worth(i, -last[i])]));
  for (const i of overdue.sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0))) hold(i, 0);
}

/** At most the key of a page up to an age. */
function upperKey({ model, cap, price }: ScheduleProblem, isUrgent: boolean, i: number, age: number): number {
  const worth = model.worth(i, Math.max(0, age));
  if (isUrgent) return Number.POSITIVE_INFINITY;
  return isPastCap(age, cap[i]) ? worth + overdueFirst * price : worth;
}

function keyOf({ model, cap, price }: ScheduleProblem, isUrgent: boolean, i: number, age: number): number {
  const worth = model.worth(i, Math.max(0, age));
  if (isUrgent) return worth + urgentFirst * price;
  return isPastCap(age, cap[i]) ? worth + overdueFirst * price : worth;
}
