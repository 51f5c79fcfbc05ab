/**
 * A small dense Markov chain reduced to one state (numerics/linear/state-reduction.ts), with costs carried along.
 *
 * `rates` is n × n, row-major, off-diagonal transition rates; the diagonal is ignored. O(n³/3) multiply-adds.
 */
import { eliminateState, keepWithinDoubles } from '../../../numerics/linear/state-reduction.ts';

/** Where the last state stands after reduction, and what a cycle through it collects. */
export interface ReducedChain {
  /** Position of every eliminated state in order, the reference last. */
  readonly order: Int32Array;
  /** Rates after elimination, row-major over positions. */
  readonly rates: Float64Array;
  /** Per position, the total rate out to the positions before it in elimination (its pivot). */
  readonly pivots: Float64Array;
  /** Costs after elimination, right-hand side d at d·n, over positions. */
  readonly costs: Float64Array;
}

/**
 * Eliminates every state but `reference`, which all states must reach. Position 0 is the reference; eliminated from
 * position n − 1 down. `poll` is called about every million steps.
 */
export function reduceChain(
  rates: Float64Array,
  costs: Float64Array,
  count: number,
  n: number,
  reference: number,
  poll: () => void,
): ReducedChain {
  const order = new Int32Array(n);
  order[0] = reference;
  for (let i = 0, at = 1; i < n; i++) if (i !== reference) order[at++] = i;
  const a = new Float64Array(n * n);
  const b = new Float64Array(count * n);
  for (let i = 0; i < n; i++) {
    const row = order[i] * n;
    for (let j = 0; j < n; j++) a[i * n + j] = rates[row + order[j]];
    for (let d = 0; d < count; d++) b[d * n + i] = costs[d * n + order[i]];
  }
  const pivots = new Float64Array(n);
  let steps = 0;
  for (let x = n - 1; x >= 1; x--) {
    steps += x * x;
    if (steps > 1e6) {
      poll();
      steps = 0;
    }
    const pivot = eliminateState(a, n, 0, x, 0, x - 1, 0);
    pivots[x] = pivot;
    for (let i = 0; i < x; i++) {
      const share = a[i * n + x] / pivot;
      if (share === 0) continue;
      for (let d = 0; d < count; d++) b[d * n + i] += share * b[d * n + x];
    }
  }
  return { order, rates: a, pivots, costs: b };
}

/**
 * Stationary weights by state, up to a common factor (time-average proportions when rates are per time). Scaled down on
 * the way where the reference is so rare that the others would overflow.
 */
export function stationaryWeights({ order, rates, pivots }: ReducedChain): Float64Array {
  const n = order.length;
  const byPosition = new Float64Array(n);
  byPosition[0] = 1;
  for (let x = 1; x < n; x++) {
    let inflow = 0;
    for (let i = 0; i < x; i++) inflow += byPosition[i] * rates[i * n + x];
    byPosition[x] = inflow / pivots[x];
    keepWithinDoubles(byPosition, x);
  }
  const weights = new Float64Array(n);
  for (let x = 0; x < n; x++) weights[order[x]] = byPosition[x];
  return weights;
}

/** Relative values for the costs `cost − excess·time` (right-hand sides 0 and 1), 0 at the reference. */
export function relativeValuesOf({ order, rates, pivots, costs }: ReducedChain, excess: number): Float64Array {
  const n = order.length;
  const byPosition = new Float64Array(n);
  for (let x = 1; x < n; x++) {
    let value = costs[x] - excess * costs[n + x];
    for (let j = 1; j < x; j++) value += rates[x * n + j] * byPosition[j];
    byPosition[x] = value / pivots[x];
  }
  const values = new Float64Array(n);
  for (let x = 0; x < n; x++) values[order[x]] = byPosition[x];
  return values;
}
