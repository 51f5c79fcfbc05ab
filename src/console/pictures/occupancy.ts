/**
 * Where a switching curve makes the system spend its time: the stationary law of (queue length, active crawlers) of the
 * reduced chain of activation-policy, state after the decision. Block Gauss–Seidel: each row of constant active crawlers is a
 * birth-death chain with flows from its neighbours, solved exactly; the rows are swept up and down until nothing moves. After
 * each sweep the weights of the rows are put right by the balance of flow over every cut between neighbouring rows, without
 * which rows that seldom exchange anything would take for ever.
 */

export interface Occupancy {
  /** Active crawlers of the first row. */
  readonly from: number;
  /** Probability of queue length q and `from + i` active crawlers at [i][q]. */
  readonly rows: readonly Float64Array[];
}

export interface SwitchedQueue {
  /** Pages per time unit and active crawler. */
  readonly crawlerRate: number;
  readonly indexingRate: number;
  /** R[0..K]: activate one more while fewer than R[new queue length] are active. */
  readonly targets: readonly number[];
  readonly crawlers: number;
  /** Fewest and most active in the long run. */
  readonly fewest: number;
  readonly most: number;
}

const sweeps = 4000;

/** The stationary law, or null where the sweeps did not settle. */
export function occupancyOf(queue: SwitchedQueue): Occupancy | null {
  const { crawlerRate, indexingRate: mu, targets, crawlers, fewest, most } = queue;
  const width = targets.length;
  const last = width - 1;
  const count = most - fewest + 1;
  if (!(count > 0) || count * width > 200_000) return null;
  const rows = Array.from({ length: count }, () => new Float64Array(width).fill(1 / (count * width)));
  const lower = new Float64Array(width);
  const diagonal = new Float64Array(width);
  const upper = new Float64Array(width);
  const inflow = new Float64Array(width);
  const stays = (active: number, q: number): boolean => active - 1 < targets[Math.min(q + 1, last)];
  const adds = (active: number, q: number): boolean => active < targets[q - 1] && active < crawlers;
  const before = new Float64Array(count * width);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let k = 0; k < 2 * count; k++) {
      const i = k < count ? k : 2 * count - 1 - k;
      const active = fewest + i;
      const arrivals = crawlerRate * active;
      lower.fill(0);
      upper.fill(0);
      inflow.fill(0);
      for (let q = 0; q < width; q++) {
        const full = q === last;
        diagonal[q] = (full && stays(active, q) ? 0 : arrivals) + (q > 0 ? mu : 0);
        if (q > 0 && stays(active, q - 1)) lower[q] = arrivals;
        if (q < last && !adds(active, q + 1)) upper[q] = mu;
      }
      if (i + 1 < count) {
        const above = crawlerRate * (active + 1);
        for (let q = 0; q < width; q++) {
          if (!stays(active + 1, q)) inflow[Math.min(q + 1, last)] += above * rows[i + 1][q];
        }
      }
      if (i > 0) {
        for (let q = 1; q < width; q++) if (adds(active - 1, q)) inflow[q - 1] += mu * rows[i - 1][q];
      }
      solveRow(rows[i], lower, diagonal, upper, inflow);
    }
    if (!balanceCuts()) return null;
    let moved = 0;
    for (let i = 0; i < count; i++) {
      for (let q = 0; q < width; q++) {
        const old = before[i * width + q];
        moved = Math.max(moved, Math.abs(rows[i][q] - old));
        // Half a step: whole ones can go back and forth between two laws for ever.
        if (sweep > 0) rows[i][q] = (rows[i][q] + old) / 2;
        before[i * width + q] = rows[i][q];
      }
    }
    if (moved < 1e-10) return { from: fewest, rows };
  }
  return null;

  /** Gives every row the weight at which as much goes up as comes down between neighbours; the weights sum to 1. */
  function balanceCuts(): boolean {
    const weights = new Float64Array(count);
    let weight = 1;
    for (let i = 0; i < count; i++) {
      const active = fewest + i;
      const sum = rows[i].reduce((total, share) => total + share, 0);
      if (!(sum > 0)) return false;
      for (let q = 0; q < width; q++) rows[i][q] /= sum;
      let up = 0;
      let down = 0;
      for (let q = 0; q < width; q++) {
        if (q > 0 && adds(active, q)) up += mu * rows[i][q];
        if (!stays(active, q)) down += crawlerRate * active * rows[i][q];
      }
      if (i > 0) {
        if (!(down > 0)) return false;
        weight /= down;
      }
      weights[i] = weight;
      weight *= up;
      if (weight > 1e200) {
        for (let k = 0; k <= i; k++) weights[k] /= weight;
        weight = 1;
      }
    }
    const total = weights.reduce((a, each) => a + each, 0);
    for (let i = 0; i < count; i++) for (let q = 0; q < width; q++) rows[i][q] *= weights[i] / total;
    return total > 0;
  }
}

/** Solves one row's balance equations (Thomas); a row with nothing coming in keeps its shape, being closed. */
function solveRow(
  row: Float64Array,
  lower: Float64Array,
  diagonal: Float64Array,
  upper: Float64Array,
  inflow: Float64Array,
): void {
  const n = row.length;
  const c = new Float64Array(n);
  const d = new Float64Array(n);
  for (let q = 0; q < n; q++) {
    // Nothing queued and nobody active: no event ever leads there, as none leads away.
    if (diagonal[q] === 0) continue;
    const pivot = diagonal[q] - (q > 0 ? lower[q] * c[q - 1] : 0);
    if (pivot < 1e-14 * (diagonal[q] + 1e-300)) {
      closedRow(row, lower, upper);
      return;
    }
    c[q] = upper[q] / pivot;
    d[q] = (inflow[q] + (q > 0 ? lower[q] * d[q - 1] : 0)) / pivot;
  }
  for (let q = n - 1; q >= 0; q--) row[q] = d[q] + (q < n - 1 ? c[q] * row[q + 1] : 0);
}

/** A row that nothing leaves: detailed balance gives its shape, its weight stays. */
function closedRow(row: Float64Array, lower: Float64Array, upper: Float64Array): void {
  const weight = row.reduce((sum, share) => sum + share, 0);
  const shape = new Float64Array(row.length);
  shape[0] = 1;
  for (let q = 1; q < row.length; q++) shape[q] = upper[q - 1] > 0 ? (shape[q - 1] * lower[q]) / upper[q - 1] : 0;
  const total = shape.reduce((sum, share) => sum + share, 0);
  for (let q = 0; q < row.length; q++) row[q] = (weight * shape[q]) / total;
}
