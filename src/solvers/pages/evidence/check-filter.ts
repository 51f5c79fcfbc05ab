/**
 * One check after another taken into the beliefs of a page (rate-beliefs.ts).
 *
 * After a time τ without a look each memory (a, b) first forgets: with f = 2^{−τ/half-life}, a ← a⁰ + f(a − a⁰), and b
 * alike. Then, with c = b/(b + τ), the copy was unchanged with chance c^a.
 * - Unchanged: b ← b + τ, exactly.
 * - Changed, at a time unknown: the posterior is no Gamma law; the one with its mean m₁ and variance takes its place,
 *   m₁ = (a/b)(1 − c^{a+1})/(1 − c^a), m₂ = (a(a + 1)/b²)(1 − c^{a+2})/(1 − c^a).
 * - Changed, the latest change s old: a ← a + 1, b ← b + s, exactly.
 * - Changed, but the change counts only m: m of the posterior of a change and 1 − m of that of none, by two moments;
 *   where its age is known a ← a + m.
 * Complexity: some four logarithms and exponentials a check and change; powers are kept while gaps stay equal.
 */
import { changedAtKnownAge, changedOutcome } from '../../estimation/changes/check-history.ts';
import { memories, type RateBeliefs } from './rate-beliefs.ts';

/** Of the square of the mean: no belief is surer. */
const leastVariance = 1e-6;

export class CheckFilter {
  readonly #beliefs: RateBeliefs;
  /** Unfaded sums of ln P(check), by memory, over all that was taken in. */
  readonly foretold = new Float64Array(memories);
  readonly #kept = new Float64Array(memories);
  #fade = 1;
  #gap = Number.NaN;

  constructor(beliefs: RateBeliefs) {
    this.#beliefs = beliefs;
  }

  /**
   * Takes a check of page i into its belief. `elapsed` is the gap, or the age of the latest change.
   */
  take(i: number, elapsed: number, outcome: number): void {
    const { shape, scale, foretold, prior } = this.#beliefs;
    if (elapsed !== this.#gap) this.#forget(elapsed);
    for (let k = 0; k < memories; k++) {
      const at = memories * i + k;
      let a = prior.shape + this.#kept[k] * (shape[at] - prior.shape);
      let b = prior.scale + this.#kept[k] * (scale[at] - prior.scale);
      const logAge = Math.log1p(elapsed / b);
      let seen = -a * logAge;
      if (outcome === changedAtKnownAge) {
        seen += Math.log(a) - Math.log(b) - logAge;
        a++;
        b += elapsed;
      } else if (outcome === changedOutcome) {
        const p = Math.max(-Math.expm1(seen), Number.MIN_VALUE);
        const stale = elapsed / (b + elapsed);
        // 1 − c^{a+1} and 1 − c^{a+2}, in which nothing cancels
        const one = stale + (1 - stale) * p;
        const two = stale + (1 - stale) * one;
        const mean = (a / b) * (one / p);
        const square = (((a / b) * (a + 1)) / b) * (two / p);
        seen = Math.log(p);
        const variance = Math.max(square - mean * mean, leastVariance * mean * mean);
        b = mean / variance;
        a = mean * b;
      } else b += elapsed;
      shape[at] = a;
      scale[at] = b;
      foretold[at] = foretold[at] * this.#fade + seen;
      this.foretold[k] += seen;
    }
  }

  /** Lets time pass without a look. */
  wait(i: number, elapsed: number): void {
    const { shape, scale, prior } = this.#beliefs;
    if (elapsed !== this.#gap) this.#forget(elapsed);
    for (let k = 0; k < memories; k++) {
      const at = memories * i + k;
      shape[at] = prior.shape + this.#kept[k] * (shape[at] - prior.shape);
      scale[at] = prior.scale + this.#kept[k] * (scale[at] - prior.scale);
    }
  }

  #forget(gap: number): void {
    const { forgetting, fading } = this.#beliefs.prior;
    this.#gap = gap;
    // each memory forgets by a fourth of the rate of the one before: its fourth power, where that holds to the bit
    let kept = Math.exp(-forgetting[memories - 1] * gap);
    this.#kept[memories - 1] = kept;
    for (let k = memories - 2; k >= 0; k--) {
      kept = kept * kept * (kept * kept);
      this.#kept[k] = forgetting[k] === 4 * forgetting[k + 1] ? kept : Math.exp(-forgetting[k] * gap);
      kept = this.#kept[k];
    }
    this.#fade = Math.exp(-fading * gap);
  }
}
