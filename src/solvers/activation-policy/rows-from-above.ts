/**
 * Elimination of the rows above the meeting row, one r at a time from the top of the curve down.
 *
 * With c = c_r and c' = c_{r−1} ≥ c, row r (arrival rate a = λr) touches its neighbours on one side only: departures go
 * up to row r + 1 iff q ≤ c, arrivals go down to row r − 1 iff t = min(q + 1, K) ≥ c'. So what lies above row r is known
 * through   u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 * One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients, never a difference;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1).
 * Storage: column j of G is contiguous in i. Only P and p are kept per row; see relative-values.ts for how the rest is
 * found again. About 12·c·(K − c) flops a row with two right-hand sides.
 */
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

/** target += near·x, store (or add) far·x, over `length` entries of the columns at the given offsets. */
function pushColumn(
  g: Float64Array,
  x: number,
  target: number,
  store: number,
  near: number,
  far: number,
  length: number,
  add: boolean,
): void {
  if (add) {
    for (let i = 0; i < length; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] += far * value;
    }
  } else {
    for (let i = 0; i < length; i++) {
      const value = g[x + i];
      g[target + i] += near * value;
      g[store + i] = far * value;
    }
  }
}

/** k[at + i] += factor·g[x + i]. */
function addScaled(k: Float64Array, at: number, g: Float64Array, x: number, factor: number, length: number): void {
  for (let i = 0; i < length; i++) k[at + i] += factor * g[x + i];
}

/** Two columns of the next transfer matrix at once: row_q = σ·row_{q+1} + ρ·(G row q−1), q = top..1, in place. */
function leftOfInterface2(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  y: number,
  top: number,
  startX: number,
  startY: number,
  px: number,
  py: number,
  sigma: number,
  rho: number,
): void {
  let u = startX;
  let v = startY;
  const rx = rho * px;
  const ry = rho * py;
  for (let q = top; q >= 1; q--) {
    const w = alpha[q - 1];
    u = sigma * u + (rho * g[x + q - 1] + w * rx);
    v = sigma * v + (rho * g[y + q - 1] + w * ry);
    g[x + q] = u;
    g[y + q] = v;
  }
  g[x] = u;
  g[y] = v;
}

function pushThroughRow(s: Sweep, c: number, cp: number): void {
  const { n, g, k, e, near, far, count } = s;
  for (let j = n - 1; j > c; j--) {
    const t = Math.max(cp, Math.min(j + 1, n - 1));
    for (let d = 0; d < count; d++) addScaled(k, d * n, g, j * n, e[d * n + j], c);
    // Column t is written for the first time by j = K when t = K, else by j = t − 1; later ones add to it.
    const first = j === n - 1 || (t !== n - 1 && j === t - 1);
    pushColumn(g, j * n, (j - 1) * n, t * n, near[j], far[j], c, !first);
  }
  for (let i = 0; i < c; i++) s.alpha[i] = g[c * n + i];
  // Columns that no chain reaches: t = c when c = c', and t = c + 1 unless a wider c' or K = c + 1 sends one there.
  if (cp === c) g.fill(0, c * n, c * n + c);
  if (cp <= c + 1 && c + 1 < n - 1) g.fill(0, (c + 1) * n, (c + 1) * n + c);
}

/**
 * Takes the transfer of row r + 1 (width c) to that of row r (width c'); writes P_t at `interfaces[base + t]`,
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
  for (let t = cp; t <= K; t += 2) {
    const pair = Math.min(t + 1, K);
    const startX = startColumn(s, step, t, interfaces[base + t], sigma, rho);
    const startY = pair === t ? startX : startColumn(s, step, pair, interfaces[base + pair], sigma, rho);
    if (top < 0) continue;
    const px = interfaces[base + t];
    const py = interfaces[base + pair];
    if (pair === t) leftOfInterface1(g, alpha, t * n, top, startX, px, sigma, rho);
    else leftOfInterface2(g, alpha, t * n, pair * n, top, startX, startY, px, py, sigma, rho);
  }
  for (let d = 0; d < count; d++) nextConstants(s, step, d * n, constants[constantsAt + d]);
}

function leftOfInterface1(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  top: number,
  start: number,
  p: number,
  sigma: number,
  rho: number,
): void {
  let u = start;
  for (let q = top; q >= 1; q--) {
    u = sigma * u + rho * (g[x + q - 1] + alpha[q - 1] * p);
    g[x + q] = u;
  }
  g[x] = u;
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
    for (let q = c - 1; q >= 1; q--) {
      u = (f[at + q] + a * u + mu * (k[at + q - 1] + alpha[q - 1] * p)) / (a + mu);
      k[at + q] = u;
    }
    if (c > 0) k[at] = u + f[at] / a;
    return;
  }
  if (c === 1) {
    k[at] = f[at] / a;
    return;
  }
  u = (f[at + c - 1] + mu * (k[at + c - 2] + alpha[c - 2] * p)) / (a + mu);
  k[at + c - 1] = u;
  for (let q = c - 2; q >= 1; q--) {
    u = (f[at + q] + a * u + mu * (k[at + q - 1] + alpha[q - 1] * p)) / (a + mu);
    k[at + q] = u;
  }
  k[at] = u + f[at] / a;
}
