/**
 * What gaps between fetches cost a page, for schedules of one interval: the first gap counts in the copy's age.
 *
 * Known rates are exact; believed ones are tabulated by page at lengths 10% apart, with power laws between them. O(1) a
 * gap.
 */
import { fromStart, type GapCosts } from '../../../crawl-schedule/index.ts';
import type { PageModel } from '../../rates/page-model.ts';

/** The step of the slope's difference quotient, as a share of the gap's length. */
const step = 1e-3;
/** Of the interval: at a gap shorter than this the slope is that from nothing on. */
const shortest = 1e-9;
/** Lengths tabulated, from the interval down: shorter gaps are computed. */
const lengths = 72;
const logRatio = Math.log(1.1);

export class ModelCosts implements GapCosts {
  readonly #model: PageModel;
  readonly #age: Float64Array;
  readonly #interval: number;
  /** By page, once it is asked for: logarithms of the costs of first gaps, then of later ones. Null: not tabulated. */
  readonly #tables: (Float32Array | undefined)[] | null;

  /** @param age of each page's copy now, Infinity for none; @param known whether all rates are */
  constructor(model: PageModel, age: Float64Array, interval: number, known: boolean) {
    this.#model = model;
    this.#age = age;
    this.#interval = interval;
    this.#tables = known ? null : new Array<Float32Array | undefined>(age.length);
  }

  gap(i: number, from: number, to: number): number {
    const first = from === fromStart;
    const length = first ? to : to - from;
    // a page never fetched is stale from the start
    if (first && this.#age[i] === Number.POSITIVE_INFINITY && this.#model.costTime === null) return length;
    const steps = Math.log(this.#interval / length) / logRatio;
    if (this.#tables === null || !(steps < lengths - 1)) return this.#computed(i, first, length);
    const table = this.#tables[i] ?? this.#tabulated(i);
    this.#tables[i] = table;
    const at = Math.max(0, Math.floor(steps));
    const offset = first ? at : lengths + at;
    return Math.exp(table[offset] + (steps - at) * (table[offset + 1] - table[offset]));
  }

  staleAt(i: number, from: number, to: number): number {
    const start = from === fromStart ? 0 : from;
    const least = shortest * this.#interval;
    if (!(to - start > least)) return this.gap(i, from, start + least) / least;
    const half = step * (to - start);
    return (this.gap(i, from, to + half) - this.gap(i, from, to - half)) / (2 * half);
  }

  #computed(i: number, first: boolean, length: number): number {
    const { costTime } = this.#model;
    // under other objectives a page never fetched begins to cost now
    const age = first && this.#age[i] < Number.POSITIVE_INFINITY ? this.#age[i] : 0;
    return costTime === null ? this.#model.staleTime(i, age, age + length) : costTime(i, age, age + length);
  }

  #tabulated(i: number): Float32Array {
    return Float32Array.from({ length: 2 * lengths }, (_, k) =>
      Math.log(this.#computed(i, k < lengths, this.#interval * Math.exp(-(k % lengths) * logRatio))),
    );
  }
}
