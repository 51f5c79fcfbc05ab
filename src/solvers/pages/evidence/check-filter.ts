/**
 * One check after another taken into the beliefs of a page (rate-beliefs.ts).
 *
 * After a time τ without a check each memory (a, b) first forgets: with f = 2^{−τ/half-life}, a ← a⁰ + f(a − a⁰), and
 * b ← b⁰ + f(b − b⁰). Then, with c = b/(b + τ), the copy is unchanged with probability c^a.
 * - Unchanged: b ← b + τ, exactly.
 * - Changed at an unknown time: the posterior is no Gamma law. The Gamma law with its moments takes its place,
 *   m₁ = (a/b)(1 − c^{a+1})/(1 − c^a), m₂ = (a(a + 1)/b²)(1 − c^{a+2})/(1 − c^a).
 * - Changed, the latest change s before the check: a ← a + 1, b ← b + s, exactly.
 * Complexity: some four logarithms and exponentials a check; the factors f are reused while gaps stay equal.
 */
import { changedAtKnownAge, changedOutcome } from '../../estimation/changes/check-history.ts';
import { memories, type RateBeliefs } from './rate-beliefs.ts';

/** Floor of the variance of a belief, as a fraction of the squared mean. */
const minVariance = 1e-6;

export class CheckFilter {
  readonly #beliefs: RateBeliefs;
  /** By memory: Σ ln P(check) over the checks taken in, not faded by age. */
  readonly logLikelihood = new Float64Array(memories);
  readonly #keptShare = new Float64Array(memories);
  #fade = 1;
  #gap = Number.NaN;

  constructor(beliefs: RateBeliefs) {
    this.#beliefs = beliefs;
  }

  /**
   * Takes a check of page i into its belief.
   *
   * @param elapsed time since the last check, or since the latest change where its age is known
   */
  take(i: number, elapsed: number, outcome: number): void {
    const { shape, scale, logLikelihood, prior } = this.#beliefs;
    if (elapsed !== this.#gap) this.#forget(elapsed);
    for (let k = 0; k < memories; k++) {
      const at = memories * i + k;
      let a = prior.shape + this.#keptShare[k] * (shape[at] - prior.shape);
      let b = prior.scale + this.#keptShare[k] * (scale[at] - prior.scale);
      const logAge = Math.log1p(elapsed / b);
      let logChance = -a * logAge;
      if (outcome === changedAtKnownAge) {
        logChance += Math.log(a) - Math.log(b) - logAge;
        a++;
        b += elapsed;
      } else if (outcome === changedOutcome) {
        const p = Math.max(-Math.expm1(logChance), Number.MIN_VALUE);
        const stale = elapsed / (b + elapsed);
        // 1 − c^{a+1} and 1 − c^{a+2}, in which nothing cancels
        const one = stale + (1 - stale) * p;
        const two = stale + (1 - stale) * one;
        const mean = (a / b) * (one / p);
        const square = (((a / b) * (a + 1)) / b) * (two / p);
        logChance = Math.log(p);
        const variance = Math.max(square - mean * mean, minVariance * mean * mean);
        b = mean / variance;
        a = mean * b;
      } else b += elapsed;
      shape[at] = a;
      scale[at] = b;
      logLikelihood[at] = logLikelihood[at] * this.#fade + logChance;
      this.logLikelihood[k] += logChance;
    }
  }

  /** Ages the belief by a time without a check. */
  wait(i: number, elapsed: number): void {
    const { shape, scale, prior } = this.#beliefs;
    if (elapsed !== this.#gap) this.#forget(elapsed);
    for (let k = 0; k < memories; k++) {
      const at = memories * i + k;
      shape[at] = prior.shape + this.#keptShare[k] * (shape[at] - prior.shape);
      scale[at] = prior.scale + this.#keptShare[k] * (scale[at] - prior.scale);
    }
  }

  #forget(gap: number): void {
    const { forgettingRate, fadingRate } = this.#beliefs.prior;
    this.#gap = gap;
    // f of memory k is the fourth power of f of memory k + 1 where half-lives quadruple exactly, to the last bit
    let keptShare = Math.exp(-forgettingRate[memories - 1] * gap);
    this.#keptShare[memories - 1] = keptShare;
    for (let k = memories - 2; k >= 0; k--) {
      keptShare = keptShare * keptShare * (keptShare * keptShare);
      this.#keptShare[k] =
        forgettingRate[k] === 4 * forgettingRate[k + 1] ? keptShare : Math.exp(-forgettingRate[k] * gap);
      keptShare = this.#keptShare[k];
    }
    this.#fade = Math.exp(-fadingRate * gap);
  }
}
