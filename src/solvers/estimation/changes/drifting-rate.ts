/**
 * A page's change rate as it drifts: a filter over a grid of rates.
 *
 * Model: hidden Markov. Over a gap a the logarithm of the rate moves by a walk of variance σ²a, and with probability
 * 1 − e^{−ρa} the rate is drawn anew from the population π; the page then changes at that rate through the gap.
 * - belief b (a distribution over the grid, after the last check); predicted b' = b·K(a);
 * - fresh mass v_g = b'_g e^{−λ_g a}, so P(unchanged after a) = |v|;
 * - unchanged: b ← v/|v|; changed: b ← b'∘(1 − e^{−λa}), normalised; change of known age: b ← b'∘λe^{−λa}, normalised.
 * K(a) is e^{−ρa}·walk(a) + (1 − e^{−ρa})1π. With c = σ²a/(2h²), h the grid step in ln λ and Δ the second difference
 * with reflecting ends, walk(a) is I + cΔ up to c = ¼, beyond it (I − cΔ)^{−1}, one tridiagonal solve: both are
 * symmetric, positive, keep the mass and have the variance σ²a exactly; only their shapes differ.
 * The grid has ratio √2, so that e^{−λ_{g+2}a} = (e^{−λ_g a})²: two exponentials a check, and with u = 1 − e^{−λa}
 * the doubling u(2 − u) never cancels.
 * π is a gamma law of shape 0.85 and the pooled mean, worth 20 pages, plus the beliefs of all pages (of 4096 evenly
 * spaced ones, where there are more): a pass over these, then one over all, so that nothing need be kept between plans.
 * Complexity: some 15 operations a grid point and check, half of it in a run of checks (check-run.ts). Limits: rates
 * outside the grid count as its ends.
 * Source: the filter is Baum & Petrie 1966; drift and redraw measured on a real change history (bench/replay).
 */
import { changed, unchanged } from './check-history.ts';
import { CheckRun, largestExplicit, leastMass } from './check-run.ts';
import { gammaOnGrid } from './gamma-prior.ts';

/** How the rates drift, per time unit. */
export interface Drift {
  /** Variance of ln λ a time unit. */
  readonly variance: number;
  /** Redraws from the population a time unit. */
  readonly redraw: number;
}

/** What a plan asks of beliefs about a page's rate: a distribution over `size` points, row-major over pages. */
export interface RateModel {
  readonly size: number;
  /** The mean rate that each point stands for. */
  readonly rates: Float64Array;
  /** 2 where points of quiet pages are followed by as many of busy ones, else 1. */
  readonly planes: 1 | 2;
  /** The fastest rate at which a page may change at a time. */
  readonly fastest: number;
  /** π: what a page is before its first check, learnt from all pages. */
  readonly population: Float64Array;
  /** Takes masses over the points, which sum to 1, for π. */
  learn(masses: Float64Array): void;
  /** Lets a belief drift for a gap. */
  predict(belief: Float64Array, at: number, gap: number, out: Float64Array, outAt: number): void;
  /** Takes in a check: the belief at `at` becomes the belief after it. How likely the check was, at least 1e−290. */
  observe(belief: Float64Array, at: number, gap: number, outcome: number): number;
  /** Takes in many checks in a row, where the model has a quicker way than one by one. */
  readonly run: CheckRun | null;
  /** How likely a check after a gap sees a change. */
  chanceOfChange(belief: Float64Array, at: number, gap: number): number;
  /** From the chance of a change by an age, by point at the start, to that of an age older by a small step. */
  growOlder(step: number, changed: Float64Array): void;
}

/** What a drifting rate's model is made of, as plain data. */
export interface DriftParts {
  readonly lowest: number;
  readonly highest: number;
  readonly mean: number;
  readonly drift: Drift;
  /** π, as it has been learnt. */
  readonly population: Float64Array;
}

/** Grid points an octave: fixed by the doubling trick. */
const pointsPerOctave = 2;
/** Of the gamma law of the rates of real pages. */
export const priorShape = 0.85;
const widestGrid = 64;
const narrowestGrid = 16;
/** The largest ratio of two rates of a grid, with a little room for rounding. */
export const widestRange = 2 ** ((widestGrid - 1.5) / pointsPerOctave);

/** Beliefs of pages over a grid of rates, and how checks and time change them. */
export class DriftingRate implements RateModel {
  readonly rates: Float64Array;
  readonly size: number;
  /** π: the population's rates. */
  readonly population: Float64Array;
  readonly planes = 1;
  readonly fastest: number;
  /** Redraws from the population a time unit. */
  readonly redraw: number;
  readonly run: CheckRun;
  readonly #made: Omit<DriftParts, 'population'>;
  readonly #drift: Drift;
  readonly #predicted: Float64Array;
  readonly #factor: Float64Array;
  readonly #half: Float64Array;

  /** A grid of ratio √2 from `lowest` to `highest` rate at least, the population gamma with this mean. */
  constructor(lowest: number, highest: number, mean: number, drift: Drift) {
    this.#made = { lowest, highest, mean, drift };
    const wanted = Math.ceil(pointsPerOctave * Math.log2(highest / lowest)) + 1;
    this.size = Math.max(narrowestGrid, Math.min(widestGrid, wanted));
    const step = Math.LN2 / pointsPerOctave;
    // A range too wide for the grid loses its slow end: rates that slow get the same crawls, none.
    const from = wanted > widestGrid ? Math.log(highest) - (this.size - 1) * step : Math.log(lowest);
    const thetas = Float64Array.from({ length: this.size }, (_, g) => from + g * step);
    this.rates = thetas.map(Math.exp);
    this.fastest = this.rates[this.size - 1];
    this.redraw = drift.redraw;
    this.population = new Float64Array(this.size);
    gammaOnGrid(priorShape, priorShape / mean, thetas, this.population);
    this.#drift = { variance: drift.variance / (2 * step * step), redraw: drift.redraw };
    this.run = new CheckRun(this.rates, this.population, this.#drift);
    this.#predicted = new Float64Array(this.size);
    this.#factor = new Float64Array(this.size);
    this.#half = new Float64Array(this.size);
  }

  /** The model made of these parts. */
  static of({ lowest, highest, mean, drift, population }: DriftParts): DriftingRate {
    const model = new DriftingRate(lowest, highest, mean, drift);
    model.learn(population);
    return model;
  }

  /** What an equal model is made of. */
  get parts(): DriftParts {
    return { ...this.#made, population: this.population };
  }

  learn(masses: Float64Array): void {
    this.population.set(masses);
  }

  chanceOfChange(belief: Float64Array, at: number, gap: number): number {
    this.predict(belief, at, gap, this.#predicted, 0);
    this.seenWithin(gap, this.#half);
    let chance = 0;
    for (let g = 0; g < this.size; g++) chance += this.#predicted[g] * this.#half[g];
    return chance;
  }

  /** b·K(gap) into `out` (which may be the belief itself). */
  predict(belief: Float64Array, at: number, gap: number, out: Float64Array, outAt: number): void {
    const { size, population } = this;
    const kept = Math.exp(-this.redraw * gap);
    this.walk(belief, at, gap, out, outAt);
    for (let g = 0; g < size; g++) out[outAt + g] = kept * out[outAt + g] + (1 - kept) * population[g];
  }

  /** The walk of a gap, which may be in place: one explicit step where that stays positive, else an implicit one. */
  walk(x: Float64Array, at: number, gap: number, out: Float64Array, outAt: number): void {
    const { size } = this;
    const c = this.#drift.variance * gap;
    if (c > largestExplicit) {
      this.#walkImplicitly(x, at, c, out, outAt);
      return;
    }
    let before = x[at];
    let here = x[at];
    for (let g = 0; g < size; g++) {
      const after = g < size - 1 ? x[at + g + 1] : here;
      out[outAt + g] = here + c * (before - 2 * here + after);
      before = here;
      here = after;
    }
  }

  /** (I − cΔ)^{−1}x by Thomas: the diagonal is 1 + c at the ends, 1 + 2c inside, −c beside it. */
  #walkImplicitly(x: Float64Array, at: number, c: number, out: Float64Array, outAt: number): void {
    const { size } = this;
    const factor = this.#factor;
    let pivot = 1 / (1 + c);
    let ahead = x[at] * pivot;
    factor[0] = c * pivot;
    out[outAt] = ahead;
    for (let g = 1; g < size; g++) {
      pivot = 1 / (1 + (g === size - 1 ? c : 2 * c) - c * factor[g - 1]);
      factor[g] = c * pivot;
      ahead = (x[at + g] + c * ahead) * pivot;
      out[outAt + g] = ahead;
    }
    for (let g = size - 2; g >= 0; g--) {
      ahead = out[outAt + g] + factor[g] * ahead;
      out[outAt + g] = ahead;
    }
  }

  /** K(gap)·x in place: the expectation of x(rate after the gap), by rate before it. K's walk is symmetric. */
  expect(x: Float64Array, gap: number): void {
    const { size, population } = this;
    let drawn = 0;
    for (let g = 0; g < size; g++) drawn += population[g] * x[g];
    drawn *= -Math.expm1(-this.redraw * gap);
    this.walk(x, 0, gap, x, 0);
    const kept = Math.exp(-this.redraw * gap);
    for (let g = 0; g < size; g++) x[g] = kept * x[g] + drawn;
  }

  /**
   * At least this share of b·x is left of it after a gap, in one prediction or many, for any x that rises with the
   * rate, and by no more than √2 from one rate to the next (every probability and time of change is such); `before` is
   * how long b had been drifting in the same prediction. Such x have Δx ≥ −(1 − 1/√2)x, and the walk keeps them such; a
   * redraw takes no more than its share. Where one prediction passes from the explicit to the implicit walk, (I −
   * cΔ)^{−1}x ≥ x/(1 + (1 − 1/√2)c) and (I + cΔ)x ≤ (1 + (√2 − 1)c)x.
   */
  leastKept(gap: number, before = 0): number {
    const loss = 1 - Math.SQRT1_2;
    const { redraw } = this;
    const { variance } = this.#drift;
    const kept = Math.exp(-((loss / (1 - loss * largestExplicit)) * variance + redraw) * gap);
    const crosses = variance * before <= largestExplicit && variance * (before + gap) > largestExplicit;
    if (!crosses) return kept;
    return kept / ((1 + loss * largestExplicit) * (1 + (Math.SQRT2 - 1) * largestExplicit));
  }

  /** u_g = 1 − e^{−λ_g·age} for all rates, by doubling. */
  seenWithin(age: number, out: Float64Array): void {
    out[0] = -Math.expm1(-this.rates[0] * age);
    out[1] = -Math.expm1(-this.rates[1] * age);
    for (let g = 2; g < this.size; g++) out[g] = out[g - 2] * (2 - out[g - 2]);
  }

  /**
   * c = 1 − ψ by rate at the start, the probability of a change by an age, grown older by a step: half the step at the
   * rate there is, the drift of the step, the other half (Strang; the error of a step is of third order in it). In
   * terms of c every term is positive and c can only rise.
   */
  growOlder(step: number, changed: Float64Array): void {
    const half = this.#half;
    this.seenWithin(0.5 * step, half);
    for (let g = 0; g < this.size; g++) changed[g] = half[g] + (1 - half[g]) * changed[g];
    this.expect(changed, step);
    for (let g = 0; g < this.size; g++) changed[g] = half[g] + (1 - half[g]) * changed[g];
  }

  observe(belief: Float64Array, at: number, gap: number, outcome: number): number {
    const { size, rates, population } = this;
    const predicted = this.#predicted;
    const kept = Math.exp(-this.redraw * gap);
    const drawn = 1 - kept;
    this.walk(belief, at, gap, predicted, 0);
    // u = 1 − e^{−λ·gap} at even and at odd grid points, doubled from one to the next
    let even = -Math.expm1(-rates[0] * gap);
    let odd = -Math.expm1(-rates[1] * gap);
    let mass = 0;
    for (let g = 0; g < size; g++) {
      const seen = even;
      even = odd;
      odd = seen * (2 - seen);
      const likelihood = outcome === changed ? seen : outcome === unchanged ? 1 - seen : rates[g] * (1 - seen);
      const joint = (kept * predicted[g] + drawn * population[g]) * likelihood;
      predicted[g] = joint;
      mass += joint;
    }
    // A check no rate of the grid can explain (a gap of many times 1/λ at every λ, unchanged) leaves the slowest rate.
    if (!(mass > leastMass)) {
      for (let g = 0; g < size; g++) belief[at + g] = g === 0 ? 1 : 0;
      return leastMass;
    }
    const scale = 1 / mass;
    for (let g = 0; g < size; g++) belief[at + g] = predicted[g] * scale;
    return mass;
  }
}
