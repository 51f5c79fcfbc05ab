/**
 * Checks weights against equation (8) of Wolf et al. 2002, result page by result page, with clicks of the certificate's
 * own.
 */

import type { EmbarrassmentProblem } from '../../solvers/estimation/problem.ts';
import { isObject, listIn, numberIn, numbersIn, objectAt, type WireObject, WireTable } from '../wire.ts';

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

/** What is wrong with an answer of the contract; of a log: whether the weights follow from the chances it names. */
export function verifyEmbarrassmentWeights(request: WireObject, answer: WireObject): string[] {
  const solution = objectAt(answer, 'solution');
  const weights = numbersIn(solution, 'weights');
  if (request.log !== undefined) return faultsOfLog(solution, weights);
  const pages = new WireTable(request.pages, 'pages');
  const impressions = pages.lists('impressions').map((rows) => matrixOf(rows ?? []));
  const { clicks } = request;
  const problem = {
    clicks: isObject(clicks) ? zipfOf(clicks) : matrixOf(listIn(request, 'clicks')),
    impressions,
    errorProbability: pages.numbers('errorProbability'),
  };
  return certifyEmbarrassmentWeights(problem, weights);
}

function matrixOf(rows: readonly unknown[]): number[][] {
  return rows.map((row) => Array.from(numbersIn({ row }, 'row')));
}

function zipfOf(law: WireObject): Extract<EmbarrassmentProblem['clicks'], { readonly zipf: number }> {
  const [zipf, continuation, positions, pages] = ['zipf', 'continue', 'positions', 'pages'].map((name) =>
    numberIn(law, name),
  );
  return { zipf, continue: continuation, positions, pages };
}

function faultsOfLog(solution: WireObject, weights: Float64Array): string[] {
  const clicks = listIn(solution, 'clicks').map((row) => listIn({ row }, 'row').map((cell) => objectAt(cell)));
  return listIn(solution, 'pages').flatMap((each, i) => {
    const page = objectAt(each);
    let shown = 0;
    for (const item of listIn(page, 'impressions')) {
      const { position, resultPage, probability } = objectAt(item);
      const chance = clicks[Number(position) - 1]?.[Number(resultPage) - 1];
      shown += Number(probability) * (chance === undefined ? Number.NaN : numberIn(chance, 'probability'));
    }
    const weight = numberIn(page, 'errorProbability') * shown;
    const off = !(Math.abs(weight - weights[i]) <= 1e-9 * Math.max(weight, weights[i]));
    return off ? [`page ${i} weighs ${weight}; said to be ${weights[i]}`] : [];
  });
}
