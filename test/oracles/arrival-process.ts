/**
 * Checks a fitted arrival process through its matrices alone. It reads the record a second time, and computes moments,
 * correlations and rates from the matrices by plain elimination. Nothing of the finders is shared.
 */

import { Matrix as DenseMatrix, solve } from 'ml-matrix';
import {
  listIn,
  numberIn,
  numbersIn,
  objectAt,
  textIn,
  Unreadable,
  type WireObject,
} from '../../src/certificates/wire.ts';

type Matrix = readonly (readonly number[])[];

/** x with matrix·x = right. */
function solved(matrix: Matrix, right: readonly number[]): number[] {
  return solve(new DenseMatrix(matrix.map((row) => [...row])), DenseMatrix.columnVector(right)).to1DArray();
}

/** Rounding of inverses of matrices whose phases differ by many orders of magnitude. */
const tolerance = 1e-7;

/**
 * What is wrong with an arrival process, one sentence each; empty where nothing is. O(n log n + n·lags + phases³·lags).
 */
export function arrivalProcessFaults(request: WireObject, answer: WireObject): string[] {
  const violations: string[] = [];
  const expect = (name: string, said: number, found: number, scale = Math.abs(found)): void => {
    if (!(Math.abs(said - found) <= tolerance * scale))
      violations.push(`${name} is said to be ${said}; it is ${found}`);
  };
  const solution = objectAt(answer, 'solution');
  const statistics = objectAt(answer, 'statistics');
  const [observed, fitted] = ['observed', 'fitted'].map((name) => {
    const part = objectAt(solution, name);
    const correlations = Array.from(numbersIn(part, 'correlations'), (r) => (Number.isNaN(r) ? null : r));
    return { mean: numberIn(part, 'mean'), variance: numberIn(part, 'variance'), correlations };
  });
  const matrices = listIn(solution, 'matrices').map((matrix) =>
    listIn({ matrix }, 'matrix').map((row) => Array.from(numbersIn({ row }, 'row'))),
  );
  const sessions = sessionsOf(request);
  const intervals = sessions.flatMap((session) => session.intervals);
  const sizes = sessions.flatMap((session) => session.sizes);
  const mean = intervals.reduce((sum, x) => sum + x, 0) / intervals.length;
  const variance = intervals.reduce((sum, x) => sum + (x - mean) ** 2, 0) / intervals.length;
  const pagesPerBatch = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  expect('the mean interval', observed.mean, mean);
  expect('the variance of the intervals', observed.variance, variance, variance + mean * mean * 1e-9);
  expect('the number of intervals', numberIn(statistics, 'intervals'), intervals.length);
  expect('the number of batches', numberIn(solution, 'batches'), sizes.length);
  expect('the number of sessions', numberIn(solution, 'sessions'), sessions.length);
  const shares = sharesIn(
    solution,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  for (const [k, share] of shares.entries()) {
    const found = sizes.filter((size) => size === k + 1).length / sizes.length;
    expect(`the share of batches of ${k + 1}`, share, found, 1);
  }
  for (const [k, said] of observed.correlations.entries()) {
    if (said !== null) expect(`the correlation at lag ${k + 1}`, said, correlation(sessions, k + 1, mean, variance), 1);
  }
  violations.push(...faultsOfMatrices(matrices, shares));
  const process = momentsOf(matrices, fitted.correlations.length);
  expect('the rate of pages', numberIn(solution, 'arrivalRate'), pagesPerBatch / process.mean);
  expect('the mean interval of the process', fitted.mean, process.mean);
  expect('the variance of the process', fitted.variance, process.variance);
  for (const [k, said] of fitted.correlations.entries()) {
    expect(`the process’s correlation at lag ${k + 1}`, said ?? Number.NaN, process.correlations[k], 1);
  }
  expect('the mean interval, observed and fitted,', process.mean, mean);
  if (textIn(statistics, 'solver') !== 'mixed-erlang')
    expect('the variance, observed and fitted,', process.variance, variance);
  return violations;
}

/** The shares of batches of 1, 2, … pages. */
function sharesIn(solution: WireObject, pages: number): number[] {
  const shares: number[] = [];
  for (const each of listIn(solution, 'batchSizes')) {
    const batch = objectAt(each);
    const size = numberIn(batch, 'size');
    if (!(Number.isInteger(size) && size >= 1 && size <= pages)) throw new Unreadable(`no batch has ${size}`);
    shares[size - 1] = numberIn(batch, 'probability');
  }
  return Array.from(shares, (share = 0) => share);
}

interface Session {
  readonly intervals: number[];
  readonly sizes: number[];
}

/** Batches as lists of times; a session ends where the next batch is too far. */
function sessionsOf(request: WireObject): Session[] {
  const timestamps = numbersIn(request, 'timestamps');
  const batchGap = numberIn(request, 'batchGap', 0);
  const sessionGap = numberIn(request, 'sessionGap', Number.POSITIVE_INFINITY);
  const sessions: number[][][] = [];
  for (const time of Array.from(timestamps).sort((a, b) => a - b)) {
    const session = sessions.at(-1);
    const batch = session?.at(-1);
    const gap = time - (batch?.at(-1) ?? Number.NEGATIVE_INFINITY);
    if (batch !== undefined && gap <= batchGap) batch.push(time);
    else if (session !== undefined && gap <= sessionGap) session.push([time]);
    else sessions.push([[time]]);
  }
  return sessions.map((batches) => ({
    sizes: batches.map((batch) => batch.length),
    intervals: batches.slice(1).map(([start], k) => {
      const before = batches[k];
      return start - (request.interval === 'end-to-start' ? before[before.length - 1] : before[0]);
    }),
  }));
}

/** From pairs within a session. */
function correlation(sessions: readonly Session[], lag: number, mean: number, variance: number): number {
  const products = sessions.flatMap(({ intervals }) =>
    intervals.slice(lag).map((x, k) => (x - mean) * (intervals[k] - mean)),
  );
  return products.reduce((sum, product) => sum + product, 0) / products.length / variance;
}

/** D₀ has a negative diagonal and nothing negative beside it, no D_k has anything negative, and all rows sum to 0. */
function faultsOfMatrices(matrices: readonly Matrix[], shares: readonly number[]): string[] {
  const faults: string[] = [];
  if (matrices.length !== shares.length + 1)
    faults.push(`${matrices.length} matrices for ${shares.length} batch sizes`);
  for (const [i, row] of matrices[0].entries()) {
    const leaving = -row[i];
    if (!(leaving > 0)) faults.push(`phase ${i} is never left`);
    const rows = matrices.map((matrix) => matrix[i]);
    const sum = rows.flat().reduce((total, rate) => total + rate, 0);
    if (!(Math.abs(sum) <= tolerance * leaving)) faults.push(`the rates of phase ${i} sum to ${sum}`);
    if (rows.some((rates, k) => rates.some((rate, j) => rate < -tolerance * leaving && !(k === 0 && j === i)))) {
      faults.push(`a rate out of phase ${i} is negative`);
    }
  }
  return faults;
}

/** Rates of the moves that bring a batch, whatever its size. */
function batchRates(matrices: readonly Matrix[]): number[][] {
  return matrices[0].map((row, i) => row.map((_, j) => matrices.slice(1).reduce((sum, each) => sum + each[i][j], 0)));
}

/** The phase in which an interval begins, in the long run. */
function startOfInterval(matrices: readonly Matrix[]): number[] {
  const [d0] = matrices;
  const negative = d0.map((row) => row.map((rate) => -rate));
  const arriving = batchRates(matrices);
  // Columns of P = (−D₀)⁻¹ D₁ are its transpose's rows; φ solves (Pᵀ − I)φ = 0, one equation of which says that Σφ = 1.
  const equations = d0.map((_, j) =>
    solved(
      negative,
      arriving.map((row) => row[j]),
    ).map((p, i) => p - (i === j ? 1 : 0)),
  );
  equations[0] = equations[0].map(() => 1);
  return solved(
    equations,
    d0.map((_, i) => (i === 0 ? 1 : 0)),
  );
}

function momentsOf(matrices: readonly Matrix[], lags: number) {
  const [d0] = matrices;
  const negative = d0.map((row) => row.map((rate) => -rate));
  const arriving = batchRates(matrices);
  const start = startOfInterval(matrices);
  const product = (values: readonly number[]): number => start.reduce((sum, share, i) => sum + share * values[i], 0);
  const first = solved(
    negative,
    d0.map(() => 1),
  );
  const mean = product(first);
  const variance = 2 * product(solved(negative, first)) - mean * mean;
  let ahead: readonly number[] = first.map((value) => value - mean);
  const correlations = Array.from({ length: lags }, () => {
    ahead = solved(
      negative,
      arriving.map((row) => row.reduce((sum, rate, j) => sum + rate * ahead[j], 0)),
    );
    // E X·h(J) with J the phase after X: φ(−D₀)⁻²D₁h, of which (−D₀)⁻¹D₁h is `ahead`.
    return product(solved(negative, ahead)) / variance;
  });
  return { mean, variance, correlations };
}
