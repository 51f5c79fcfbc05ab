/**
 * The beliefs of all pages, and of each the step of the age index's grid that it was looked at last: what a fetch is
 * worth at both its ends. Prices are sought, and worths followed from epoch to epoch, within a step or two: most of
 * what is asked for lies in the same step as before, and needs no average over the belief.
 */
import type { AgeIndex } from './age-index.ts';

export class WorthCells {
  readonly index: AgeIndex;
  /** Row-major, pages × grid. */
  readonly beliefs: Float64Array;
  /** By page: the grid position below where it was looked at last, −1 where it never was. */
  readonly position: Int32Array;
  readonly #size: number;
  /** W there and at the next position; NaN where the belief has changed since. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #ends = new Float64Array(2);

  constructor(index: AgeIndex, beliefs: Float64Array, pages: number) {
    this.index = index;
    this.beliefs = beliefs;
    this.#size = beliefs.length / pages;
    this.position = new Int32Array(pages).fill(-1);
    this.#low = new Float64Array(pages).fill(Number.NaN);
    this.#high = new Float64Array(pages).fill(Number.NaN);
  }

  /** Takes over the beliefs of another, and what is known of them. */
  become(other: WorthCells): void {
    this.beliefs.set(other.beliefs);
    this.position.set(other.position);
    this.#low.set(other.#low);
    this.#high.set(other.#high);
  }

  /** The belief of page i has changed. */
  changed(i: number): void {
    this.#low[i] = Number.NaN;
  }

  /** W of page i at an age, as {@link AgeIndex.valueAt} has it, to the bit. */
  valueAt(i: number, age: number): number {
    const { index, beliefs, position } = this;
    const [j, share] = index.place(age);
    if (j < 0 || j === index.ages.length - 1) return index.valueAt(beliefs, i * this.#size, age);
    if (position[i] !== j || Number.isNaN(this.#low[i])) {
      index.gridWorths(beliefs, i * this.#size, j, this.#ends);
      position[i] = j;
      this.#low[i] = this.#ends[0];
      this.#high[i] = this.#ends[1];
    }
    const low = this.#low[i];
    return share === 0 ? low : low * (this.#high[i] / low) ** share;
  }

  /**
   * The least age at which W of page i reaches `target`, as {@link AgeIndex.intervalAt} has it, to the bit where W
   * rises.
   */
  intervalAt(i: number, target: number): number {
    const { index, position } = this;
    const here = this.#low[i];
    const next = this.#high[i];
    if (here < target && target <= next) return index.ageBetween(position[i], here, next, target);
    const near = Number.isNaN(here) ? position[i] : index.stepTo(position[i], here, next, target);
    const age = index.intervalAt(this.beliefs, i * this.#size, target, near);
    const { at, low, high } = index.found;
    position[i] = at;
    this.#low[i] = low;
    this.#high[i] = high;
    return age;
  }
}
