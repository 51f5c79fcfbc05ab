/**
 * Checks weights against equation (8) of Wolf et al. 2002, result page by result page, with clicks of the certificate's
 * own.
 */

import type { EmbarrassmentProblem } from '../../../src/solvers/estimation/problem.ts';

const tolerance = 1e-12;

/** What is wrong with the weights, one sentence each; empty where nothing is. */
export function certifyEmbarrassmentWeights(
  { clicks, impressions, errorProbability }: EmbarrassmentProblem,
  weights: Float64Array,
): string[] {
  if (weights.length !== impressions.length) return [`${weights.length} weights for ${impressions.length} pages`];
  const chance = 'zipf' in clicks ? zipfChances(clicks) : (j: number, k: number): number => clicks[j][k];
  return impressions.flatMap((shown, page) => {
    let weight = 0;
    const [{ length: resultPages }] = shown;
    for (let k = resultPages - 1; k >= 0; k--) {
      for (const [j, row] of shown.entries()) weight += errorProbability[page] * row[k] * chance(j, k);
    }
    const said = weights[page];
    return Math.abs(said - weight) <= tolerance * weight ? [] : [`page ${page} weighs ${weight}; said to be ${said}`];
  });
}

/** The chance of a click on position j of result page k, both from 0: by logarithms of the rank. */
function zipfChances(law: Extract<EmbarrassmentProblem['clicks'], { readonly zipf: number }>) {
  const { zipf, continue: continuation, positions, pages } = law;
  const logWeight = (rank: number): number => (zipf - 1) * Math.log(rank);
  const ranks = Array.from({ length: positions * pages }, (_, r) => r + 1);
  const total = ranks.reduce((sum, rank) => sum + Math.exp(logWeight(rank)), 0);
  return (j: number, k: number): number => (Math.exp(logWeight(k * positions + j + 1)) / total) * continuation ** k;
}
