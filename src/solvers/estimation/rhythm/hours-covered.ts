/**
 * How much rate gaps have in each hour of the week between them, and the information λ∫r·φφᵀ of all of them.
 *
 * A gap of whole hours is two entries of differences, so that gaps cost the same however long they are; the sum over
 * the 168 hours is made once a step.
 */
import type { CourseTable } from './course-table.ts';
import type { PlacedChecks } from './placed-checks.ts';
import { hoursInWeek, wave, waves } from './week.ts';

export class HoursCovered {
  /** Over all hours; from this hour on; in this hour alone. */
  #always = 0;
  readonly #from = new Float64Array(hoursInWeek);
  readonly #at = new Float64Array(hoursInWeek);

  clear(): void {
    this.#always = 0;
    this.#from.fill(0);
    this.#at.fill(0);
  }

  /** The gap of check k at a rate. */
  add({ begin, end, weeks }: PlacedChecks, k: number, rate: number): void {
    const from = Math.floor(begin[k]);
    const to = Math.floor(end[k]);
    this.#always += weeks[k] * rate;
    this.#from[from] += rate;
    this.#from[to] -= rate;
    this.#at[from] -= (begin[k] - from) * rate;
    this.#at[to] += (end[k] - to) * rate;
  }

  addTo(information: Float64Array, table: CourseTable): void {
    let run = this.#always;
    for (let h = 0; h < hoursInWeek; h++) {
      run += this.#from[h];
      const weight = Math.max(0, run + this.#at[h]) * table.rate(h);
      for (let j = 0; j < waves; j++) {
        const here = weight * wave[j * hoursInWeek + h];
        for (let l = 0; l <= j; l++) information[j * waves + l] += here * wave[l * hoursInWeek + h];
      }
    }
  }
}
