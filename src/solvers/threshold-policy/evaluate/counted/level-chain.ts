/**
 * Chains whose states stand in levels of different sizes, moving up any number of levels (at most k) and down by one.
 * Block elimination from the top level down gives the stationary distribution.
 *
 * Symbols: n_i states of level i · within[i] n_i×n_i · up[i][l−1] n_i×n_{i+l} · down[i] n_i×n_{i−1}, rates, diagonals
 * ignored. State reduction throughout (small-matrices.ts), so no subtraction. Cost O(Σ_i k·n_i²·n_{i−1} + n_i³).
 * Source: as stationary.ts; the levels may differ in size.
 */
import { type Budget, type Poll, pollOf } from '../../../budget.ts';
import {
  addProduct,
  identityOf,
  solveByStateReduction,
  stationaryByStateReduction,
} from '../../../numerics/linear/small-matrices.ts';

export interface LevelChain {
  readonly sizes: readonly number[];
  readonly within: readonly Float64Array[];
  /** up[level][l − 1]: to level + l. */
  readonly up: readonly (readonly Float64Array[])[];
  /** down[level]: to level − 1; down[0] is empty. */
  readonly down: readonly Float64Array[];
}

/** An empty chain of these sizes; `steps[level]` is how far up the level leads. */
export function emptyChain(sizes: readonly number[], steps: (level: number) => number) {
  return {
    sizes,
    within: sizes.map((n) => new Float64Array(n * n)),
    up: sizes.map((n, level) =>
      Array.from({ length: steps(level) }, (_, l) => new Float64Array(n * sizes[level + l + 1])),
    ),
    down: sizes.map((n, level) => new Float64Array(level === 0 ? 0 : n * sizes[level - 1])),
  };
}

/** out += A·B, A rows×inner, B inner×columns. */
function addProductTo(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  poll?: Poll,
): void {
  for (let r = 0; r < rows; r++) {
    poll?.(inner * columns);
    addProduct(out, r * columns, a, r * inner, b, 0, 1, inner, columns);
  }
}

/**
 * The stationary distribution of each level; all of them sum to 1.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function stationaryOfLevels(chain: LevelChain, budget: Budget): Float64Array[] {
  const { sizes } = chain;
  const poll = pollOf(budget, 'the distribution of the queue had not been computed');
  const top = sizes.length - 1;
  const fall: Float64Array[] = [];
  const inverse: Float64Array[] = [];
  const first = new Float64Array(sizes[0]);
  for (let level = top; level >= 0; level--) {
    const n = sizes[level];
    const rates = gather(chain, fall, level, poll);
    if (level === 0) {
      stationaryByStateReduction(rates, first, n);
      break;
    }
    const below = sizes[level - 1];
    const exit = rowSums(chain.down[level], n, below);
    const inverted = identityOf(n);
    solveByStateReduction(rates, exit, inverted, n, n, poll);
    inverse[level] = inverted;
    fall[level] = new Float64Array(n * below);
    addProductTo(fall[level], inverted, chain.down[level], n, n, below, poll);
  }
  const distributions: Float64Array[] = [first];
  const inflow = sizes.map((n) => new Float64Array(n));
  for (let level = 0; level <= top; level++) {
    const n = sizes[level];
    if (level > 0) {
      distributions.push(new Float64Array(n));
      addProductTo(distributions[level], inflow[level], inverse[level], 1, n, n);
    }
    const up = chain.up[level];
    let moving = new Float64Array(0);
    for (let l = up.length; l > 0; l--) {
      const next = new Float64Array(sizes[level + l]);
      if (moving.length > 0) addProductTo(next, moving, fall[level + l + 1], 1, moving.length, next.length);
      addProductTo(next, distributions[level], up[l - 1], 1, n, next.length);
      for (let i = 0; i < next.length; i++) inflow[level + l][i] += next[i];
      moving = next;
    }
    keepInRange(distributions, inflow);
  }
  let total = 0;
  for (const distribution of distributions) for (const share of distribution) total += share;
  for (const distribution of distributions) for (let i = 0; i < distribution.length; i++) distribution[i] /= total;
  return distributions;
}

/** Rates inside a level once the levels above are eliminated. */
function gather(
  { sizes, within, up }: LevelChain,
  fall: readonly Float64Array[],
  level: number,
  poll: Poll,
): Float64Array {
  const n = sizes[level];
  let carried: Float64Array | null = null;
  for (let l = up[level].length; l >= 0; l--) {
    const next: Float64Array = (l === 0 ? within[level] : up[level][l - 1]).slice();
    if (carried !== null)
      addProductTo(next, carried, fall[level + l + 1], n, sizes[level + l + 1], sizes[level + l], poll);
    carried = next;
  }
  return carried ?? within[level].slice();
}

function rowSums(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const sums = new Float64Array(rows);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) sums[i] += matrix[i * columns + j];
  return sums;
}

/** Under heavy load the unnormalised distribution grows geometrically. */
function keepInRange(distributions: readonly Float64Array[], inflow: readonly Float64Array[]): void {
  const large = 1e200;
  if (!distributions[distributions.length - 1].some((share) => share > large)) return;
  for (const vector of [...distributions, ...inflow]) for (let i = 0; i < vector.length; i++) vector[i] /= large;
}
