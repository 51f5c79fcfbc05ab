/** Long-run cost of a small Markov chain: a search finds the states, elimination solves the balance equations. */

/** Cost rate of a state, and its transitions with their rates. */
export interface StateRates {
  readonly cost: number;
  readonly moves: readonly (readonly [rate: number, to: readonly number[]])[];
}

export function longRunCost(start: readonly number[], ratesOf: (state: readonly number[]) => StateRates): number {
  const states = [start];
  const number = new Map([[start.join(), 0]]);
  const costs: number[] = [];
  const rates: [from: number, to: number, rate: number][] = [];
  for (let at = 0; at < states.length; at++) {
    const { cost, moves } = ratesOf(states[at]);
    costs.push(cost);
    for (const [rate, to] of moves) {
      if (!(rate > 0)) continue;
      const stateIndex = number.get(to.join()) ?? states.push(to) - 1;
      number.set(to.join(), stateIndex);
      rates.push([at, stateIndex, rate]);
    }
  }
  const n = states.length;
  // Σ_i p_i q_ij = 0 for all j but the last, in whose place Σ p = 1
  const rows = Array.from({ length: n }, () => new Float64Array(n + 1));
  for (const [from, to, rate] of rates) {
    rows[to][from] += rate;
    rows[from][from] -= rate;
  }
  rows[n - 1].fill(1);
  const shares = eliminate(rows);
  return costs.reduce((sum, cost, i) => sum + cost * shares[i], 0);
}

/** Solves a linear system by Gaussian elimination with partial pivoting. */
function eliminate(rows: Float64Array[]): number[] {
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      if (factor !== 0) for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const values = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let j = k + 1; j < n; j++) sum -= rows[k][j] * values[j];
    values[k] = sum / rows[k][k];
  }
  return values;
}
