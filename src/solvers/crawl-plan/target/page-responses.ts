/** What a page leaves and takes at a rate and a price, when the target is kept: both counted in crawls of the interval. */
import type { Response } from '../../pages/evidence/index.ts';
import { type AskedTarget, leftOf, type TargetMet } from '../../pages/targets/index.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import { agesOf } from '../problem.ts';
import type { PageModel } from '../rates/page-model.ts';
import { pagesByEvidence } from '../rates/pages-by-evidence.ts';
import type { TargetedPages } from './needed-rate.ts';

/** Longest wait, in intervals of the plan: a page that no price fetches has it. */
const mostWait = 1000;
/** How near a price what a fetch is worth comes where nothing else holds the page. */
const hardly = 1e-6;

export class PageResponses {
  readonly #pages: TargetedPages;
  readonly #met: TargetMet;
  readonly #groupOf: (i: number) => number;
  /** By group: its price, and under delay the mean that is asked for. */
  readonly #price: readonly number[];
  readonly #mean: readonly number[];
  /** Pages at known rates, each tried in turn. */
  readonly #tried: Float64Array;
  readonly #trying: PageModel;
  /** 1 where the price alone says how often the page is fetched. */
  readonly #free: Uint8Array;
  readonly #at: Response = { left: 0, crawls: 0 };

  constructor(pages: TargetedPages, { rate, signalled }: PageRates, met: TargetMet, target: AskedTarget) {
    const { problem, model } = pages;
    this.#pages = pages;
    this.#met = met;
    this.#groupOf = (i) => 1 + (target.own?.of[i] ?? -1);
    this.#price = [met.price, ...met.own.map((own) => own.price)];
    this.#mean = [target, ...target.owns].map(({ measure, value }) =>
      problem.objective === 'delay' && value !== null ? leftOf(measure, value) : 0,
    );
    this.#tried = rate.slice();
    const known = new Uint8Array(rate.length).fill(1);
    this.#trying = pagesByEvidence(
      problem,
      { rate: this.#tried, known, signalled, beliefs: null },
      agesOf(problem),
    ).now;
    this.#free = Uint8Array.from(rate, (_, i) => {
      if (signalled?.has(i) === true) return 0;
      const price = this.#price[this.group(i)];
      if (met.crawls[i] === 0) return model.ceiling(i, Number.POSITIVE_INFINITY) <= price ? 1 : 0;
      return Math.abs(model.worth(i, 1 / met.crawls[i]) / price - 1) < hardly ? 1 : 0;
    });
  }

  /** The target that the page belongs to: 0 that of all. */
  group(i: number): number {
    return this.#groupOf(i);
  }

  get groups(): number {
    return this.#price.length;
  }

  /** Whether the number hangs on the page at all. */
  counts(i: number): boolean {
    const { weight } = this.#pages.problem;
    const isPriced = this.#price[this.group(i)] < Number.POSITIVE_INFINITY;
    return isPriced && weight[i] > 0 && (this.#free[i] === 1 || this.#met.crawls[i] > 0);
  }

  /** Left and taken together, fetched as planned, by what is believed. */
  believed(i: number, rate: number): number {
    return this.#sum(this.#respond(this.#pages.model, i, rate, this.#planned(i), this.#at));
  }

  /** The same at a known rate, */
  planned(i: number, rate: number): number {
    return this.#sum(this.plannedInto(i, rate, this.#at));
  }

  /** and fetched as often as is best there at its price. */
  best(i: number, rate: number): number {
    return this.#sum(this.bestInto(i, rate, 1, this.#at));
  }

  plannedInto(i: number, rate: number, into: Response): Response {
    this.#tried[i] = rate;
    return this.#respond(this.#trying, i, rate, this.#planned(i), into);
  }

  /** At a multiple of its price. A page that something else holds stays at its fetches. */
  bestInto(i: number, rate: number, multiple: number, into: Response): Response {
    if (this.#free[i] === 0) return this.plannedInto(i, rate, into);
    this.#tried[i] = rate;
    const { minInterval, maxInterval, interval } = this.#pages.problem;
    const wait = this.#trying.ageAt(i, multiple * this.#price[this.group(i)]);
    const most = Math.min(maxInterval[i], mostWait * interval);
    return this.#respond(this.#trying, i, rate, Math.max(minInterval[i], Math.min(wait, most)), into);
  }

  #planned(i: number): number {
    return this.#met.crawls[i] > 0 ? 1 / this.#met.crawls[i] : mostWait * this.#pages.problem.interval;
  }

  #respond(model: PageModel, i: number, rate: number, wait: number, into: Response): Response {
    const { interval, weight } = this.#pages.problem;
    const g = this.group(i);
    into.left = (interval * weight[i] * (model.longRunCost(i, wait) - this.#mean[g] * rate)) / this.#price[g];
    into.crawls = interval / wait;
    return into;
  }

  #sum({ left, crawls }: Response): number {
    return left + crawls;
  }
}
