/**
 * What is known of the worth of a page's fetch from the last time that it was looked at.
 *
 * Worth rises with the age, at most as a power of it. As c′ falls, x·V′/V = x²c′/V is at most 2; where c′ rises no faster
 * than the age, 3. So worth lies between what it was and that times a power of the ratio of the ages.
 */
import type { PageModel } from '../../rates/page-model.ts';

/** For what rounding may add. */
const rounding = 1e-12;

export class KnownWorths {
  readonly #worth: Float64Array;
  readonly #age: Float64Array;
  readonly #steepest: number;

  /** @param steepest the power; Infinity where none is known */
  constructor(pages: number, steepest: number) {
    this.#worth = new Float64Array(pages);
    this.#age = new Float64Array(pages).fill(Number.NaN);
    this.#steepest = steepest;
  }

  /** Looks at it. */
  found(model: PageModel, i: number, age: number): number {
    this.#age[i] = age;
    this.#worth[i] = model.worth(i, age);
    return this.#worth[i];
  }

  /** At most the worth at an age since then; Infinity where it was not looked at. */
  atMost(i: number, age: number): number {
    const ratio = age / this.#age[i];
    if (!(ratio >= 1 && this.#steepest <= 3)) return Number.POSITIVE_INFINITY;
    return this.#worth[i] * ratio * ratio * (this.#steepest > 2 ? ratio : 1) * (1 + rounding);
  }

  /** At least the worth at an age since then; nothing where it was not looked at. */
  atLeast(i: number, age: number): number {
    return age >= this.#age[i] ? this.#worth[i] * (1 - rounding) : 0;
  }

  /** The page is fetched. */
  forget(i: number): void {
    this.#age[i] = Number.NaN;
  }
}
