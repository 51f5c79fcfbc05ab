/** What each page would cost if all took turns, whatever they are worth: the plan to compare with. */
import type { Budget } from '../../budget.ts';
import { expectedCost } from '../limits/fetch-costs.ts';
import type { CrawlSlots } from '../limits/slots.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import type { PageModel } from '../rates/page-model.ts';
import { scheduleByIndex } from './by-index/index-schedule.ts';
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
export function roundRobin({ problem, slots: all, age, rates, pages }: PricedPlan, budget: Budget): RoundRobin {
  const slots = turnSlots(problem, all, rates.rate);
  if (constrained(problem)) {
    const { costTime, stopped } = turnsByAge(problem, slots, age, pages.working(), budget);
    // a baseline cut short would look worse than it is: then the turns without constraints stand for it
    if (!stopped) return meansOf(costTime, problem.interval, false);
    return { ...uniformTurns(pages.working(), slots, problem.interval, age, budget), stopped: true };
  }
  return uniformTurns(pages.working(), slots, problem.interval, age, budget);
}

/** The slots that pages taking turns can pay for. */
function turnSlots({ costs, interval }: CrawlPlanProblem, slots: CrawlSlots, rate: Float64Array): CrawlSlots {
  if (costs === undefined) return slots;
  const pages = rate.length;
  const round = (turn: number): number => rate.reduce((sum, each, i) => sum + expectedCost(costs, i, each, turn), 0);
  const plain = costs.cost.reduce((sum, each) => sum + each, 0);
  const turn = (interval * plain) / costs.spending;
  const count = Math.min(slots.time.length, Math.floor((costs.spending * pages) / round(turn)));
  const chosen = Uint32Array.from({ length: Math.max(1, count) }, (_, k) =>
    Math.floor((k * slots.time.length) / Math.max(1, count)),
  );
  return {
    time: Float64Array.from(chosen, (k) => slots.time[k]),
    crawler: Uint32Array.from(chosen, (k) => slots.crawler[k]),
  };
}

function meansOf(costTime: Float64Array, interval: number, stopped: boolean): RoundRobin {
  return { cost: costTime.map((time) => time / interval), stopped };
}

/** Whether anything but the slots says when a page may be fetched. */
function constrained({ minInterval, maxInterval, hostDelay, hostRate, availability }: CrawlPlanProblem): boolean {
  if (availability !== undefined) return true;
  const bounded = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  return bounded || hostRate !== undefined || hostDelay.some((delay) => delay > 0);
}

/** Turns within the constraints: the schedule of a worth that is the age itself. */
function turnsByAge(problem: CrawlPlanProblem, slots: CrawlSlots, age: Float64Array, model: PageModel, budget: Budget) {
  const turn = (problem.interval * age.length) / slots.time.length;
  const byAge: PageModel = {
    ...model,
    worth: (_, old) => (old === Number.POSITIVE_INFINITY ? 1e12 * turn : old),
    ageAt: (_, price) => price,
  };
  const cap = problem.maxInterval;
  return scheduleByIndex({ ...problem, model: byAge, slots, age, cap, price: turn, shortInterval: turn }, budget);
}

/**
 * Costs by page when the slots go round the pages, those unfetched for longest first (never fetched before all).
 * One page after the other, as what is believed of them lies in memory: O(slots + pages log pages). Changes the
 * model's state. Once the budget has ended the rest is fetched in a steady rhythm, what is believed of each page
 * staying as it is: O(pages).
 */
export function uniformTurns(
  model: PageModel,
  slots: CrawlSlots,
  interval: number,
  age: Float64Array,
  budget: Budget,
): RoundRobin {
  const pages = age.length;
  const turn = turnsOldestFirst(age);
  const account = new PageAccount(model);
  const { staleTime, costTime } = account;
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
    let last = -age[i];
    let k = turn[i];
    for (; k < count && goesOn(); k += pages) {
      const time = slots.time[k];
      account.add(i, last, time);
      model.fetched(i);
      last = time;
    }
    if (k < count) {
      const rounds = Math.floor((count - 1 - k) / pages);
      const first = slots.time[k];
      account.add(i, last, first);
      last = slots.time[k + rounds * pages];
      const gap = rounds === 0 ? 0 : (last - first) / rounds;
      staleTime[i] += rounds * model.staleTime(i, 0, gap);
      if (model.costTime !== null) costTime[i] += rounds * model.costTime(i, 0, gap);
    }
    account.add(i, last, interval);
  }
  return meansOf(costTime, interval, stopped);
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
