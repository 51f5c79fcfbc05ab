/**
 * What fetches cost their pages, gap by gap; and what each page would cost if all took turns, whatever they are worth:
 * the plan to compare with.
 */
import type { Budget } from '../../budget.ts';
import type { PageModel } from '../../pages/models/page-model.ts';
import { type ScheduleLimits, scheduleByEpochs } from '../../schedule/index.ts';
import type { PricedPlan } from '../price.ts';
import type { CrawlPlanProblem } from '../problem.ts';

/** Fetches between two looks at the budget. */
const stepsPerPoll = 4096;

export interface RoundRobin {
  /** By page: the mean cost of the copy by the objective; under freshness the share of the interval it is stale. */
  readonly cost: Float64Array;
  /** The budget ended: the limits of the problem are left out, or the last turns are taken in a steady rhythm. */
  readonly stopped: boolean;
}

/** What says when pages may and must be fetched, beside the slots. */
export const limitsOf = ({ availability, ...problem }: CrawlPlanProblem): ScheduleLimits => ({
  ...problem,
  notBefore: availability?.pageFrom,
});

/** Whether anything but the slots says when a page may be fetched. */
export function isConstrained({ minInterval, maxInterval, hostDelay, hostRate, availability }: CrawlPlanProblem) {
  const bounded = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  return availability !== undefined || bounded || hostRate !== undefined || hostDelay.some((delay) => delay > 0);
}

/** Costs by page when all take turns on the same slots, within the same minInterval, maxInterval and minDelay. */
export function roundRobin(plan: PricedPlan, budget: Budget): RoundRobin {
  const { problem, slots, age, pages } = plan;
  const { interval } = problem;
  if (!isConstrained(problem)) return uniformTurns(plan, budget);
  const turn = (interval * age.length) / slots.time.length;
  // turns within the limits: the schedule of a worth that is the age itself
  const model = {
    pages: age.length,
    worth: (_: number, old: number) => (old === Number.POSITIVE_INFINITY ? 1e12 * turn : old),
    ageAt: (_: number, price: number) => price,
    recordFetch: () => {},
  };
  const byAge = { ...limitsOf(problem), model, slotTime: slots.time, age, cap: problem.maxInterval, price: turn };
  const { page, stopped } = scheduleByEpochs({ ...byAge, shortInterval: turn }, budget);
  // a baseline cut short would look worse than it is: then the turns without limits stand for it
  if (stopped) return { ...uniformTurns(plan, budget), stopped };
  const account = new PageAccount(pages.working(), age);
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) account.fetched(page[s], slots.time[s]);
  return { cost: account.end(interval).costTime.map((time) => time / interval), stopped };
}

/**
 * Costs by page when the slots go round the pages, those unfetched for longest first (never fetched before all).
 * One page after the other, as what is believed of them lies in memory: O(slots + pages log pages). Once the budget has
 * ended the rest is fetched in a steady rhythm, what is believed of each page staying as it is: O(pages).
 */
export function uniformTurns({ problem, slots, age, pages: models }: PricedPlan, budget: Budget): RoundRobin {
  const pages = age.length;
  const turn = turnsOldestFirst(age);
  const account = new PageAccount(models.working(), age);
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
  return { cost: account.end(problem.interval).costTime.map((time) => time / problem.interval), stopped };
}

/** Which page has each of a number of slots when all take turns. */
export function turnsOf(age: Float64Array, slots: number): Int32Array {
  const first = new Int32Array(age.length);
  for (const [i, turn] of turnsOldestFirst(age).entries()) first[turn] = i;
  return new Int32Array(slots).map((_, s) => first[s % first.length]);
}

/** The turn of each page: the oldest first, of equal age in their order. Ages are sorted without a comparison function. */
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

/**
 * What a schedule is expected to cost its pages, added up gap by gap as fetches are given out. Changes the model's state
 * with every fetch.
 */
export class PageAccount {
  /** By page: how long its copy is expected to be stale, in seconds. */
  readonly staleTime: Float64Array;
  /** By page: what its copy is expected to cost, before weighting; the stale time itself where that is the cost. */
  readonly costTime: Float64Array;
  /** By page: when its copy was fetched, in seconds from now; −Infinity for none. */
  readonly last: Float64Array;
  readonly #model: PageModel;

  constructor(model: PageModel, age: Float64Array) {
    this.#model = model;
    this.staleTime = new Float64Array(model.pages);
    this.costTime = model.costTime === null ? this.staleTime : new Float64Array(model.pages);
    this.last = age.map((old) => -old);
  }

  /** Page i is fetched. */
  fetched(i: number, time: number): void {
    this.#add(i, time);
    this.#model.recordFetch(i, time);
    this.last[i] = time;
  }

  /** Page i is fetched some more times, a gap apart, since it was fetched last. */
  fetchedInRhythm(i: number, times: number, gap: number): void {
    const model = this.#model;
    this.staleTime[i] += times * model.staleTime(i, 0, gap);
    if (model.costTime !== null) this.costTime[i] += times * model.costTime(i, 0, gap);
    this.last[i] += times * gap;
  }

  /** The interval ends. */
  end(interval: number): this {
    for (let i = 0; i < this.last.length; i++) this.#add(i, interval);
    return this;
  }

  /** Adds page i from now, or from its fetch after now, until `time`. */
  #add(i: number, time: number): void {
    const model = this.#model;
    const last = this.last[i];
    if (last === Number.NEGATIVE_INFINITY) this.staleTime[i] += time;
    else this.staleTime[i] += model.staleTime(i, Math.max(0, -last), time - last);
    if (model.costTime === null) return;
    // a page never fetched begins to cost at now
    const from = last === Number.NEGATIVE_INFINITY ? 0 : last;
    this.costTime[i] += model.costTime(i, Math.max(0, -from), time - from);
  }
}
