/**
 * The conditions of a batch Markovian arrival process {D_0, D_1, …}, checked where the matrices enter. They are square
 * matrices of one size, no negative rate, rows of ΣD_k that sum to 0, an irreducible ΣD_k, and some arrivals.
 */
import { recurrentClasses } from '../chain/index.ts';
import { ConditionNotMet } from '../condition.ts';
import { stationaryByStateReduction } from '../numerics/linear/state-reduction.ts';
import type { Matrix } from './queue.ts';

type Path = readonly (string | number)[];

/** Largest sum of a row of ΣD_k, as a share of the row's diagonal rate, that is taken as 0. */
const rowTolerance = 1e-9;
/** A refusal shows a matrix of at most this many numbers. */
const maxShownCells = 64;

/** Paths in the request: of a process, and of each of its matrices (`at(k)` is that of D_k). */
interface ProcessPaths {
  readonly process: Path;
  at(batch: number): Path;
}

/** A process whose matrices stand in one list `matrices: [D0, D1, …]` below `path`. */
export function matrixPaths(path: Path): ProcessPaths {
  return { process: [...path, 'matrices'], at: (batch) => [...path, 'matrices', batch] };
}

/** A square matrix flattened row by row, after checking that it is n×n. */
function flatten(matrix: Matrix, n: number, path: Path): Float64Array {
  if (matrix.length !== n) {
    throw new ConditionNotMet(path, 'wrong-size', `has ${matrix.length} rows; expected ${n}, as D0 has`);
  }
  const flat = new Float64Array(n * n);
  for (const [i, row] of matrix.entries()) flat.set(row, i * n);
  return flat;
}

/**
 * Checks one process and returns its matrices, flat, the diagonal of D_0 made exact.
 *
 * @param matrices D_0, D_1, …
 * @throws ConditionNotMet for the first condition that is not met
 */
export function checkProcess(matrices: readonly Matrix[], paths: ProcessPaths): Float64Array[] {
  const flat = checkGenerator(matrices, paths);
  checkIrreducible(flat, matrices[0].length, paths);
  if (!flat.slice(1).some((matrix) => matrix.some((rate) => rate > 0))) {
    throw new ConditionNotMet(
      paths.process,
      'no-arrivals',
      'brings no pages: D1, D2, … are all 0 or missing; give some rate above 0',
    );
  }
  return flat;
}

/** As {@link checkProcess}, but the process may bring no pages, and its phases need not change. */
export function checkGenerator(matrices: readonly Matrix[], paths: ProcessPaths): Float64Array[] {
  const n = matrices[0].length;
  const flat = matrices.map((matrix, batch) => flatten(matrix, n, paths.at(batch)));
  checkSigns(flat, n, paths);
  balanceRows(flat, n, paths);
  return flat;
}

function checkSigns(flat: readonly Float64Array[], n: number, paths: ProcessPaths): void {
  for (const [batch, matrix] of flat.entries()) {
    for (const [cell, rate] of matrix.entries()) {
      const [row, column] = [Math.floor(cell / n), cell % n];
      if ((batch > 0 || row !== column) && !(rate >= 0)) {
        throw new ConditionNotMet(
          [...paths.at(batch), row, column],
          'negative-rate',
          `is ${rate}; rates cannot be negative (only the diagonal of D0 is)`,
        );
      }
    }
  }
}

/** Makes the diagonal of D_0 exact, where each row of ΣD_k sums to 0 within the tolerance. */
function balanceRows(flat: readonly Float64Array[], n: number, paths: ProcessPaths): void {
  const [d0] = flat;
  const requestDiagonal = Float64Array.from({ length: n }, (_, row) => d0[row * n + row]);
  for (let row = 0; row < n; row++) {
    let exitRate = 0;
    for (const [batch, matrix] of flat.entries()) {
      for (let column = 0; column < n; column++) {
        if (batch > 0 || column !== row) exitRate += matrix[row * n + column];
      }
    }
    d0[row * n + row] = -exitRate;
  }
  const wrongRow = requestDiagonal.findIndex((diagonal, row) => {
    const exactDiagonal = d0[row * n + row];
    return !(Math.abs(diagonal - exactDiagonal) <= rowTolerance * Math.max(-exactDiagonal, Math.abs(diagonal)));
  });
  if (wrongRow < 0) return;
  const diagonal = requestDiagonal[wrongRow];
  const exactDiagonal = d0[wrongRow * n + wrongRow];
  const message =
    `row ${wrongRow} of ΣD_k sums to ${diagonal - exactDiagonal}; it must sum to 0: the diagonal of D0 should be ${exactDiagonal}, ` +
    `not ${diagonal}. ${balancedMatrix(d0, n)} would do`;
  throw new ConditionNotMet([...paths.at(0), wrongRow], 'row-sum', message);
}

/** D_0 with the corrected diagonal, for a refusal: the whole matrix, or of a large one the diagonal alone. */
function balancedMatrix(d0: Float64Array, n: number): string {
  if (n * n > maxShownCells) return `The diagonal [${Array.from({ length: n }, (_, row) => d0[row * n + row])}]`;
  const rows = Array.from({ length: n }, (_, row) => [...d0.subarray(row * n, (row + 1) * n)]);
  return `D0 = ${JSON.stringify(rows)}`;
}

function checkIrreducible(flat: readonly Float64Array[], n: number, paths: ProcessPaths): void {
  const begins = new Int32Array(n + 1);
  const targets: number[] = [];
  for (let row = 0; row < n; row++) {
    for (let to = 0; to < n; to++) {
      if (to !== row && flat.some((matrix) => matrix[row * n + to] > 0)) targets.push(to);
    }
    begins[row + 1] = targets.length;
  }
  const [closedClass] = recurrentClasses({ begins, targets: Int32Array.from(targets) });
  if (closedClass.length === n) return;
  const transientPhase = Array.from({ length: n }, (_, phase) => phase).find((phase) => !closedClass.includes(phase));
  throw new ConditionNotMet(
    paths.process,
    'reducible',
    `is reducible: arrival phase ${transientPhase} is never reached from phase ${closedClass[0]}; link the phases, or give each recurrent ` +
      'class as a process of its own',
  );
}

/** ΣD_k over the batches, k > 0. */
export function batchRates(matrices: readonly Float64Array[]): Float64Array {
  const rates = new Float64Array(matrices[0].length);
  for (const matrix of matrices.slice(1)) for (const [cell, rate] of matrix.entries()) rates[cell] += rate;
  return rates;
}

/** θ, the stationary distribution of ΣD_k. O(W³). */
export function phaseLawOf(matrices: readonly Float64Array[]): Float64Array {
  const n = Math.round(Math.sqrt(matrices[0].length));
  const total = new Float64Array(n * n);
  const law = new Float64Array(n);
  for (const matrix of matrices) for (let cell = 0; cell < n * n; cell++) total[cell] += matrix[cell];
  stationaryByStateReduction(total, law, n);
  return law;
}

/** Fundamental rate λ = θ·Σ k·D_k·e of a process, θ the stationary distribution of ΣD_k. O(W³). */
export function fundamentalRate(matrices: readonly Float64Array[]): number {
  const law = phaseLawOf(matrices);
  const n = law.length;
  let rate = 0;
  for (const [batch, matrix] of matrices.entries()) {
    for (let cell = 0; cell < n * n; cell++) if (batch > 0) rate += batch * law[Math.floor(cell / n)] * matrix[cell];
  }
  return rate;
}
