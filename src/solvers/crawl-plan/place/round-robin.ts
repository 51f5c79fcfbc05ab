/** What each page would cost if all took turns, whatever they are worth: the plan to compare with. */
import type { Budget } from '../../budget.ts';
import type { CrawlSlots } from '../limits/allowed.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import type { PageModel } from '../rates/page-model.ts';
import { scheduleByIndex } from './by-index/index-schedule.ts';
import type { ScheduleLimits } from './by-index/schedule-problem.ts';
import { PageAccount } from './schedule-account.ts';

/** Fetches between two looks at the budget. */
const stepsPerPoll = 4096;

export interface RoundRobin {
  /** By page: the mean cost of the copy by the objective; under freshness the share of the interval it is stale. */
  readonly cost: Float64Array;
  /** The budget ended: the constraints of the problem are left out, or the last turns are taken in a steady rhythm. */
  readonly stopped: boolean;
}

/** Costs by page when all take turns on the same slots, within the same minInterval, maxInterval and minDelay. */
export function roundRobin(plan: PricedPlan, budget: Budget): RoundRobin {
  const { problem, slots, age, pages } = plan;
  const { interval, maxInterval: cap } = problem;
  if (!isConstrained(problem)) return uniformTurns(pages.working(), slots, interval, age, budget);
  const turn = (interval * age.length) / slots.time.length;
  // turns within the constraints: the schedule of a worth that is the age itself
  const model: PageModel = {
    ...pages.working(),
    worth: (_, old) => (old === Number.POSITIVE_INFINITY ? 1e12 * turn : old),
    ageAt: (_, price) => price,
  };
  const byAge = { ...problem, model, slots, age, cap, price: turn, shortInterval: turn };
  const { costTime, stopped } = scheduleByIndex(byAge, budget);
  if (!stopped) return { cost: costTime.map((time) => time / interval), stopped };
  // a baseline cut short would look worse than it is: then the turns without constraints stand for it
  return { ...uniformTurns(pages.working(), slots, interval, age, budget), stopped };
}

/** Whether anything but the slots says when a page may be fetched. */
function isConstrained({ minInterval, maxInterval, hostDelay, hostRate, availability }: ScheduleLimits): boolean {
  if (availability !== undefined) return true;
  const bounded = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  return bounded || hostRate !== undefined || hostDelay.some((delay) => delay > 0);
}

/**
 * Costs by page when the slots go round the pages, those unfetched for longest first (never fetched before all).
 * One page after the other, as what is believed of them lies in memory: O(slots + pages log pages). Changes the
 * model's state. Once the budget has ended the rest is fetched in a steady rhythm, what is believed of each page
 * staying as it is: O(pages).
 */
function uniformTurns(
  model: PageModel,
  slots: CrawlSlots,
  interval: number,
  age: Float64Array,
  budget: Budget,
): RoundRobin {
  const pages = age.length;
  const turn = turnsOldestFirst(age);
  const account = new PageAccount(model, age);
  const count = slots.time.length;
  let stopped = false;
  let steps = stepsPerPoll;
  const goesOn = (): boolean => {
    if (stopped || ++steps < stepsPerPoll) return !stopped;
    steps = 0;
    stopped = budget.stopRequested();
    return !stopped;
  };
  for (let i = 0; i < pages; i++) {
    let k = turn[i];
    for (; k < count && goesOn(); k += pages) account.fetched(i, slots.time[k]);
    if (k >= count) continue;
    account.fetched(i, slots.time[k]);
    const rounds = Math.floor((count - 1 - k) / pages);
    if (rounds > 0) account.fetchedInRhythm(i, rounds, (slots.time[k + rounds * pages] - slots.time[k]) / rounds);
  }
  account.end(interval);
  return { cost: account.costTime.map((time) => time / interval), stopped };
}

/**
 * The turn of each page: the oldest first, of equal age in their order. Ages are sorted without a comparison function,
 * then found.
 */
function turnsOldestFirst(age: Float64Array): Uint32Array {
  const sorted = age.slice().sort();
  const pages = age.length;
  /** How many pages of the age that begins at a position have been placed. */
  const placed = new Uint32Array(pages);
  const turn = new Uint32Array(pages);
  for (let i = 0; i < pages; i++) {
    let olderFrom = 0;
    for (let end = pages; olderFrom < end; ) {
      const middle = (olderFrom + end) >> 1;
      if (sorted[middle] <= age[i]) olderFrom = middle + 1;
      else end = middle;
    }
    const first = pages - olderFrom;
    turn[i] = first + placed[first]++;
  }
  return turn;
}
