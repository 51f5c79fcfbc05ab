/**
 * The age at which V, what a fetch is worth, reaches a value.
 *
 * Halley's method on ln V in ln x, where V is nearly straight, kept in a bracket. A search begins with what is known of
 * V where it was looked at last. So a value near the one before takes a look or none. The error of a step is about its
 * cube, times the square of the bend where that is above 1.
 */

/** Largest number of steps of the search; it mostly takes two or three. */
const maxRounds = 200;
/** Floor of the slope of ln V in ln x: V may be flat far out, and 0 far in. */
const minSlope = 1e-15;
/** Largest factor by which the second derivative may lengthen a Newton step. */
const maxBend = 4;
/** Longest step, in ln x. */
const maxStep = 8;
/** Largest ln x that is tried: the squares of such ages are still in double precision. */
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
    const sums = this.#sums.fill(0);
    this.#rise(i, age, sums);
    const slope = sums[1] / sums[0];
    this.#at[i] = Math.log(age);
    this.#height[i] = Math.log(sums[0]);
    this.#slope[i] = slope > minSlope ? slope : minSlope;
    this.#bend[i] = slope > minSlope ? sums[2] / sums[1] - slope : 0;
  }

  /** The age at which V of a page that was looked at reaches a value above 0 and below its limit. */
  ageAt(i: number, target: number, tolerance = defaultTolerance): number {
    const height = Math.log(target);
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    let next = this.#at[i];
    for (let round = 0; round < maxRounds; round++) {
      const at = this.#at[i];
      const miss = this.#height[i] - height;
      if (miss > 0) high = at;
      else low = at;
      const newton = miss / this.#slope[i];
      const bend = this.#bend[i];
      const halley = newton / Math.max(1 / maxBend, 1 - 0.5 * newton * bend);
      const step = Math.max(-maxStep, Math.min(maxStep, halley));
      next = at - step;
      if (Math.abs(step * step * step) * Math.max(1, bend * bend) < tolerance) break;
      if (!(next > low && next < high)) {
        if (low === Number.NEGATIVE_INFINITY) next = high - 2;
        else next = high === Number.POSITIVE_INFINITY ? low + 2 : 0.5 * (low + high);
      }
      if (next > maxLogAge) return Number.POSITIVE_INFINITY;
      this.look(i, Math.exp(next));
    }
    return Math.exp(next);
  }
}
