/** How stale each page would be if all took turns, whatever they are worth: the plan to compare with. */
import type { Budget } from '../../budget.ts';
import type { RefreshModel } from '../beliefs/refresh-model.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';
import type { CrawlPlanProblem } from '../model/plan-problem.ts';
import { scheduleByIndex } from './index-schedule.ts';
import { PageAccount } from './page-account.ts';

/** Fetches between two looks at the budget. */
const stepsPerPoll = 4096;

export interface Turns {
  /** By page: the share of the interval the copy is expected to be stale. */
  readonly staleness: Float64Array;
  /** By page: the mean cost of the copy by the objective; the staleness under freshness. */
  readonly cost: Float64Array;
  /** The budget ended: the constraints of the problem are left out, or the last turns are taken in a steady rhythm. */
  readonly stopped: boolean;
}

/**
 * Staleness by page when all take turns on the same slots, within the same minInterval, maxInterval and minDelay.
 * @param working gives a fresh model each time it is asked
 */
export function takingTurns(
  problem: CrawlPlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  working: () => RefreshModel,
  budget: Budget,
): Turns {
  if (constrained(problem)) {
    const { staleTime, costTime, stopped } = turnsByAge(problem, slots, age, working(), budget);
    // a baseline cut short would look worse than it is: then the turns without constraints stand for it
    if (!stopped) return meansOf(staleTime, costTime, problem.interval, false);
    return { ...uniformStaleness(working(), slots, problem.interval, age, budget), stopped: true };
  }
  return uniformStaleness(working(), slots, problem.interval, age, budget);
}

function meansOf(staleTime: Float64Array, costTime: Float64Array, interval: number, stopped: boolean): Turns {
  const staleness = staleTime.map((time) => time / interval);
  return { staleness, cost: costTime === staleTime ? staleness : costTime.map((time) => time / interval), stopped };
}

/** Whether anything but the slots says when a page may be fetched. */
function constrained({ minInterval, maxInterval, hostDelay, hostRate, availability }: CrawlPlanProblem): boolean {
  if (availability !== undefined) return true;
  const bounded = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  return bounded || hostRate !== undefined || hostDelay.some((delay) => delay > 0);
}

/** Turns within the constraints: the schedule of a worth that is the age itself. */
function turnsByAge(
  { interval, minInterval, maxInterval, host, hostDelay, hostRate, availability }: CrawlPlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  model: RefreshModel,
  budget: Budget,
) {
  const turn = (interval * age.length) / slots.time.length;
  return scheduleByIndex(
    {
      model: {
        ...model,
        worth: (_, old) => (old === Number.POSITIVE_INFINITY ? 1e12 * turn : old),
        ageAt: (_, price) => price,
      },
      slots,
      interval,
      age,
      least: minInterval,
      deadline: maxInterval,
      cap: maxInterval,
      host,
      hostDelay,
      hostRate,
      availability,
      price: turn,
      shortInterval: turn,
    },
    budget,
  );
}

/**
 * Staleness by page when the slots go round the pages, those unfetched for longest first (never fetched before all).
 * One page after the other, as what is believed of them lies in memory: O(slots + pages log pages). Changes the
 * model's state. Once the budget has ended the rest is fetched in a steady rhythm, what is believed of each page
 * staying as it is: O(pages).
 */
export function uniformStaleness(
  model: RefreshModel,
  slots: CrawlSlots,
  interval: number,
  age: Float64Array,
  budget: Budget,
): Turns {
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
      model.fetched(i, time - last, time);
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
  return meansOf(staleTime, costTime, interval, stopped);
}

/**
 * Which turn is each page's, the oldest first, of equal age in their order: ages are sorted without a comparison
 * function, then found.
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
