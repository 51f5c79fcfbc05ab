/**
 * Elimination of the rows on one side of the meeting row, one r at a time towards it.
 *
 * Above, with c = c_r and c' = c_{r−1} ≥ c, row r (arrival rate a = λr) touches its neighbours on one side only.
 * Departures go up to row r + 1 iff q ≤ c. Arrivals go down to row r − 1 iff t = min(q + 1, K) ≥ c'. So what lies above
 * row r is known through   u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 * One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients, never a difference;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1).
 * Below, the same holds in the mirror: free places K − q in place of q, departures in place of arrivals, row r + 1 in
 * place of r − 1, and widths n − c_{r−1} and n − c_r (see `stepOf`). Only the ends differ: no departure leaves q = 0, an
 * arrival at q = K changes the row alone.
 * Storage: column j of G is contiguous in i. Only P and p are kept per row; curve-evaluation.ts finds the rest again.
 * About 12·c·(K − c) flops a row with two right-hand sides.
 */

export interface RowStep {
  /** Row r, and the widths c_r and c_{r−1}, or in the mirror n − c_{r−1} and n − c_r. */
  readonly r: number;
  readonly c: number;
  readonly cp: number;
}

/** Buffers of one sweep; `g` holds (K + 1)², `k` count·(K + 1). */
export interface Sweep {
  /** Mirrored: for the rows below the meeting row. */
  readonly below: boolean;
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

export function newSweep(below: boolean, capacity: number, lambda: number, mu: number, count: number): Sweep {
  const n = capacity + 1;
  return {
    below,
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

/** Row r of a curve R, as its side sees it. */
export function stepOf({ below, n }: Sweep, curve: Int32Array, widths: Int32Array, r: number): RowStep {
  const c = widths[r];
  // Nothing leads below row R[K].
  const cp = r > curve[n - 1] ? widths[r - 1] : n;
  return below ? { r, c: n - cp, cp: n - c } : { r, c, cp };
}

/** Rates of a row: out, towards the meeting row; back; out at the last place K, and back at place 0. */
export function ratesOf({ below, lambda, mu }: Sweep, r: number) {
  const a = lambda * r;
  return below ? { out: mu, back: a, lastOut: 0, firstBack: a } : { out: a, back: mu, lastOut: a, firstBack: 0 };
}

/** κ_q (near), η_q (far) and e_q for q = c+1..K of a row seen from the meeting row; `f` holds its costs. */
export function chainOf(s: Sweep, { r, c, cp }: RowStep): void {
  const { n, count, near, far, e, f } = s;
  const { out, back, lastOut } = ratesOf(s, r);
  const from = Math.max(c + 1, cp - 1);
  for (let q = n - 1; q >= from; q--) {
    const leaving = q === n - 1 ? lastOut : out;
    const rate = leaving + back;
    // State (0, 0) does not exist; nothing refers to it.
    near[q] = rate > 0 ? back / rate : 1;
    far[q] = rate > 0 ? leaving / rate : 0;
    for (let d = 0; d < count; d++) e[d * n + q] = rate > 0 ? f[d * n + q] / rate : 0;
  }
  for (let q = from - 1; q > c; q--) {
    const pivot = back + out * far[q + 1];
    near[q] = back / pivot;
    far[q] = (out * far[q + 1]) / pivot;
    for (let d = 0; d < count; d++) e[d * n + q] = (f[d * n + q] + out * e[d * n + q + 1]) / pivot;
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
 * Takes the transfer of the row before (width c) to that of row r (width c'). It writes P_t at `interfaces[base + t]`,
 * t = c'..K, and the interface constants at `constants[d]`.
 */
export function eliminateRow(
  s: Sweep,
  step: RowStep,
  interfaces: Float64Array,
  base: number,
  constants: Float64Array,
  constantsAt: number,
): void {
  const { n, g, k, f, e, near, far, alpha, count } = s;
  const { r, c, cp } = step;
  const { out, back, lastOut, firstBack } = ratesOf(s, r);
  const K = n - 1;
  chainOf(s, step);
  pushThroughRow(s, c, cp);

  // The equation at q = c.
  const t0 = Math.min(c + 1, K);
  const direct = t0 >= cp;
  const leaving = c === K ? lastOut : out;
  let pivot = 0;
  for (let t = cp; t <= K; t++) {
    let coefficient = c > 0 ? back * g[t * n + c - 1] : 0;
    if (direct ? t === t0 : t === cp) coefficient += direct ? leaving : out * far[t0];
    interfaces[base + t] = coefficient;
    pivot += coefficient;
  }
  for (let t = cp; t <= K; t++) interfaces[base + t] /= pivot;
  for (let d = 0; d < count; d++) {
    let value = f[d * n + c] + (c > 0 ? back * k[d * n + c - 1] : 0);
    if (!direct) value += out * e[d * n + t0];
    constants[constantsAt + d] = value / pivot;
  }

  // The transfer of row r, seen from the next row. With c = c' the move out of q = c − 1 already leaves the row.
  const keep = out / (out + back);
  const take = back / (out + back);
  for (let t = cp; t <= K; t++) {
    const p = interfaces[base + t];
    const x = t * n;
    let u = p;
    if (c < cp) g[x + c] = u;
    for (let q = c + 1; q < cp; q++) {
      u = near[q] * u + (t === cp ? far[q] : 0);
      g[x + q] = u;
    }
    const start = c < cp ? p : t === cp ? 1 : 0;
    if (c > 0) recurDown(g, alpha, x, c - 1, start, p, keep, take, firstBack > 0);
  }
  for (let d = 0; d < count; d++) {
    const at = d * n;
    const p = constants[constantsAt + d];
    let u = p;
    // What is left of c reads k(q − 1) before it is overwritten, so the chain to its right comes first.
    if (c < cp) k[at + c] = u;
    for (let q = c + 1; q < cp; q++) {
      u = near[q] * u + e[at + q];
      k[at + q] = u;
    }
    if (c === 0) continue;
    u = c < cp ? p : 0;
    for (let q = c - 1; q >= 1; q--) {
      u = (f[at + q] + out * u + back * (k[at + q - 1] + alpha[q - 1] * p)) / (out + back);
      k[at + q] = u;
    }
    k[at] =
      firstBack > 0 ? (f[at] + out * u + firstBack * (k[at] + alpha[0] * p)) / (out + firstBack) : u + f[at] / out;
  }
}

/*
 * Inner loops, over columns of a matrix stored column by column. Small functions, so that the compiler optimises each on
 * its own; where it pays several columns at once, so that each number is loaded once. A column is given by its offset;
 * entries `from`..`to` are treated.
 */

/** target += near·x; store = far·x, or += when `add`. */
function pushColumn(
  g: Float64Array,
  x: number,
  target: number,
  store: number,
  near: number,
  far: number,
  from: number,
  to: number,
  add: boolean,
): void {
  if (add) {
    for (let i = from; i <= to; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] += far * value;
    }
  } else {
    for (let i = from; i <= to; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] = far * value;
    }
  }
}

/** Two steps of pushColumn at once: x into y and y into z; `storeX` and `storeY` are overwritten. */
function pushTwoColumns(
  g: Float64Array,
  x: number,
  y: number,
  z: number,
  storeX: number,
  storeY: number,
  near: number,
  far: number,
  from: number,
  to: number,
): void {
  for (let i = from; i <= to; i++) {
    const a = g[x + i];
    const b = g[y + i] + near * a;
    g[z + i] += near * b;
    g[storeX + i] = far * a;
    g[storeY + i] = far * b;
  }
}

/** k += Σ_j factors[factorsAt + j]·(column j), j = first..last, columns `stride` apart; four at a time. */
function addCombination(
  k: Float64Array,
  at: number,
  g: Float64Array,
  stride: number,
  factors: Float64Array,
  factorsAt: number,
  first: number,
  last: number,
  from: number,
  to: number,
): void {
  let j = first;
  for (; j + 3 <= last; j += 4) {
    const x = j * stride;
    addFour(k, at, g, x, stride, factors, factorsAt + j, from, to);
  }
  for (; j <= last; j++) {
    const x = j * stride;
    const factor = factors[factorsAt + j];
    for (let i = from; i <= to; i++) k[at + i] += factor * g[x + i];
  }
}

function addFour(
  k: Float64Array,
  at: number,
  g: Float64Array,
  x: number,
  stride: number,
  factors: Float64Array,
  f: number,
  from: number,
  to: number,
): void {
  const a = factors[f];
  const b = factors[f + 1];
  const c = factors[f + 2];
  const d = factors[f + 3];
  const y = x + stride;
  const z = y + stride;
  const w = z + stride;
  for (let i = from; i <= to; i++) {
    k[at + i] += a * g[x + i] + b * g[y + i] + (c * g[z + i] + d * g[w + i]);
  }
}

/**
 * One column of u_i = keep·u_{i+1} + take·(g_{i−1} + alpha·p), i = top..0 descending. Entry 0 reads itself where
 * something leads back from it, else it takes the last value.
 */
function recurDown(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  top: number,
  start: number,
  p: number,
  keep: number,
  take: number,
  leadsBack: boolean,
): void {
  let u = start;
  for (let i = top; i >= 1; i--) {
    u = keep * u + take * (g[x + i - 1] + alpha[i - 1] * p);
    g[x + i] = u;
  }
  g[x] = leadsBack ? keep * u + take * (g[x] + alpha[0] * p) : u;
}
