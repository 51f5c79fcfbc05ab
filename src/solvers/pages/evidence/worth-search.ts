/**
 * The age at which V, what a fetch is worth, reaches a value.
 *
 * Halley's method on ln V as a function of ln x, nearly a straight line; a step that leaves the bracket is replaced by
 * bisection. A search starts from the last evaluation of V for the page, so that a value near the last one takes one
 * evaluation of V or none. The error of a step is about its cube, times the square of the bend where that is above 1.
 */

/** Largest |ln x| tried: squares of such ages x are still finite doubles. */
const maxLogAge = 345;
/** Default relative tolerance of an age. */
const defaultTolerance = 1e-12;

export class WorthSearch {
  readonly #addDerivatives: (page: number, age: number, sums: Float64Array) => void;
  readonly #sums = new Float64Array(3);
  /** By page at its last evaluation: ln x, ln V, the slope of ln V in ln x, and the slope of ln slope. */
  readonly #at: Float64Array;
  readonly #height: Float64Array;
  readonly #slope: Float64Array;
  readonly #bend: Float64Array;

  /** @param addDerivatives adds V, x·V′ and x·(x·V′)′ at an age x to three sums */
  constructor(pages: number, addDerivatives: (page: number, age: number, sums: Float64Array) => void) {
    this.#addDerivatives = addDerivatives;
    this.#at = new Float64Array(pages).fill(Number.NaN);
    this.#height = new Float64Array(pages);
    this.#slope = new Float64Array(pages);
    this.#bend = new Float64Array(pages);
  }

  /** Whether V of the page was evaluated before. */
  isEvaluated(i: number): boolean {
    return !Number.isNaN(this.#at[i]);
  }

  /** Evaluates V of page i at an age above 0, from where the next search starts. */
  evaluate(i: number, age: number): void {
    this.#evaluateAt(i, Math.log(age), age);
  }

  #evaluateAt(i: number, logAge: number, age: number): void {
    const sums = this.#sums.fill(0);
    this.#addDerivatives(i, age, sums);
    this.#at[i] = logAge;
    this.#height[i] = Math.log(sums[0]);
    this.#slope[i] = sums[1] / sums[0];
    this.#bend[i] = sums[2] / sums[1] - this.#slope[i];
  }

  /** The age at which V of page i, evaluated before, reaches a target above 0 and below the limit of V. */
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
      // no double is left in the bracket: V jumps there, or the bracket is at the end of the range
      if (!(next > low && next < high)) return high < maxLogAge ? Math.exp(high) : Number.POSITIVE_INFINITY;
      this.#evaluateAt(i, next, Math.exp(next));
    }
  }
}
