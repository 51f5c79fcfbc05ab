/** What a schedule is expected to cost its pages, added up gap by gap as fetches are given out, and what it misses. */
import type { Warning } from '../../answer.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import type { PageModel } from '../rates/page-model.ts';
import { named } from '../spans.ts';

/** A schedule's pages by slot, −1 for none; its cost by interval, Σ weight·cost; whether it misses a longest interval. */
interface JudgedSchedule {
  readonly page: Int32Array;
  readonly cost: number;
  readonly late: boolean;
}

/** The one that misses no longest interval, and of these the one that costs least; of some alike the last. */
export function bestOf(schedules: readonly JudgedSchedule[]): JudgedSchedule {
  return schedules.reduceRight((best, each) => {
    if (each.late !== best.late) return each.late ? best : each;
    return each.cost < best.cost ? each : best;
  });
}

/** Changes the model's state with every fetch. */
export class PageAccount {
  /** By page: how long its copy is expected to be stale, in seconds. */
  readonly staleTime: Float64Array;
  /**
   * By page: what its copy is expected to cost, before weighting; the same array as the stale time where that is the
   * cost.
   */
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
    this.#model.fetched(i);
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
  end(interval: number): void {
    for (let i = 0; i < this.last.length; i++) this.#add(i, interval);
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

/** Of whole schedules of one plan. */
export class ScheduleJudge {
  readonly #plan: PricedPlan;

  constructor(plan: PricedPlan) {
    this.#plan = plan;
  }

  /** @param costTime what the schedule costs its pages, where that is known */
  judged(page: Int32Array, costTime: Float64Array = this.accountOf(page).costTime): JudgedSchedule {
    const { weight, interval } = this.#plan.problem;
    const cost = costTime.reduce((sum, each, i) => sum + weight[i] * each, 0) / interval;
    return { page, cost, late: this.missed(page) !== null };
  }

  accountOf(page: Int32Array): PageAccount {
    const { problem, slots, age, pages } = this.#plan;
    const account = new PageAccount(pages.working(), age);
    for (let s = 0; s < page.length; s++) if (page[s] >= 0) account.fetched(page[s], slots.time[s]);
    account.end(problem.interval);
    return account;
  }

  /**
   * The deadlines a schedule misses by more than a slot. The schedule is a heuristic: a miss proves nothing, so it is a
   * warning. What is proved to be impossible is a conflict, found before any schedule.
   */
  missed(page: Int32Array): Warning | null {
    const { problem, slots, age } = this.#plan;
    const { now, interval, maxInterval, availability } = problem;
    const grace = slots.longestStep * (1 + 1e-9);
    const due = maxInterval.map((most, i) => {
      const first = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
      return Math.max(first < 0 ? interval : first, availability?.pageFrom[i] ?? 0);
    });
    const late = new Set<number>();
    let by = Number.POSITIVE_INFINITY;
    const missed = (i: number): void => {
      late.add(i);
      by = Math.min(by, due[i]);
    };
    for (let s = 0; s < page.length; s++) {
      const i = page[s];
      if (i < 0 || maxInterval[i] === Number.POSITIVE_INFINITY) continue;
      const time = slots.time[s];
      if (time > due[i] + grace) missed(i);
      due[i] = time + maxInterval[i];
    }
    for (let i = 0; i < due.length; i++) if (due[i] + grace < interval) missed(i);
    if (late.size === 0) return null;
    const which = named(
      problem,
      [...late].sort((a, b) => a - b),
    );
    return {
      code: 'max-interval-missed',
      detail:
        `no schedule was found that keeps maxInterval to within one slot for ${late.size} ${late.size === 1 ? 'page' : 'pages'}${which}, the first from ${now + by} on ` +
        `(whether one exists is not known); raise maxInterval, lower minDelay or add crawls`,
    };
  }
}
