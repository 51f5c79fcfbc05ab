/**
 * The cheapest mixture of columns that keeps some limits on average: minimise Σ α_k c_k + Σ P_i z_i over α, z ≥ 0 with
 * Σ α_k = 1 and Σ α_k g_ki ≤ z_i + ε_i. P_i is the price of exceeding limit i. A small ε_i makes the multiplier of a
 * limit that is just met the most that loosening it saves, and not what tightening it costs.
 *
 * Method: primal simplex on a basis of m + 1 columns, its system solved afresh each time (m ≤ 4). The most negative
 * reduced cost enters; after a while Bland's rule chooses, so that it cannot cycle.
 * Source: Dantzig (1963); Bland (1977).
 */
import { LuDecomposition, Matrix } from 'ml-matrix';

interface MixedColumn {
  readonly cost: number;
  /** By how much each limit is exceeded; negative where it is kept. */
  readonly excess: readonly number[];
}

export interface Mixture {
  /** α, one for each column. */
  readonly shares: readonly number[];
  readonly value: number;
  /** What a unit of excess of each limit costs: 0..P_i. */
  readonly multipliers: readonly number[];
  /** By how much each limit is exceeded by the mixture. */
  readonly exceeded: readonly number[];
}

const rounding = 1e-12;
const impatience = 60;
/** What has no more than this share of a mixture is no part of it. */
const keptShare = 1e-9;

/** @param loosened ε, one for each limit; 0 when left out */
export function cheapestMixture(
  columns: readonly MixedColumn[],
  penalties: readonly number[],
  loosened: readonly number[] = [],
): Mixture {
  const m = penalties.length;
  const rows = m + 1;
  // Columns of the program: mixtures, then z, then slacks; the last row is the sum of the shares.
  const unit = (i: number, sign: number): number[] => Array.from({ length: rows }, (_, row) => (row === i ? sign : 0));
  const program = [
    ...columns.map(({ cost, excess }) => ({ cost, entries: [...excess, 1] })),
    ...penalties.map((penalty, i) => ({ cost: penalty, entries: unit(i, -1) })),
    ...penalties.map((_, i) => ({ cost: 0, entries: unit(i, 1) })),
  ];
  const right = unit(m, 1).map((one, row) => loosened[row] ?? one);
  const n = columns.length;
  const isExcess = (column: number): boolean => column >= n && column < n + m;
  let basis = [0, ...penalties.map((_, i) => (columns[0].excess[i] > 0 ? n + i : n + m + i))];
  for (let step = 0; ; step++) {
    const rowsOfBasis = new Matrix(basis.map((column) => program[column].entries));
    const system = new LuDecomposition(rowsOfBasis.transpose());
    const values = solved(system, right);
    const duals = solved(
      new LuDecomposition(rowsOfBasis),
      basis.map((column) => program[column].cost),
    );
    const reduced = program.map(({ cost, entries }) => cost - entries.reduce((sum, x, row) => sum + x * duals[row], 0));
    const scale = program.map(({ cost, entries }) =>
      entries.reduce((sum, x, row) => sum + Math.abs(x * duals[row]), Math.abs(cost)),
    );
    const better = reduced.flatMap((value, j) =>
      value < -rounding * Math.max(scale[j], 1e-300) && !basis.includes(j) ? [j] : [],
    );
    const entering =
      step > impatience
        ? better[0]
        : better.reduce((best, j) => (best < 0 || reduced[j] < reduced[best] ? j : best), -1);
    if (entering === undefined || entering < 0 || step > 20 * impatience) {
      const share = (j: number): number => Math.max(0, values[basis.indexOf(j)] ?? 0);
      return {
        shares: columns.map((_, j) => share(j)),
        value: basis.reduce((sum, j, i) => sum + program[j].cost * values[i], 0),
        multipliers: penalties.map((_, i) => Math.max(0, -duals[i])),
        exceeded: penalties.map((_, i) => share(n + i)),
      };
    }
    const direction = solved(system, program[entering].entries);
    const ratios = values.map((value, i) => (direction[i] > 1e-14 ? value / direction[i] : Number.POSITIVE_INFINITY));
    const least = ratios.reduce((smallest, ratio) => Math.min(smallest, ratio));
    // Of those that reach 0 together an excess leaves first: what is not exceeded has no price.
    const tied = ratios.flatMap((ratio, i) => (ratio <= least + rounding * Math.abs(least) ? [i] : []));
    const leaving = least < Number.POSITIVE_INFINITY ? (tied.find((i) => isExcess(basis[i])) ?? tied[0]) : -1;
    if (leaving < 0) throw new RangeError('a mixture whose shares sum to 1 is bounded');
    basis = basis.with(leaving, entering);
  }
}

function solved(system: LuDecomposition, right: readonly number[]): number[] {
  return system.solve(Matrix.columnVector(right)).to1DArray();
}

/** What is mixed, the largest share first; shares sum to 1. @param shares one for each candidate, or for the first */
export function mixedParts<Part>(candidates: readonly Part[], shares: readonly number[]) {
  const parts = shares
    .map((share, k) => ({ share, part: candidates[k] }))
    .filter(({ share }) => share > keptShare)
    .sort((a, b) => b.share - a.share);
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  return parts.map(({ share, part }) => ({ share: share / total, part }));
}
