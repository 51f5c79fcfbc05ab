/** What a schedule is expected to cost its pages, added up gap by gap as fetches are given out. */
import type { PageModel } from '../../pages/models/page-model.ts';

/** Changes the model's state with every fetch. */
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
