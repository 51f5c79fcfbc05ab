/** What copies are expected to cost over an interval, added up gap by gap as fetches are given out. */

import type { CrawlSlots } from '../../limits/slots.ts';
import type { PageModel } from '../../rates/page-model.ts';

export class PageAccount {
  /** By page: how long its copy is expected to be stale, in seconds. */
  readonly staleTime: Float64Array;
  /**
   * By page: what its copy is expected to cost, before weighting; the same array as the stale time where that is the
   * cost.
   */
  readonly costTime: Float64Array;
  readonly #model: PageModel;

  constructor(model: PageModel) {
    this.#model = model;
    this.staleTime = new Float64Array(model.pages);
    this.costTime = model.costTime === null ? this.staleTime : new Float64Array(model.pages);
  }

  /** Adds page i from now, or from its fetch at `last` after now, until `time`; `last` is −Infinity for never. */
  add(i: number, last: number, time: number): void {
    const model = this.#model;
    if (last === Number.NEGATIVE_INFINITY) this.staleTime[i] += time;
    else this.staleTime[i] += model.staleTime(i, Math.max(0, -last), time - last);
    if (model.costTime === null) return;
    // a page never fetched begins to cost at now
    const from = last === Number.NEGATIVE_INFINITY ? 0 : last;
    this.costTime[i] += model.costTime(i, Math.max(0, -from), time - from);
  }
}

/** The account of a whole schedule, `page[s]` being fetched in slot s (−1: none). Changes the model's state. */
export function accountOf(
  model: PageModel,
  page: Int32Array,
  slots: CrawlSlots,
  interval: number,
  age: Float64Array,
): PageAccount {
  const account = new PageAccount(model);
  const last = age.map((a) => -a);
  for (let s = 0; s < page.length; s++) {
    const i = page[s];
    if (i < 0) continue;
    const time = slots.time[s];
    account.add(i, last[i], time);
    model.fetched(i);
    last[i] = time;
  }
  for (let i = 0; i < last.length; i++) account.add(i, last[i], interval);
  return account;
}
