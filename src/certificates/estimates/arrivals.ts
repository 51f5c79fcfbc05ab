/**
 * A fitted arrival process by its matrices: their rows sum to 0, and the rate of pages is that of the batches. Weights of
 * pages by equation (8) of Wolf et al. 2002.
 */
import type { Findings } from '../findings.ts';
import {
  isObject,
  MalformedInput,
  readList,
  readNumber,
  readNumbers,
  readObject,
  sumOf,
  type WireObject,
  WireTable,
} from '../wire.ts';

/** Relative tolerance for inverses of matrices whose rates differ by many orders of magnitude. */
const tolerance = 1e-7;
/** Phases checked at most; no fit has more. */
const maxPhases = 64;

export function checkArrivalProcess(_request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = readObject(answer, 'solution');
  const matrices = readList(solution, 'matrices').map((matrix) =>
    readList({ matrix }, 'matrix').map((row) => Array.from(readNumbers({ row }, 'row'))),
  );
  const [d0] = matrices;
  const n = d0?.length ?? 0;
  const square =
    n > 0 && n <= maxPhases && matrices.every((rows) => rows.length === n && rows.every((row) => row.length === n));
  if (!square) throw new MalformedInput('solution/matrices must be square matrices of one size');
  const field = 'solution.matrices';
  for (let i = 0; i < n; i++) {
    const total = sumOf(matrices.flatMap((rows) => rows[i]));
    const isBalanced = Math.abs(total) <= tolerance * -d0[i][i];
    findings.expect(field, isBalanced, `row ${i} of the matrices sums to ${total}`);
    const outside = matrices.some((rows, k) => rows[i].some((rate, j) => rate < 0 && !(k === 0 && i === j)));
    findings.expect(field, !outside, `row ${i} of the matrices has a negative rate`);
  }
  if (findings.faults.length > 0) return;
  const shares = readList(solution, 'batchSizes').map((item) => readObject(item));
  const [sizes, chances] = ['size', 'probability'].map((name) => shares.map((share) => readNumber(share, name)));
  const sum = sumOf(chances);
  findings.expect('solution.batchSizes.probability', Math.abs(sum - 1) <= tolerance, `the batch sizes sum to ${sum}`);
  const pages = sizes.reduce((sum, size, k) => sum + size * chances[k], 0);
  const mean = readNumber(readObject(solution, 'fitted'), 'mean');
  findings.compare('solution.arrivalRate', solution.arrivalRate, pages / mean, { tolerance });
}

/** Σ over results and pages of results: shown × clicked × wrong. */
export function checkEmbarrassmentWeights(request: WireObject, answer: WireObject, findings: Findings): void {
  if (request.pages === undefined) return;
  const weights = readNumbers(readObject(answer, 'solution'), 'weights');
  const pages = new WireTable(request.pages, 'pages', weights.length);
  const { clicks } = request;
  const chance = isObject(clicks) ? zipfChances(clicks) : tableChances(readList(request, 'clicks'));
  const errors = pages.numbers('errorProbability');
  for (const [i, rows] of pages.lists('impressions').entries()) {
    let weight = 0;
    for (const [j, row] of (rows ?? []).entries()) {
      for (const [k, shown] of readNumbers({ row }, 'row').entries()) weight += errors[i] * shown * chance(j, k);
    }
    findings.compare('solution.weights', weights[i], weight, { of: `page ${i}` });
  }
}

function tableChances(rows: readonly unknown[]): (j: number, k: number) => number {
  const table = rows.map((row) => readNumbers({ row }, 'row'));
  return (j, k) => table[j]?.[k] ?? Number.NaN;
}

/** Probability of a click on position j of result page k, both from 0, by the logarithm of the rank. */
function zipfChances(law: WireObject): (j: number, k: number) => number {
  const [zipf, further, positions, pages] = ['zipf', 'continue', 'positions', 'pages'].map((name) =>
    readNumber(law, name),
  );
  const share = (rank: number): number => Math.exp((zipf - 1) * Math.log(rank));
  let total = 0;
  for (let rank = 1; rank <= positions * pages; rank++) total += share(rank);
  return (j, k) => (share(k * positions + j + 1) / total) * further ** k;
}
