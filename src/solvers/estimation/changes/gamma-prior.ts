/**
 * A gamma prior for the change rates of all pages, from the pages themselves (empirical Bayes).
 *
 * Maximises the marginal likelihood Π_i ∫ L_i(λ) g(λ; shape, rate) dλ over shape and mean. The pages (a sample of at
 * most 4096, evenly spaced) are reduced once to their likelihoods on a grid of ln λ. The integral is the
 * trapezoidal sum there: spectrally exact for likelihoods wider than the grid step, while narrower ones act as a
 * histogram. Then a golden-section search over the mean inside one over the shape. Complexity: sample × checks × grid
 * for the table, sample × grid for each of some 400 evaluations. Source: Robbins 1956; for crawlers the shared gamma
 * prior is folklore. Limits: shape kept in [0.05, 50], so that pages all alike (or all silent) still give a proper
 * prior.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { type CheckHistory, changedAtKnownAge, unchangedOutcome } from './check-history.ts';

/** λ ~ gamma: density ∝ λ^{shape−1}e^{−rate·λ}; mean shape/rate. */
export interface GammaPrior {
  readonly shape: number;
  readonly rate: number;
}

/** Pages at most in the sample that the prior is fitted to. */
const maxPages = 4096;
/** Points of the grid in ln λ. */
const gridPoints = 160;
/** Absolute tolerance of the logarithms of mean and shape. */
const tolerance = 1e-2;

/**
 * The prior that makes the pages' histories likeliest. It is null when fewer than two pages have a check or no page has
 * changed: nothing then bounds the rates from below.
 * @throws NothingToReturn when the budget ends first
 */
export function fitGammaPrior(history: CheckHistory, budget: Budget): GammaPrior | null {
  const table = likelihoodsOnGrid(history, budget);
  if (table.pages.length < 2 || table.changes === 0) return null;
  const { thetas } = table;
  const masses = new Float64Array(thetas.length);
  const cost = (logShape: number, logMean: number): number => {
    const shape = Math.exp(logShape);
    gammaOnGrid(shape, shape / Math.exp(logMean), thetas, masses);
    return -logMarginal(table, masses);
  };
  const lowMean = thetas[0];
  const highMean = thetas[thetas.length - 1];
  let best = { value: Number.POSITIVE_INFINITY, logShape: 0, logMean: 0 };
  const profile = (logShape: number): number => {
    if (budget.stopRequested()) throw new NothingToReturn('stopped while fitting the prior');
    const mean = goldenSection((logMean) => cost(logShape, logMean), lowMean, highMean, tolerance);
    if (mean.value < best.value) best = { value: mean.value, logShape, logMean: mean.at };
    return mean.value;
  };
  goldenSection(profile, Math.log(0.05), Math.log(50), tolerance);
  const shape = Math.exp(best.logShape);
  return { shape, rate: shape / Math.exp(best.logMean) };
}

/** The gamma density in ln λ on the grid, as masses that sum to 1. */
function gammaOnGrid(shape: number, rate: number, thetas: Float64Array, masses: Float64Array): void {
  let peak = Number.NEGATIVE_INFINITY;
  for (let g = 0; g < thetas.length; g++) {
    masses[g] = shape * thetas[g] - rate * Math.exp(thetas[g]);
    if (masses[g] > peak) peak = masses[g];
  }
  let sum = 0;
  for (let g = 0; g < thetas.length; g++) {
    masses[g] = Math.exp(masses[g] - peak);
    sum += masses[g];
  }
  for (let g = 0; g < thetas.length; g++) masses[g] /= sum;
}

function logMarginal({ values, pages, thetas }: LikelihoodTable, masses: Float64Array): number {
  const size = thetas.length;
  let sum = 0;
  for (let row = 0; row < pages.length; row++) {
    let marginal = 0;
    const at = row * size;
    for (let g = 0; g < size; g++) marginal += values[at + g] * masses[g];
    sum += Math.log(Math.max(marginal, 1e-300));
  }
  return sum;
}

/** The likelihood of each sampled page on a grid of ln λ, each page's maximum scaled to 1. */
interface LikelihoodTable {
  readonly thetas: Float64Array;
  /** Row-major, sampled pages × grid. */
  readonly values: Float64Array;
  /** Positions of the sampled pages. */
  readonly pages: readonly number[];
  /** Number of the sampled pages' checks that saw a change. */
  readonly changes: number;
}

/** Gaps between two polls of the budget; each gap costs a hundred logarithms. */
const gapsPerPoll = 1024;

/** Positions of pages with checks, evenly spaced, `maxPages` of them at most. */
function sampleOf({ offsets }: CheckHistory): readonly number[] {
  const pages = offsets.length - 1;
  const stride = Math.max(1, pages / maxPages);
  const sample: number[] = [];
  for (let s = 0; Math.floor(s * stride) < pages; s++) {
    const i = Math.floor(s * stride);
    if (offsets[i] < offsets[i + 1]) sample.push(i);
  }
  return sample;
}

/**
 * The likelihoods of a sample of the pages; without any check the grid has one point. Complexity: checks of the sample ×
 * grid.
 * @throws NothingToReturn when the budget ends first
 */
function likelihoodsOnGrid(history: CheckHistory, budget: Budget): LikelihoodTable {
  const sample = sampleOf(history);
  const { offsets, elapsed, outcome } = history;
  let shortest = Number.POSITIVE_INFINITY;
  let longestSpan = 0;
  let changes = 0;
  for (const i of sample) {
    let span = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      span += elapsed[k];
      if (elapsed[k] > 0 && elapsed[k] < shortest) shortest = elapsed[k];
      if (outcome[k] !== unchangedOutcome) changes++;
    }
    if (span > longestSpan) longestSpan = span;
  }
  const low = Math.log(0.01 / longestSpan);
  const high = Math.log(20 / shortest);
  const size = longestSpan > 0 ? gridPoints : 1;
  const thetas = Float64Array.from({ length: size }, (_, g) => low + ((high - low) * g) / (size - 1));
  const rates = thetas.map(Math.exp);
  const values = new Float64Array(sample.length * size);
  const logs = new Float64Array(size);
  let gapsSincePoll = 0;
  for (const [row, i] of sample.entries()) {
    logs.fill(0);
    let exposure = 0;
    let knownAgeChanges = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; ) {
      if (++gapsSincePoll === gapsPerPoll) {
        gapsSincePoll = 0;
        if (budget.stopRequested()) throw new NothingToReturn('stopped while reading the checks for the prior');
      }
      if (outcome[k] !== changedAtKnownAge && outcome[k] !== unchangedOutcome) {
        const gap = elapsed[k];
        const from = k;
        while (k < offsets[i + 1] && elapsed[k] === gap && outcome[k] === outcome[from]) k++;
        const count = k - from;
        for (let g = 0; g < size; g++) logs[g] += count * Math.log(-Math.expm1(-rates[g] * gap));
      } else {
        exposure += elapsed[k];
        if (outcome[k] === changedAtKnownAge) knownAgeChanges++;
        k++;
      }
    }
    let peak = Number.NEGATIVE_INFINITY;
    for (let g = 0; g < size; g++) {
      logs[g] += knownAgeChanges * thetas[g] - exposure * rates[g];
      if (logs[g] > peak) peak = logs[g];
    }
    for (let g = 0; g < size; g++) values[row * size + g] = Math.exp(logs[g] - peak);
  }
  return { thetas, values, pages: sample, changes };
}
