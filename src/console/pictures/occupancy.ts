/**
 * Where a switching curve makes the system spend its time: the stationary law of (queue length, active crawlers) of the
 * reduced chain of activation-policy, state after the decision. Block Gauss–Seidel: each row of constant active crawlers is a
 * birth-death chain with flows from its neighbours, solved exactly; the rows are swept up and down until nothing moves.
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
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let k = 0; k < 2 * count; k++) {
      const i = k < count ? k : 2 * count - 1 - k;
      const active = fewest + i;
      const arrivals = crawlerRate * active;
      lower.fill(0);
      upper.fill(0);
      inflow.fill(0);
      for (let q = 0; q < width; q++) {
        const full = q === last;
        const staying = stays(active, q);
        diagonal[q] = (full && staying ? 0 : arrivals) + (q > 0 ? mu : 0);
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
      moved = Math.max(moved, solveRow(rows[i], lower, diagonal, upper, inflow));
    }
    let total = 0;
    for (const row of rows) for (const share of row) total += share;
    if (!(total > 0)) return null;
    for (const row of rows) for (let q = 0; q < width; q++) row[q] /= total;
    if (moved < 1e-9) return { from: fewest, rows };
  }
  return null;
}

/** Solves one row's balance equations (Thomas); a row with nothing coming in keeps its shape, being closed. */
function solveRow(
  row: Float64Array,
  lower: Float64Array,
  diagonal: Float64Array,
  upper: Float64Array,
  inflow: Float64Array,
): number {
  const n = row.length;
  const c = new Float64Array(n);
  const d = new Float64Array(n);
  for (let q = 0; q < n; q++) {
    // Nothing queued and nobody active: no event ever leads there, as none leads away.
    if (diagonal[q] === 0) continue;
    const pivot = diagonal[q] - (q > 0 ? lower[q] * c[q - 1] : 0);
    if (pivot < 1e-14 * (diagonal[q] + 1e-300)) return closedRow(row, lower, upper);
    c[q] = upper[q] / pivot;
    d[q] = (inflow[q] + (q > 0 ? lower[q] * d[q - 1] : 0)) / pivot;
  }
  let moved = 0;
  for (let q = n - 1; q >= 0; q--) {
    const share = d[q] + (q < n - 1 ? c[q] * row[q + 1] : 0);
    moved = Math.max(moved, Math.abs(share - row[q]));
    row[q] = share;
  }
  return moved;
}

/** A row that nothing leaves: detailed balance gives its shape, its weight stays. */
function closedRow(row: Float64Array, lower: Float64Array, upper: Float64Array): number {
  const weight = row.reduce((sum, share) => sum + share, 0);
  const shape = new Float64Array(row.length);
  shape[0] = 1;
  for (let q = 1; q < row.length; q++) shape[q] = upper[q - 1] > 0 ? (shape[q - 1] * lower[q]) / upper[q - 1] : 0;
  const total = shape.reduce((sum, share) => sum + share, 0);
  let moved = 0;
  for (let q = 0; q < row.length; q++) {
    const share = (weight * shape[q]) / total;
    moved = Math.max(moved, Math.abs(share - row[q]));
    row[q] = share;
  }
  return moved;
}
