/**
 * What a stale page costs a search engine: Wolf et al. 2002, equation (8), w_i = d_i Σ_j Σ_k c_{jk} b_{ijk}. There
 * c_{jk} is the chance of a click on position j of result page k, and b_{ijk} the chance that page i stands there. The
 * chance that the stale copy gives a wrong answer is d_i. O(pages × positions × result pages).
 */
import type { Budget } from '../budget.ts';
import { NothingToReturn } from '../budget.ts';
import type { EmbarrassmentProblem, ZipfClicks } from './problem.ts';

type Matrix = readonly (readonly number[])[];

/**
 * The weight of every page: its expected embarrassment.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function solveEmbarrassmentWeights(problem: EmbarrassmentProblem, budget: Budget) {
  const { clicks, impressions, errorProbability, ids } = problem;
  const matrix = isMatrix(clicks) ? clicks : zipfClicks(clicks);
  const weights = new Float64Array(impressions.length);
  for (const [i, own] of impressions.entries()) {
    if (budget.stopRequested()) throw new NothingToReturn('not every page had been weighed');
    weights[i] = embarrassmentWeight(matrix, own, errorProbability[i]);
  }
  return {
    status: 'evaluated' as const,
    solution: { weights, ...(ids !== undefined && { ids }) },
    statistics: { solver: 'sum', pages: weights.length },
  };
}

function isMatrix(clicks: Matrix | ZipfClicks): clicks is Matrix {
  return Array.isArray(clicks);
}

/**
 * Click probabilities by Zipf's law over all positions: c_{jk} = p^{−(1−θ)}/Σ_p p^{−(1−θ)} · s^{k−1}, p =
 * (k−1)·positions + j, the sum over p = 1..positions·pages.
 */
export function zipfClicks({ zipf, continue: continuation, positions, pages }: ZipfClicks): number[][] {
  const exponent = zipf - 1;
  let sum = 0;
  for (let p = positions * pages; p >= 1; p--) sum += p ** exponent;
  return Array.from({ length: positions }, (_, j) =>
    Array.from({ length: pages }, (__, k) => (k * positions + j + 1) ** exponent * (continuation ** k / sum)),
  );
}

/** The weight of one page, d · Σ c·b. */
export function embarrassmentWeight(clicks: Matrix, impressions: Matrix, errorProbability: number): number {
  let sum = 0;
  for (let j = 0; j < clicks.length; j++) {
    const row = clicks[j];
    const pageImpressions = impressions[j];
    for (let k = 0; k < row.length; k++) sum += row[k] * pageImpressions[k];
  }
  return errorProbability * sum;
}
