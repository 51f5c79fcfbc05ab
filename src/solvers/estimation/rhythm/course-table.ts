/**
 * A course with its integrals over any hours of the week.
 *
 * An integral is the difference of two sums from Monday on, and where next to nothing is left of it, the sum over its
 * own hours: r·dt is positive, so that such a sum loses nothing, while in a difference a quiet hour is lost beside a
 * rush before it. Complexity: 15 operations a gap, and for such a gap 15 an hour.
 */
import type { PlacedChecks } from './placed-checks.ts';
import { hoursInWeek, wave, waves } from './week.ts';

/** The waves, and before them the constant that stands for ln λ. */
export const columns = waves + 1;
/** ln r is kept within this: no gap of an hour that a log can name then has an r of 0, or of infinity. */
const steepest = 100;
/** Of what is taken away from it, the least difference that is still exact to some millionths. */
const leastDifference = 1e-10;

export class CourseTable {
  /** r·(1, φ) by hour, and their sums up to each hour. */
  readonly #at = new Float64Array(hoursInWeek * columns);
  readonly #upTo = new Float64Array((hoursInWeek + 1) * columns);

  load(theta: Float64Array): void {
    for (let h = 0; h < hoursInWeek; h++) {
      let log = 0;
      for (let j = 0; j < waves; j++) log += theta[j] * wave[j * hoursInWeek + h];
      const rate = Math.exp(Math.max(-steepest, Math.min(steepest, log)));
      const row = h * columns;
      this.#at[row] = rate;
      for (let j = 0; j < waves; j++) this.#at[row + 1 + j] = rate * wave[j * hoursInWeek + h];
      for (let c = 0; c < columns; c++) this.#upTo[row + columns + c] = this.#upTo[row + c] + this.#at[row + c];
    }
  }

  logCourse(hour: number): number {
    return Math.log(this.rate(hour));
  }

  /** ∫r·(1, φ) over the gap of check k, in hours. */
  exposure({ begin, end, weeks }: PlacedChecks, k: number, out: Float64Array): void {
    const from = Math.floor(begin[k]);
    const to = Math.floor(end[k]);
    const fromShare = begin[k] - from;
    const toShare = end[k] - to;
    const fromRow = from * columns;
    const toRow = to * columns;
    const last = hoursInWeek * columns;
    const before0 = this.#upTo[fromRow] + fromShare * this.#at[fromRow];
    for (let c = 0; c < columns; c++) {
      const before = this.#upTo[fromRow + c] + fromShare * this.#at[fromRow + c];
      out[c] = weeks[k] * this.#upTo[last + c] + this.#upTo[toRow + c] + toShare * this.#at[toRow + c] - before;
    }
    if (out[0] > leastDifference * before0) return;
    if (from === to && weeks[k] === 0) {
      for (let c = 0; c < columns; c++) out[c] = (toShare - fromShare) * this.#at[fromRow + c];
      return;
    }
    // so little is left of less than a week only
    const hours = to - from + weeks[k] * hoursInWeek;
    for (let c = 0; c < columns; c++) out[c] = (1 - fromShare) * this.#at[fromRow + c] + toShare * this.#at[toRow + c];
    for (let h = 1; h < hours; h++) {
      const row = ((from + h) % hoursInWeek) * columns;
      for (let c = 0; c < columns; c++) out[c] += this.#at[row + c];
    }
  }

  /** r in an hour of the week. */
  rate(hour: number): number {
    return this.#at[hour * columns];
  }
}
