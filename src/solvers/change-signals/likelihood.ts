/**
 * The likelihood of a group's checks and signals, its pages' rates integrated out.
 *
 * Model: page i changes at rate λ_i, ln λ_i normal with mean m and variance s² over the pages. Signals come at λρ/p
 * whatever is found; a check after a with n signals finds no change with chance e^{−z}, z = (1−ρ)λa + jn, j = −ln(1 −
 * p). So with N signals in the time A watched and U of it without a change
 *
 *     ℓ_i(λ) = N ln(λρ/p) − λ(ρ/p)A − (1−ρ)λU − j·(signals in unchanged checks) + Σ_changed ln(1 − e^{−z}),
 *
 * and the group's is Σ_i ln Σ_g π_g e^{ℓ_i(λ_g)} over a grid of ln λ. To take all λ_i at their likeliest instead would
 * make precision depend on how many checks a page has. Beta laws of half an observation on either side keep p and ρ off
 * 0 and 1, and one page's worth of 1 keeps s² off 0 and ∞. Gradient: the mean of that of ℓ under the posterior of λ
 * (Fisher).
 * Parameters: logit p, logit ρ, m, x with s² = step² + e^{2x}. Complexity: O(different changed checks × grid).
 */
import type { Evaluation } from '../numerics/search/quasi-newton.ts';
import type { ChangeSignalsProblem } from './problem.ts';

const gridSize = 80;
/** How far the grid goes beyond the pages' rough rates, in ln λ. */
const margin = 2.5;

/** One page's evidence. */
interface PageEvidence {
  readonly signals: number;
  readonly watched: number;
  readonly unchanged: number;
  readonly unchangedSignals: number;
  /** Different (gap, signals) of changed checks, and how many there are of each: triples. */
  readonly changed: Float64Array;
}

export class GroupLikelihood {
  readonly #pages: readonly PageEvidence[];
  readonly #logRates: Float64Array;
  readonly #step: number;
  /** Where the search begins. */
  readonly start: Float64Array;

  constructor(problem: ChangeSignalsProblem, pages: readonly number[]) {
    this.#pages = pages.map((i) => evidenceOf(problem, i));
    const rough = pages.map((i) => Math.log(roughRate(problem, i, false)));
    const fastest = pages.map((i) => Math.log(roughRate(problem, i, true)));
    const low = rough.reduce((least, each) => Math.min(least, each), Infinity) - margin;
    const high = fastest.reduce((most, each) => Math.max(most, each), -Infinity) + margin;
    this.#step = (high - low) / (gridSize - 1);
    this.#logRates = Float64Array.from({ length: gridSize }, (_, g) => low + g * this.#step);
    const mean = rough.reduce((sum, each) => sum + each, 0) / rough.length;
    this.start = Float64Array.of(0.5, 0.5, mean, 0);
  }

  /** ln s at a point. */
  logSpread(at: Float64Array): number {
    return 0.5 * Math.log(this.#step ** 2 + Math.exp(2 * at[3]));
  }

  /** Minus the logarithm of the posterior density, and its gradient. */
  evaluate(at: Float64Array): Evaluation {
    const p = 1 / (1 + Math.exp(-at[0]));
    const recall = 1 / (1 + Math.exp(-at[1]));
    const spread = this.#step ** 2 + Math.exp(2 * at[3]);
    const logMasses = this.#logMasses(at[2], spread);
    let value = 0;
    const slope = new Float64Array(4);
    const logs = new Float64Array(this.#logRates.length);
    const byPrecision = new Float64Array(logs.length);
    const byRecall = new Float64Array(logs.length);
    for (const page of this.#pages) {
      this.#atRates(page, p, recall, logs, byPrecision, byRecall);
      // A page may be likeliest where the law of all pages has no mass that a double holds.
      let peak = Number.NEGATIVE_INFINITY;
      for (let g = 0; g < logs.length; g++) {
        logs[g] += logMasses[g];
        if (logs[g] > peak) peak = logs[g];
      }
      let sum = 0;
      for (let g = 0; g < logs.length; g++) {
        logs[g] = Math.exp(logs[g] - peak);
        sum += logs[g];
      }
      value -= peak + Math.log(sum);
      for (let g = 0; g < logs.length; g++) {
        const share = logs[g] / sum;
        // slopes may be infinite there
        if (share === 0) continue;
        const off = this.#logRates[g] - at[2];
        slope[0] -= share * byPrecision[g];
        slope[1] -= share * byRecall[g];
        slope[2] -= (share * off) / spread;
        slope[3] -= share * (off * off - spread) * (Math.exp(2 * at[3]) / spread ** 2);
      }
    }
    // half an observation on either side of p and ρ; one page of variance 1
    for (const k of [0, 1]) {
      value += 0.5 * (Math.log1p(Math.exp(at[k])) + Math.log1p(Math.exp(-at[k])));
      slope[k] += 1 / (1 + Math.exp(-at[k])) - 0.5;
    }
    value += 0.5 * Math.log(spread) + 0.5 / spread;
    slope[3] += (1 / spread - 1 / spread ** 2) * Math.exp(2 * at[3]);
    return { value, gradient: slope };
  }

  /** ln of the normal weights of the grid, which sum to 1 where the grid holds the law. */
  #logMasses(mean: number, spread: number): Float64Array {
    const scale = Math.log(this.#step) - 0.5 * Math.log(2 * Math.PI * spread);
    return this.#logRates.map((each) => scale - (each - mean) ** 2 / (2 * spread));
  }

  /** ℓ and its slopes in logit p and logit ρ on the grid. */
  #atRates(
    { signals, watched, unchanged, unchangedSignals, changed }: PageEvidence,
    p: number,
    recall: number,
    logs: Float64Array,
    byPrecision: Float64Array,
    byRecall: Float64Array,
  ): void {
    const jump = -Math.log1p(-p);
    const missed = 1 - recall;
    for (let g = 0; g < logs.length; g++) {
      const rate = Math.exp(this.#logRates[g]);
      const expected = (rate * recall * watched) / p;
      let log = signals * (this.#logRates[g] + Math.log(recall / p)) - expected - missed * rate * unchanged;
      log -= jump * unchangedSignals;
      let gaps = -unchanged;
      let jumps = -unchangedSignals;
      for (let k = 0; k < changed.length; k += 3) {
        const z = missed * rate * changed[k] + jump * changed[k + 1];
        const fresh = Math.exp(-z);
        const stale = -Math.expm1(-z);
        log += changed[k + 2] * Math.log(stale);
        const odds = (changed[k + 2] * fresh) / stale;
        gaps += odds * changed[k];
        jumps += odds * changed[k + 1];
      }
      logs[g] = log;
      // dj/d logit p = p, dp/d logit p = p(1 − p); d(1 − ρ)/d logit ρ = −ρ(1 − ρ)
      byPrecision[g] = (1 - p) * (expected - signals) + p * jumps;
      byRecall[g] = missed * (signals - expected) - recall * missed * rate * gaps;
    }
  }
}

function evidenceOf({ offsets, elapsed, changed, signals }: ChangeSignalsProblem, i: number): PageEvidence {
  let all = 0;
  let watched = 0;
  let unchanged = 0;
  let unchangedSignals = 0;
  const seen: [number, number][] = [];
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    all += signals[k];
    watched += elapsed[k];
    if (changed[k] === 1) seen.push([elapsed[k], signals[k]]);
    else {
      unchanged += elapsed[k];
      unchangedSignals += signals[k];
    }
  }
  seen.sort(([a, m], [b, n]) => a - b || m - n);
  const triples: number[] = [];
  for (const [gap, count] of seen) {
    const last = triples.length - 3;
    if (last >= 0 && triples[last] === gap && triples[last + 1] === count) triples[last + 2]++;
    else triples.push(gap, count, 1);
  }
  return { signals: all, watched, unchanged, unchangedSignals, changed: Float64Array.from(triples) };
}

/** Changes seen a unit of time, half of one added; or signals, where they are more and are to count. */
function roughRate(
  { offsets, elapsed, changed, signals }: ChangeSignalsProblem,
  i: number,
  withSignals: boolean,
): number {
  let events = 0.5;
  let watched = 0;
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    events += withSignals ? Math.max(changed[k], signals[k]) : changed[k];
    watched += elapsed[k];
  }
  return events / watched;
}
