/**
 * Where a sequence of distributions leads, each made of the one before by the same map, which is nearly linear.
 *
 * The last four moves are d_j = x_{j+1} − x_j. The method finds their combination Σ w_j d_j, Σ w_j = 1, of least
 * length. The distribution becomes Σ w_j x_{j+1}: what decays slowest is then gone. Four sweeps a time cut their number
 * to a third. Only the map decides when a sequence has ended, so an extrapolation can cost sweeps but no digit of the
 * answer.
 * Source: reduced rank extrapolation, Eddy (1979), Mešina (1977).
 */
import { Matrix, solve } from 'ml-matrix';

const moves = 4;
/** Beyond this sum of |w_j| the differences are too small beside their rounding. */
const mostWeight = 1e4;
/** The share of a move's product with itself that rounding leaves when the move is a combination of others. */
const leastPivot = 1e-14;

export class Extrapolation {
  /** The distributions before the last moves, the oldest first. */
  readonly #before: readonly (readonly Float64Array[])[];
  #kept = 0;
  #helps = true;
  #movedBefore = Number.POSITIVE_INFINITY;

  constructor(levels: readonly Float64Array[]) {
    this.#before = Array.from({ length: moves }, () => levels.map((x) => new Float64Array(x.length)));
  }

  /** To be told of the distribution before each move. */
  keep(levels: readonly Float64Array[]): void {
    if (!this.#helps) return;
    for (const [level, x] of levels.entries()) this.#before[this.#kept][level].set(x);
    this.#kept++;
  }

  /**
   * Extrapolates the distribution after every fourth move. Where a move after that was no shorter than the one before
   * it, there are no more extrapolations.
   *
   * @param moved how much probability the last sweep moved
   */
  advance(levels: readonly Float64Array[], moved: number): void {
    if (!this.#helps) return;
    if (this.#kept === 1 && moved >= this.#movedBefore) this.#helps = false;
    if (this.#kept < moves) return;
    this.#kept = 0;
    this.#movedBefore = moved;
    const weights = this.#weights(levels);
    if (weights !== null) this.#combine(levels, weights);
  }

  /** w; null where the moves do not tell. */
  #weights(levels: readonly Float64Array[]): Float64Array | null {
    const [g00, g01, g02, g03, g11, g12, g13, g22, g23, g33] = this.#products(levels);
    const products = new Matrix([
      [g00, g01, g02, g03],
      [g01, g11, g12, g13],
      [g02, g12, g22, g23],
      [g03, g13, g23, g33],
    ]);
    if (!products.diagonal().every((square) => square > 0)) return null;
    // A move that is a combination of others is taken for one next to it.
    products.add(Matrix.diag(products.diagonal()).mul(leastPivot));
    const weights = Float64Array.from(solve(products, Matrix.ones(moves, 1)).to1DArray());
    let sum = 0;
    for (const weight of weights) sum += weight;
    let size = 0;
    for (let j = 0; j < moves; j++) {
      weights[j] /= sum;
      size += Math.abs(weights[j]);
    }
    return size <= mostWeight ? weights : null;
  }

  /** The products of every two of the moves. */
  #products(levels: readonly Float64Array[]): Float64Array {
    const sums = new Float64Array(10);
    for (const [level, x] of levels.entries()) {
      const [x0, x1, x2, x3] = this.#before.map((kept) => kept[level]);
      for (let at = 0; at < x.length; at++) {
        const d0 = x1[at] - x0[at];
        const d1 = x2[at] - x1[at];
        const d2 = x3[at] - x2[at];
        const d3 = x[at] - x3[at];
        sums[0] += d0 * d0;
        sums[1] += d0 * d1;
        sums[2] += d0 * d2;
        sums[3] += d0 * d3;
        sums[4] += d1 * d1;
        sums[5] += d1 * d2;
        sums[6] += d1 * d3;
        sums[7] += d2 * d2;
        sums[8] += d2 * d3;
        sums[9] += d3 * d3;
      }
    }
    return sums;
  }

  /** A share that would fall below 0 stays as the last move left it. */
  #combine(levels: readonly Float64Array[], [w0, w1, w2, w3]: Float64Array): void {
    for (const [level, x] of levels.entries()) {
      const [, x1, x2, x3] = this.#before.map((kept) => kept[level]);
      for (let at = 0; at < x.length; at++) {
        const share = w0 * x1[at] + w1 * x2[at] + w2 * x3[at] + w3 * x[at];
        if (share >= 0) x[at] = share;
      }
    }
  }
}
