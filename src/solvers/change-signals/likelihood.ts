/**
 * The likelihood of a group's checks and signals, its pages' rates integrated out.
 *
 * Model: page i changes at rate λ_i, ln λ_i normal with mean m and variance s² over the pages. Signals come at rate
 * λρ/p whatever checks find. A check after a time a with n signals finds no change with chance e^{−z}, z = (1−ρ)λa +
 * jn, j = −ln(1 − p). So with N signals in the time A watched and U of it without a change
 *
 *     ℓ_i(λ) = N ln(λρ/p) − λ(ρ/p)A − (1−ρ)λU − j·(signals in unchanged checks) + Σ_changed ln(1 − e^{−z}),
 *
 * and the group's is Σ_i ln ∫ φ(θ; m, s) e^{ℓ_i(e^θ)} dθ (page-integral.ts). Taking all λ_i at their likeliest instead
 * would make precision depend on how many checks a page has. Beta laws of half an observation on either side keep p and
 * ρ off 0 and 1. A prior worth one page of variance 1 keeps s² off 0 and ∞. Gradient: the mean of that of ℓ under the
 * posterior of λ (Fisher). Parameters: logit p, logit ρ, m, ln s. Complexity: O(different changed checks), each at some
 * 40 to 100 rates.
 */
import type { Poll } from '../budget.ts';
import type { ValueAndGradient } from '../numerics/search/quasi-newton.ts';
import { type PageEvidence, summarizePage } from './page-evidence.ts';
import { integratePage, type SignalPoint } from './page-integral.ts';
import type { ChangeSignalsProblem } from './problem.ts';

/**
 * Elementary steps, for polls, of each distinct changed check of a page; the rest of a page's integral takes as many as
 * two such checks.
 */
const stepsPerCheck = 5_000;

export class GroupLikelihood {
  readonly #pages: readonly PageEvidence[];
  /** Positions in the request of the pages of the group. */
  readonly #positions: readonly number[];
  readonly #poll: Poll;
  /** Starting point of the search: logit p, logit ρ, m, ln s. */
  readonly start: Float64Array;

  constructor(problem: ChangeSignalsProblem, pages: readonly number[], poll: Poll) {
    this.#positions = pages;
    this.#pages = pages.map((i) => summarizePage(problem, i));
    this.#poll = poll;
    const logRates = this.#pages.map(({ changes, watchedTime }) => Math.log((changes + 0.5) / watchedTime));
    const mean = logRates.reduce((sum, each) => sum + each, 0) / logRates.length;
    const variance = logRates.reduce((sum, each) => sum + (each - mean) ** 2, 1) / (logRates.length + 1);
    this.start = Float64Array.of(0.5, 0.5, mean, 0.5 * Math.log(variance));
  }

  /** Most likely rate of each page at a point, by the page's position in the request. */
  rates(at: Float64Array): ReadonlyMap<number, number> {
    const point = pointAt(at);
    return new Map(this.#pages.map((page, k) => [this.#positions[k], Math.exp(integratePage(page, point).mode)]));
  }

  /** Minus the logarithm of the posterior density, and its gradient. */
  evaluate(at: Float64Array): ValueAndGradient {
    const point = pointAt(at);
    const { deviation } = point;
    let value = 0;
    const slope = new Float64Array(4);
    for (const page of this.#pages) {
      const { logLikelihood, byPrecision, byRecall, offset, square } = integratePage(page, point);
      value -= logLikelihood;
      slope[0] -= byPrecision;
      slope[1] -= byRecall;
      slope[2] -= offset / deviation;
      slope[3] -= square - 1;
      this.#poll(stepsPerCheck * (2 + page.changedChecks.length / 3));
    }
    // the prior: half an observation on either side of p and ρ, and one page of variance 1
    for (const k of [0, 1]) {
      value += 0.5 * (Math.log1p(Math.exp(at[k])) + Math.log1p(Math.exp(-at[k])));
      slope[k] += 1 / (1 + Math.exp(-at[k])) - 0.5;
    }
    value += at[3] + 0.5 / deviation ** 2;
    slope[3] += 1 - 1 / deviation ** 2;
    return { value, gradient: slope };
  }
}

/** Precision and recall from their logits, the deviation from its logarithm. */
const pointAt = (at: Float64Array): SignalPoint => ({
  precision: 1 / (1 + Math.exp(-at[0])),
  recall: 1 / (1 + Math.exp(-at[1])),
  mean: at[2],
  deviation: Math.exp(at[3]),
});
