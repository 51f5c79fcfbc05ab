/**
 * Elimination of the rows above the meeting row, one r at a time from the top of the curve down.
 *
 * With c = c_r and c' = c_{r−1} ≥ c, row r (arrival rate a = λr) touches its neighbours on one side only. Departures go
 * up to row r + 1 iff q ≤ c. Arrivals go down to row r − 1 iff t = min(q + 1, K) ≥ c'. So what lies above row r is
 * known through   u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 * One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients, never a difference;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1).
 * Storage: column j of G is contiguous in i. Only P and p are kept per row; see relative-values.ts for how the rest is
 * found again. About 12·c·(K − c) flops a row with two right-hand sides.
 */
import { addCombination, pushColumn, pushTwoColumns, recurDown } from './column-kernels.ts';

export interface RowStep {
  /** Row r, and the widths c_r and c_{r−1}. */
  readonly r: number;
  readonly c: number;
  readonly cp: number;
}

/** Buffers of one sweep; `g` holds (K + 1)², `k` count·(K + 1). */
export interface Sweep {
  readonly n: number;
  readonly lambda: number;
  readonly mu: number;
  readonly count: number;
  /** Columns of the transfer matrix, column j at j·n. */
  readonly g: Float64Array;
  /** Constants of the transfer, right-hand side d at d·n. */
  readonly k: Float64Array;
  /** Costs of the present row, right-hand side d at d·n. */
  readonly f: Float64Array;
  /** Chain coefficients of the present row: on the neighbour in the row, on the neighbouring row, constants. */
  readonly near: Float64Array;
  readonly far: Float64Array;
  readonly e: Float64Array;
  readonly alpha: Float64Array;
  /** Constants of the chain counted from the interface, right-hand side d at d·n. */
  readonly reach: Float64Array;
}

export function newSweep(capacity: number, lambda: number, mu: number, count: number): Sweep {
  const n = capacity + 1;
  return {
    n,
    lambda,
    mu,
    count,
    g: new Float64Array(n * n),
    k: new Float64Array(count * n),
    f: new Float64Array(count * n),
    near: new Float64Array(n),
    far: new Float64Array(n),
    e: new Float64Array(count * n),
    alpha: new Float64Array(n),
    reach: new Float64Array(count * n),
  };
}

/** κ_q (near), η_q (far) and e_q for q = c+1..K of a row seen from below; `f` holds its costs. */
export function chainFromAbove(s: Sweep, { r, c, cp }: RowStep): void {
  const { n, mu, count, near, far, e, f } = s;
  const a = s.lambda * r;
  const rate = a + mu;
  const from = Math.max(c + 1, cp - 1);
  for (let q = n - 1; q >= from; q--) {
    near[q] = mu / rate;
    far[q] = a / rate;
    for (let d = 0; d < count; d++) e[d * n + q] = f[d * n + q] / rate;
  }
  for (let q = from - 1; q > c; q--) {
    const pivot = mu + a * far[q + 1];
    near[q] = mu / pivot;
    far[q] = (a * far[q + 1]) / pivot;
    for (let d = 0; d < count; d++) e[d * n + q] = (f[d * n + q] + a * e[d * n + q + 1]) / pivot;
  }
}

/** Pushes G through the chain: its columns j = c+1..K become columns of v, column c the coefficients α of u(c). */
function pushThroughRow(s: Sweep, c: number, cp: number): void {
  const { n, g, k, e, near, far, reach, count } = s;
  const K = n - 1;
  for (let d = 0; d < count; d++) {
    reach[d * n + c] = 0;
    for (let j = c + 1; j <= K; j++) reach[d * n + j] = near[j] * reach[d * n + j - 1] + e[d * n + j];
    addCombination(k, d * n, g, n, reach, d * n, c + 1, K, 0, c - 1);
  }
  // Column t is written for the first time by j = K when t = K, else by j = t − 1; others add to it.
  let j = K;
  const push = (first: boolean, t: number): void => {
    pushColumn(g, j * n, (j - 1) * n, t * n, near[j], far[j], 0, c - 1, !first);
    j--;
  };
  if (j > c) push(true, K);
  if (j > c && j >= cp - 1) push(false, K);
  const regular = Math.max(cp - 1, c + 1);
  for (; j - 1 >= regular; j -= 2) {
    pushTwoColumns(g, j * n, (j - 1) * n, (j - 2) * n, (j + 1) * n, j * n, near[j], far[j], 0, c - 1);
  }
  while (j > c) push(j >= cp - 1, Math.max(cp, j + 1));
  for (let i = 0; i < c; i++) s.alpha[i] = g[c * n + i];
  // Columns that no chain reaches: t = c when c = c', and t = c + 1 unless a wider c' or K = c + 1 sends one there.
  if (cp === c) g.fill(0, c * n, c * n + c);
  if (cp <= c + 1 && c + 1 < K) g.fill(0, (c + 1) * n, (c + 1) * n + c);
}

/**
 * Takes the transfer of row r + 1 (width c) to that of row r (width c'). It writes P_t at `interfaces[base + t]`,
 * t = c'..K, and the interface constants at `constants[d]`.
 */
export function stepDown(
  s: Sweep,
  step: RowStep,
  interfaces: Float64Array,
  base: number,
  constants: Float64Array,
  constantsAt: number,
): void {
  const { n, mu, g, k, f, e, far, alpha, count } = s;
  const { r, c, cp } = step;
  const a = s.lambda * r;
  const K = n - 1;
  chainFromAbove(s, step);
  pushThroughRow(s, c, cp);

  // The equation at q = c.
  const t0 = Math.min(c + 1, K);
  const direct = t0 >= cp;
  let pivot = 0;
  for (let t = cp; t <= K; t++) {
    let coefficient = c > 0 ? mu * g[t * n + c - 1] : 0;
    if (direct ? t === t0 : t === cp) coefficient += direct ? a : a * far[t0];
    interfaces[base + t] = coefficient;
    pivot += coefficient;
  }
  for (let t = cp; t <= K; t++) interfaces[base + t] /= pivot;
  for (let d = 0; d < count; d++) {
    let value = f[d * n + c] + (c > 0 ? mu * k[d * n + c - 1] : 0);
    if (!direct) value += a * e[d * n + t0];
    constants[constantsAt + d] = value / pivot;
  }

  // The transfer of row r, seen from row r − 1.
  const sigma = a / (a + mu);
  const rho = mu / (a + mu);
  const top = cp === c ? c - 2 : c - 1;
  for (let t = cp; t <= K; t++) {
    const p = interfaces[base + t];
    const start = startColumn(s, step, t, p, sigma, rho);
    if (top >= 0) recurDown(g, alpha, t * n, top, start, p, sigma, rho);
  }
  for (let d = 0; d < count; d++) nextConstants(s, step, d * n, constants[constantsAt + d]);
}

/** Entries q ≥ c of column t (q = c − 1 when c = c'); answers the one the recursion to the left starts from. */
function startColumn(s: Sweep, { c, cp }: RowStep, t: number, p: number, sigma: number, rho: number): number {
  const { n, g, near, far, alpha } = s;
  const x = t * n;
  if (cp > c) {
    let u = p;
    g[x + c] = u;
    for (let q = c + 1; q < cp; q++) {
      u = near[q] * u + (t === cp ? far[q] : 0);
      g[x + q] = u;
    }
    return p;
  }
  // c = c': the arrival at q = c − 1 already leaves the row, to v(c').
  const arrival = t === cp ? 1 : 0;
  const u = c === 1 ? arrival : sigma * arrival + rho * (g[x + c - 2] + alpha[c - 2] * p);
  g[x + c - 1] = u;
  return u;
}

function nextConstants(s: Sweep, { r, c, cp }: RowStep, at: number, p: number): void {
  const { mu, k, f, e, near, alpha } = s;
  const a = s.lambda * r;
  let u = p;
  if (cp > c) {
    // The left part reads k(q − 1) before it is overwritten, so the chain to the right of c comes first.
    for (let q = c + 1; q < cp; q++) {
      u = near[q] * u + e[at + q];
      k[at + q] = u;
    }
    u = p;
    k[at + c] = u;
    if (c === 0) return;
  } else if (c === 1) u = 0;
  else {
    u = (f[at + c - 1] + mu * (k[at + c - 2] + alpha[c - 2] * p)) / (a + mu);
    k[at + c - 1] = u;
  }
  for (let q = cp > c ? c - 1 : c - 2; q >= 1; q--) {
    u = (f[at + q] + a * u + mu * (k[at + q - 1] + alpha[q - 1] * p)) / (a + mu);
    k[at + q] = u;
  }
  k[at] = u + f[at] / a;
}
