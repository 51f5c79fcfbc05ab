/**
 * The likelihood of checks under a renewal process: a forward recursion over the age of the last update.
 *
 * Model: updates are a renewal process, in equilibrium at the page's first fetch; a check says whether an update came
 * since the check before. State: the law of the age x of the last update at the last check that saw one.
 * - Unchanged for T since: factor P(X > x + T)/P(X > x).
 * - Changed within the gap g after that: the gap is cut into cells; the first update falls into cell l with probability
 *   a_l = ∫ [P(X > x + T + u_l) − P(X > x + T + u_{l+1})]/P(X > x), exact for each age. Updates after it follow the
 *   renewal equation on the cells, H_n(1 − q_0) = a_n + Σ_{l<n} H_l·q_{n−l}, q_k the chance of the next update k cells
 *   on. The last one is in cell n with probability H_n·P(X > time left), normalised to the chance of a change.
 * Before the first update seen, P(X > x + t)/P(X > x) is replaced by the equilibrium's survival. After a gap of more
 * than half as many means as there are cells the age is forgotten. Cells would be coarser than the law, and the process
 * is then close to its equilibrium.
 * Complexity: cells² readings of a table for each change seen; unchanged checks cost nothing.
 * Source: Cox 1962, chapters 2 and 4 (renewal density, forward recurrence time). The recursion is that of a hidden
 * Markov model (Baum & Petrie 1966) whose state is the age. Limits: ages within a cell count as its middle.
 */
import type { CheckRuns } from './check-runs.ts';
import type { UnitLaw } from './unit-law.ts';

const cells = 8;
const longestKept = 0.5 * cells;
const least = 1e-280;

/** Works on one page at a time; holds the arrays that the recursion needs. */
export class AgeRecursion {
  readonly #mass = new Float64Array(cells);
  readonly #first = new Float64Array(cells);
  readonly #expected = new Float64Array(cells);
  readonly #next = new Float64Array(cells);
  /** Width of the cells of the ages, in means; 0 for the equilibrium. */
  #width = 0;

  /** ln P(checks of page p), for gaps of this mean. */
  logLikelihood(runs: CheckRuns, p: number, law: UnitLaw, mean: number): number {
    this.#width = 0;
    let sum = 0;
    for (let r = runs.offsets[p]; r < runs.offsets[p + 1]; r++) {
      const quiet = runs.quiet[r] / mean;
      const gap = runs.gap[r] / mean;
      if (gap === 0) sum += Math.log(Math.max(least, this.#stays(law, quiet)));
      else sum += Math.log(Math.max(least, this.#change(law, quiet, gap)));
    }
    return sum;
  }

  #stays(law: UnitLaw, quiet: number): number {
    if (this.#width === 0) return law.equilibrium(quiet);
    let sum = 0;
    for (let j = 0; j < cells; j++) {
      const age = (j + 0.5) * this.#width;
      sum += (this.#mass[j] * law.survival(age + quiet)) / Math.max(least, law.survival(age));
    }
    return sum;
  }

  /** Chance of no change for `quiet` and then one within `gap`; the state becomes that after it. */
  #change(law: UnitLaw, quiet: number, gap: number): number {
    const width = gap / cells;
    const first = this.#first.fill(0);
    if (this.#width === 0) {
      let before = law.equilibrium(quiet);
      for (let l = 0; l < cells; l++) {
        const after = law.equilibrium(quiet + (l + 1) * width);
        first[l] = before - after;
        before = after;
      }
    } else {
      for (let j = 0; j < cells; j++) {
        if (this.#mass[j] < 1e-12) continue;
        const age = (j + 0.5) * this.#width;
        const share = this.#mass[j] / Math.max(least, law.survival(age));
        let before = law.survival(age + quiet);
        for (let l = 0; l < cells; l++) {
          const after = law.survival(age + quiet + (l + 1) * width);
          first[l] += share * (before - after);
          before = after;
        }
      }
    }
    let chance = 0;
    for (let l = 0; l < cells; l++) chance += first[l];
    if (gap > longestKept || !(chance > least)) this.#width = 0;
    else this.#renew(law, width);
    return chance;
  }

  /** The ages at the end of the gap, from where its first update came. */
  #renew(law: UnitLaw, width: number): void {
    const next = this.#next;
    let before = 1;
    for (let k = 0; k < cells; k++) {
      const after = law.survival((k + 0.5) * width);
      next[k] = before - after;
      before = after;
    }
    const expected = this.#expected;
    const again = Math.max(least, 1 - next[0]);
    let sum = 0;
    for (let n = 0; n < cells; n++) {
      let value = this.#first[n];
      for (let l = 0; l < n; l++) value += expected[l] * next[n - l];
      expected[n] = value / again;
      const left = (cells - n - 0.5) * width;
      sum += this.#mass[cells - 1 - n] = expected[n] * law.survival(left);
    }
    if (!(sum > least)) {
      this.#width = 0;
      return;
    }
    for (let j = 0; j < cells; j++) this.#mass[j] /= sum;
    this.#width = width;
  }
}
