/**
 * A controller between two plans: it has the plan's figures of each page and no mathematics of its own.
 *
 * Fetches are made when the plan has slots for them, of the pages due soonest. A page's first fetch is due when the
 * plan says. After each fetch the next one is due intervalIfChanged or intervalIfUnchanged later, by what the fetch
 * found.
 */
import type { CrawlPlan } from '../../src/solvers/crawl-plan/index.ts';
import { day } from './replay.ts';

export class Controller {
  readonly #plan: CrawlPlan;
  readonly #due: Float64Array;
  #slot = 0;

  constructor(plan: CrawlPlan) {
    this.#plan = plan;
    this.#due = plan.nextFetch.map((time) => (Number.isNaN(time) ? Number.POSITIVE_INFINITY : time));
  }

  /** As many pages as the plan has slots up to `until`, the soonest due first. */
  choose(until: number): number[] {
    const { slotTime } = this.#plan;
    const from = this.#slot;
    while (this.#slot < slotTime.length && slotTime[this.#slot] < until) this.#slot++;
    const order = Array.from(this.#due.keys()).sort((a, b) => this.#due[a] - this.#due[b]);
    return order.slice(0, this.#slot - from);
  }

  fetched(page: number, time: number, changed: boolean): void {
    const { intervalIfChanged, intervalIfUnchanged } = this.#plan;
    const next = changed ? intervalIfChanged[page] : intervalIfUnchanged[page];
    this.#due[page] = Number.isNaN(next) ? Number.POSITIVE_INFINITY : time + next;
  }
}

/** Nutch's longest time between two fetches, as it ships: what stands for never. */
const longest = 90 * day;

/**
 * The rule of integrations/nutch's PlanFetchSchedule: a page is fetched once the plan's next fetch is due, and then by
 * the plan's two intervals. Unlike the controller it counts no slots, so that it makes as many fetches as come due.
 */
export class NutchByPlan {
  readonly #plan: CrawlPlan;
  readonly #due: Float64Array;

  constructor(plan: CrawlPlan) {
    this.#plan = plan;
    this.#due = plan.nextFetch.map((time) => (Number.isNaN(time) ? Number.POSITIVE_INFINITY : time));
  }

  /** The pages due by now. */
  choose(now: number): number[] {
    return Array.from(this.#due.keys()).filter((i) => this.#due[i] <= now);
  }

  fetched(page: number, time: number, changed: boolean): void {
    const next = (changed ? this.#plan.intervalIfChanged : this.#plan.intervalIfUnchanged)[page];
    // a float in whole seconds, as Nutch keeps it
    this.#due[page] = time + (Number.isNaN(next) ? longest : Math.round(Math.min(Math.fround(next), longest)));
  }
}
