/**
 * Chains whose states stand in levels of different sizes, moving up any number of levels (at most k) and down by one:
 * stationary law, and what happens before absorption, by block elimination from the top level down.
 *
 * Symbols: n_i states of level i · within[i] n_i×n_i · up[i][l−1] n_i×n_{i+l} · down[i] n_i×n_{i−1}, rates, diagonals
 * ignored. State reduction throughout (small-matrices.ts), so no subtraction. Cost O(Σ_i k·n_i²·n_{i−1} + n_i³).
 * Source: as stationary.ts; the levels may differ in size.
 */
import { solveByStateReduction, stationaryByStateReduction } from './small-matrices.ts';

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
): void {
  for (let r = 0; r < rows; r++) {
    const target = r * columns;
    for (let k = 0; k < inner; k++) {
      const factor = a[r * inner + k];
      if (factor === 0) continue;
      const source = k * columns;
      for (let c = 0; c < columns; c++) out[target + c] += factor * b[source + c];
    }
  }
}

/** The stationary law of each level; all of them sum to 1. */
export function stationaryOfLevels(chain: LevelChain): Float64Array[] {
  const { sizes } = chain;
  const top = sizes.length - 1;
  const fall: Float64Array[] = [];
  const inverse: Float64Array[] = [];
  const first = new Float64Array(sizes[0]);
  for (let level = top; level >= 0; level--) {
    const n = sizes[level];
    const rates = gather(chain, fall, level);
    if (level === 0) {
      stationaryByStateReduction(rates, first, n);
      break;
    }
    const below = sizes[level - 1];
    const exit = rowSums(chain.down[level], n, below);
    const inverted = new Float64Array(n * n);
    for (let i = 0; i < n; i++) inverted[i * n + i] = 1;
    solveByStateReduction(rates, exit, inverted, n, n);
    inverse[level] = inverted;
    fall[level] = new Float64Array(n * below);
    addProductTo(fall[level], inverted, chain.down[level], n, n, below);
  }
  const laws: Float64Array[] = [first];
  const inflow = sizes.map((n) => new Float64Array(n));
  for (let level = 0; level <= top; level++) {
    const n = sizes[level];
    if (level > 0) {
      laws.push(new Float64Array(n));
      addProductTo(laws[level], inflow[level], inverse[level], 1, n, n);
    }
    const up = chain.up[level];
    let moving = new Float64Array(0);
    for (let l = up.length; l > 0; l--) {
      const next = new Float64Array(sizes[level + l]);
      if (moving.length > 0) addProductTo(next, moving, fall[level + l + 1], 1, moving.length, next.length);
      addProductTo(next, laws[level], up[l - 1], 1, n, next.length);
      for (let i = 0; i < next.length; i++) inflow[level + l][i] += next[i];
      moving = next;
    }
    keepInRange(laws, inflow);
  }
  let total = 0;
  for (const law of laws) for (const share of law) total += share;
  for (const law of laws) for (let i = 0; i < law.length; i++) law[i] /= total;
  return laws;
}

/**
 * Probability of each kind of absorption from every state, for a chain without return: `absorbing[kind][level]` are the
 * rates of absorption, level 0 included; down[0] is not used.
 */
export function absorptionOfLevels(
  chain: LevelChain,
  absorbing: readonly (readonly Float64Array[])[],
): Float64Array[][] {
  const { sizes } = chain;
  const kinds = absorbing.length;
  const top = sizes.length - 1;
  // From level i: the phase in which level i − 1 is reached, then the kinds of absorption before that.
  const fall: Float64Array[] = [];
  for (let level = top; level >= 0; level--) {
    const n = sizes[level];
    const below = level === 0 ? 0 : sizes[level - 1];
    const width = below + kinds;
    const excursions = gatherWithKinds(chain, fall, level, kinds);
    const right = new Float64Array(n * width);
    const exit = new Float64Array(n);
    const rates = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) rates[i * n + j] = excursions[i * (n + kinds) + j];
      for (let j = 0; j < below; j++) right[i * width + j] = chain.down[level][i * below + j];
      for (let kind = 0; kind < kinds; kind++) {
        right[i * width + below + kind] = excursions[i * (n + kinds) + n + kind] + absorbing[kind][level][i];
      }
      for (let c = 0; c < width; c++) exit[i] += right[i * width + c];
    }
    solveByStateReduction(rates, exit, right, n, width);
    fall[level] = right;
  }
  const result: Float64Array[][] = absorbing.map(() => []);
  for (let level = 0; level <= top; level++) {
    const n = sizes[level];
    const below = level === 0 ? 0 : sizes[level - 1];
    const width = below + kinds;
    for (let kind = 0; kind < kinds; kind++) {
      const chance = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        let sum = fall[level][i * width + below + kind];
        for (let j = 0; j < below; j++) sum += fall[level][i * width + j] * result[kind][level - 1][j];
        chance[i] = sum;
      }
      result[kind].push(chance);
    }
  }
  return result;
}

/** Rates inside a level once the levels above are eliminated. */
function gather({ sizes, within, up }: LevelChain, fall: readonly Float64Array[], level: number): Float64Array {
  const n = sizes[level];
  let carried: Float64Array | null = null;
  for (let l = up[level].length; l >= 0; l--) {
    const next: Float64Array = (l === 0 ? within[level] : up[level][l - 1]).slice();
    if (carried !== null) addProductTo(next, carried, fall[level + l + 1], n, sizes[level + l + 1], sizes[level + l]);
    carried = next;
  }
  return carried ?? within[level].slice();
}

/** As {@link gather}, n + kinds columns: the kinds of absorption during excursions above stand last. */
function gatherWithKinds(
  { sizes, within, up }: LevelChain,
  fall: readonly Float64Array[],
  level: number,
  kinds: number,
): Float64Array {
  const n = sizes[level];
  let carried: Float64Array | null = null;
  for (let l = up[level].length; l >= 0; l--) {
    const columns = sizes[level + l];
    const block = l === 0 ? within[level] : up[level][l - 1];
    const next: Float64Array = new Float64Array(n * (columns + kinds));
    const above: number = columns + kinds;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < columns; j++) next[i * above + j] = block[i * columns + j];
      if (carried === null) continue;
      const higher = sizes[level + l + 1];
      const row = i * (higher + kinds);
      for (let kind = 0; kind < kinds; kind++) next[i * above + columns + kind] = carried[row + higher + kind];
      for (let k = 0; k < higher; k++) {
        const rate: number = carried[row + k];
        if (rate === 0) continue;
        for (let c = 0; c < above; c++) next[i * above + c] += rate * fall[level + l + 1][k * above + c];
      }
    }
    carried = next;
  }
  return carried ?? new Float64Array(0);
}

function rowSums(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const sums = new Float64Array(rows);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) sums[i] += matrix[i * columns + j];
  return sums;
}

/** Under heavy load the unnormalised law grows geometrically. */
function keepInRange(laws: readonly Float64Array[], inflow: readonly Float64Array[]): void {
  const large = 1e200;
  if (!laws[laws.length - 1].some((share) => share > large)) return;
  for (const vector of [...laws, ...inflow]) for (let i = 0; i < vector.length; i++) vector[i] /= large;
}
