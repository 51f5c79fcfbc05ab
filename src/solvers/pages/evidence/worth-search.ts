/**
 * The age at which V, what a fetch is worth, reaches a value.
 *
 * Halley's method on ln V in ln x, where V is nearly straight; a step that leaves the bracket halves it instead. A search
 * begins with what is known of V where it was looked at last. So a value near the one before takes a look or none. The
 * error of a step is about its cube, times the square of the bend where that is above 1.
 */

/** Largest |ln x| that is tried: the squares of such ages are still in double precision. */
const maxLogAge = 345;
/** Default tolerance of an age, relative. */
const defaultTolerance = 1e-12;

export class WorthSearch {
  readonly #rise: (page: number, age: number, sums: Float64Array) => void;
  readonly #sums = new Float64Array(3);
  /** By page: ln of the age looked at last; there ln V, its slope in ln x, and the slope of this over itself. */
  readonly #at: Float64Array;
  readonly #height: Float64Array;
  readonly #slope: Float64Array;
  readonly #bend: Float64Array;

  /** @param rise adds V, x·V′ and x·(x·V′)′ at an age x to three sums */
  constructor(pages: number, rise: (page: number, age: number, sums: Float64Array) => void) {
    this.#rise = rise;
    this.#at = new Float64Array(pages).fill(Number.NaN);
    this.#height = new Float64Array(pages);
    this.#slope = new Float64Array(pages);
    this.#bend = new Float64Array(pages);
  }

  /** Whether the page has been looked at. */
  hasLook(i: number): boolean {
    return !Number.isNaN(this.#at[i]);
  }

  /** Looks at V at an age above 0. */
  look(i: number, age: number): void {
    this.#lookAt(i, Math.log(age), age);
  }

  #lookAt(i: number, logAge: number, age: number): void {
    const sums = this.#sums.fill(0);
    this.#rise(i, age, sums);
    this.#at[i] = logAge;
    this.#height[i] = Math.log(sums[0]);
    this.#slope[i] = sums[1] / sums[0];
    this.#bend[i] = sums[2] / sums[1] - this.#slope[i];
  }

  /** The age at which V of a page that was looked at reaches a value above 0 and below its limit. */
  ageAt(i: number, target: number, tolerance = defaultTolerance): number {
    const height = Math.log(target);
    let low = -maxLogAge;
    let high = maxLogAge;
    for (;;) {
      const at = this.#at[i];
      const miss = this.#height[i] - height;
      if (miss > 0) high = at;
      else low = at;
      const newton = miss / this.#slope[i];
      const bend = this.#bend[i];
      const step = newton / (1 - 0.5 * newton * bend);
      let next = at - step;
      if (Math.abs(step * step * step) * Math.max(1, bend * bend) < tolerance) return Math.exp(next);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      // at the end of the range, or where V jumps, no double is left between
      if (!(next > low && next < high)) return high < maxLogAge ? Math.exp(high) : Number.POSITIVE_INFINITY;
      this.#lookAt(i, next, Math.exp(next));
    }
  }
}
