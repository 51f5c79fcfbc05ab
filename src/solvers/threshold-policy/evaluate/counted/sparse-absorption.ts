/**
 * Absorbing chains with many states and few moves from each: chances of absorption by block Gauss–Seidel.
 *
 * Model: states in blocks of b that follow each other (the phases of arrivals and service change fast inside a block).
 * The rates to other states are moves[i], those of absorption absorbing[kind][i]. The chance x solves out_i·x_i = Σ_j
 * rate_ij·x_j + absorbing_i. Blocks are solved exactly (state reduction), sweeps go down and up in turn, from x = 0, so
 * the iterates rise to the solution.
 * Stops when what is left, estimated by the last ratio of changes as a geometric series, is below 1e−13.
 * Cost of a sweep: the number of moves plus b for each state. Memory: 12 bytes a move, 8·b a state.
 */
import { type Budget, NothingToReturn } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';

const left = 1e-13;

/** Moves in rows: those of state i at start[i]..start[i + 1] − 1. */
export interface SparseMoves {
  readonly start: Int32Array;
  readonly to: Int32Array;
  readonly rate: Float64Array;
}

/** Collects moves row by row, in the order of the states. */
export class MoveList {
  readonly #start: number[] = [0];
  readonly #to: number[] = [];
  readonly #rate: number[] = [];

  add(to: number, rate: number): void {
    if (!(rate > 0)) return;
    this.#to.push(to);
    this.#rate.push(rate);
  }

  /** Ends the row of a state. */
  endRow(): void {
    this.#start.push(this.#to.length);
  }

  finish(): SparseMoves {
    return {
      start: Int32Array.from(this.#start),
      to: Int32Array.from(this.#to),
      rate: Float64Array.from(this.#rate),
    };
  }
}

/**
 * Chances of each kind of absorption from every state.
 *
 * @param b size of the blocks; the number of states is a multiple of it
 * @throws NothingToReturn when the budget ends first
 */
export function absorptionChances(
  moves: SparseMoves,
  absorbing: readonly Float64Array[],
  b: number,
  budget: Budget,
): Float64Array[] {
  const inverses = blockInverses(moves, absorbing, b);
  return absorbing.map((source) => solveKind(moves, source, inverses, b, budget));
}

function blockInverses({ start, to, rate }: SparseMoves, absorbing: readonly Float64Array[], b: number): Float64Array {
  const n = start.length - 1;
  const inverses = new Float64Array(n * b);
  const rates = new Float64Array(b * b);
  const exit = new Float64Array(b);
  for (let block = 0; block < n; block += b) {
    const inverse = inverses.subarray(block * b, (block + b) * b);
    rates.fill(0);
    for (let i = 0; i < b; i++) {
      inverse[i * b + i] = 1;
      exit[i] = 0;
      for (const kind of absorbing) exit[i] += kind[block + i];
      for (let at = start[block + i]; at < start[block + i + 1]; at++) {
        const inside = to[at] - block;
        if (inside >= 0 && inside < b) rates[i * b + inside] += rate[at];
        else exit[i] += rate[at];
      }
    }
    solveByStateReduction(rates, exit, inverse, b, b);
  }
  return inverses;
}

function solveKind(
  { start, to, rate }: SparseMoves,
  source: Float64Array,
  inverses: Float64Array,
  b: number,
  budget: Budget,
): Float64Array {
  const n = start.length - 1;
  const x = new Float64Array(n);
  const inflow = new Float64Array(b);
  let before = Number.POSITIVE_INFINITY;
  for (let sweep = 0; ; sweep++) {
    let change = 0;
    for (let step = 0; step < n; step += b) {
      const block = sweep % 2 === 0 ? step : n - b - step;
      for (let i = 0; i < b; i++) {
        let sum = source[block + i];
        for (let at = start[block + i]; at < start[block + i + 1]; at++) {
          const target = to[at];
          if (target < block || target >= block + b) sum += rate[at] * x[target];
        }
        inflow[i] = sum;
      }
      for (let i = 0; i < b; i++) {
        let value = 0;
        for (let k = 0; k < b; k++) value += inverses[(block + i) * b + k] * inflow[k];
        change = Math.max(change, Math.abs(value - x[block + i]));
        x[block + i] = value;
      }
    }
    const ratio = Math.min(change / before, 1 - 1e-9);
    if (change === 0 || (sweep > 2 && (change * ratio) / (1 - ratio) < left)) return x;
    // Rounding may keep the last bits moving.
    if (change < 1e-15) return x;
    before = change;
    if (budget.stopRequested()) throw new NothingToReturn('the chances of waiting pages had not settled');
  }
}
