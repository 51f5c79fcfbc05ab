/**
 * A gamma prior for the change rates of all pages, from the pages themselves (empirical Bayes).
 *
 * Maximises the marginal likelihood Π_i ∫ L_i(λ) g(λ; shape, rate) dλ over shape and mean. The pages (a sample of at
 * most 4096, evenly spaced) are reduced once to their likelihoods on a grid of ln λ, spaced 0.2. The integral is the
 * trapezoidal sum there: spectrally exact for likelihoods wider than the grid step, while narrower ones act as a
 * histogram. Then a golden-section search over the mean inside one over the shape. Complexity: sample × checks × grid
 * for the table, sample × grid for each of some 400 evaluations. Source: Robbins 1956; for crawlers the shared gamma
 * prior is folklore. Limits: shape kept in [0.05, 50], so that pages all alike (or all silent) still give a proper
 * prior.
 */

import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import type { CheckHistory } from './check-history.ts';
import { type LikelihoodTable, likelihoodsOnGrid, sampleOf } from './likelihood-table.ts';

/** λ ~ gamma: density ∝ λ^{shape−1}e^{−rate·λ}; mean shape/rate. */
export interface GammaPrior {
  readonly shape: number;
  readonly rate: number;
}

/** Pages sampled at most, and spacing and number of the grid points in ln λ. */
const gridOptions = { largest: 4096, step: 0.2, points: 160 };

/**
 * The prior that makes the pages' histories likeliest. It is null when fewer than two pages have a check or no page has
 * changed: nothing then bounds the rates from below.
 * @throws NothingToReturn when the budget ends first
 */
export function fitGammaPrior(history: CheckHistory, budget: Budget): GammaPrior | null {
  const table = likelihoodsOnGrid(history, sampleOf(history, gridOptions.largest), gridOptions, budget);
  if (table === null) throw new NothingToReturn('stopped while reading the checks for the prior');
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
    const mean = goldenSection((logMean) => cost(logShape, logMean), lowMean, highMean, 1e-3);
    if (mean.value < best.value) best = { value: mean.value, logShape, logMean: mean.at };
    return mean.value;
  };
  goldenSection(profile, Math.log(0.05), Math.log(50), 1e-2);
  const shape = Math.exp(best.logShape);
  return { shape, rate: shape / Math.exp(best.logMean) };
}

/** The gamma density in ln λ on the grid, as masses that sum to 1. */
export function gammaOnGrid(shape: number, rate: number, thetas: Float64Array, masses: Float64Array): void {
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
