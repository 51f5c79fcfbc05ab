/**
 * Elimination of the rows on either side of the meeting row, one r at a time, from the top of the curve down and from
 * its bottom up.
 *
 * With c = c_r and c' = c_{r−1} ≥ c, row r (arrival rate a = λr) touches its neighbours on one side only. Departures go
 * up to row r + 1 iff q ≤ c. Arrivals go down to row r − 1 iff t = min(q + 1, K) ≥ c'. So what lies above row r is
 * known through   u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 * One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients, never a difference;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1).
 * Storage: column j of G is contiguous in i. Only P and p are kept per row; curve-evaluation.ts finds
 * the rest again. About 12·c·(K − c) flops a row with two right-hand sides.
 *
 * The rows below are eliminated from the bottom of the curve up, the mirror image.
 * With c = c_r and c' = c_{r−1}, what lies below row r is known through
 *   u_{r−1}(t) = Σ_j H[j][t]·u_r(j) + k(t),   t = c'..K,  j = 0..c'−1   (nothing when r = R[K]: then c' = K + 1).
 * One step turns that into the same statement for row r seen from row r + 1 (w = u_{r+1}, width c):
 *   - for q < c' − 1:  u(q) = σ_q u(q+1) + ρ_q w(s_q) + e_q, s_q = min(q, c) − 1; right of c from left to right, pivot
 *     a + μρ; q = 0 has no departure (σ = 1, ρ = 0);
 *   - the columns of H are pushed through these from j = 0 up to c' − 2, in place;
 *   - the equation at q = c' − 1 gives u(c'−1) = Σ_s P_s w(s) + p, its pivot again a sum;
 *   - for q ≥ c':  u(q) = σ u_{r−1}(t) + ρ·(w(q−1) if q ≤ c else u(q−1)).
 * Storage: column j of H is contiguous in t. State (0, 0) does not exist; nothing refers to it.
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
function pushThroughRowAbove(s: Sweep, c: number, cp: number): void {
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
  pushThroughRowAbove(s, c, cp);

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
    const start = startColumnAbove(s, step, t, p, sigma, rho);
    if (top >= 0) recurDown(g, alpha, t * n, top, start, p, sigma, rho);
  }
  for (let d = 0; d < count; d++) nextConstants(s, step, d * n, constants[constantsAt + d]);
}

/** Entries q ≥ c of column t (q = c − 1 when c = c'); answers the one the recursion to the left starts from. */
function startColumnAbove(s: Sweep, { c, cp }: RowStep, t: number, p: number, sigma: number, rho: number): number {
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

/** σ_q (near), ρ_q (far) and e_q for q = 0..c'−2 of a row seen from above; `f` holds its costs. */
export function chainFromBelow(s: Sweep, { r, c, cp }: RowStep): void {
  const { n, mu, count, near, far, e, f } = s;
  const a = s.lambda * r;
  const rate = a + mu;
  near[0] = 1;
  far[0] = 0;
  for (let d = 0; d < count; d++) e[d * n] = a > 0 ? f[d * n] / a : 0;
  const last = Math.min(c, cp - 2);
  for (let q = 1; q <= last; q++) {
    near[q] = a / rate;
    far[q] = mu / rate;
    for (let d = 0; d < count; d++) e[d * n + q] = f[d * n + q] / rate;
  }
  for (let q = c + 1; q <= cp - 2; q++) {
    const pivot = a + mu * far[q - 1];
    near[q] = a / pivot;
    far[q] = (mu * far[q - 1]) / pivot;
    for (let d = 0; d < count; d++) e[d * n + q] = (f[d * n + q] + mu * e[d * n + q - 1]) / pivot;
  }
}

/**
 * Pushes H through the chain: its columns j = 0..c'−2 become columns of w, column c'−1 the coefficients α of u(c'−1).
 */
function pushThroughRowBelow(s: Sweep, c: number, cp: number): void {
  const { n, g: h, k, e, near, far, reach, count } = s;
  const K = n - 1;
  if (cp > K) return;
  for (let d = 0; d < count; d++) {
    reach[d * n + cp - 1] = 0;
    for (let j = cp - 2; j >= 0; j--) reach[d * n + j] = near[j] * reach[d * n + j + 1] + e[d * n + j];
    addCombination(k, d * n, h, n, reach, d * n, 0, cp - 2, cp, K);
  }
  if (cp >= 2) for (let t = cp; t <= K; t++) h[n + t] += h[t];
  let j = 1;
  const regular = Math.min(c, cp - 2);
  for (; j + 1 <= regular; j += 2) {
    pushTwoColumns(h, j * n, (j + 1) * n, (j + 2) * n, (j - 1) * n, j * n, near[j], far[j], cp, K);
  }
  for (; j <= cp - 2; j++) {
    pushColumn(h, j * n, (j + 1) * n, (Math.min(j, c) - 1) * n, near[j], far[j], cp, K, j > c);
  }
  for (let t = cp; t <= K; t++) s.alpha[t] = h[(cp - 1) * n + t];
  for (let w = Math.max(0, Math.min(cp - 2, c)); w < c; w++) h.fill(0, w * n + cp, w * n + n);
}

/**
 * Takes the transfer of row r − 1 (width c') to that of row r (width c ≥ 1). It writes P_s at `interfaces[base + s]`,
 * s = 0..c−1, and the interface constants at `constants[d]`.
 */
export function stepUp(
  s: Sweep,
  step: RowStep,
  interfaces: Float64Array,
  base: number,
  constants: Float64Array,
  constantsAt: number,
): void {
  const { n, mu, g: h, k, f, e, near, far, alpha, count } = s;
  const { r, c, cp } = step;
  const a = s.lambda * r;
  const K = n - 1;
  const below = cp <= K;
  chainFromBelow(s, step);
  pushThroughRowBelow(s, c, cp);

  // The equation at q = c' − 1.
  const q0 = cp - 1;
  const up = q0 >= 1 && q0 <= c;
  const chained = q0 > c;
  let pivot = 0;
  for (let w = 0; w < c; w++) {
    let coefficient = below ? a * h[w * n + cp] : 0;
    if (up && w === q0 - 1) coefficient += mu;
    if (chained && w === c - 1) coefficient += mu * far[q0 - 1];
    interfaces[base + w] = coefficient;
    pivot += coefficient;
  }
  for (let w = 0; w < c; w++) interfaces[base + w] /= pivot;
  for (let d = 0; d < count; d++) {
    let value = f[d * n + q0] + (below ? a * k[d * n + cp] : 0);
    if (chained) value += mu * e[d * n + q0 - 1];
    constants[constantsAt + d] = value / pivot;
  }

  // The transfer of row r, seen from row r + 1.
  const sigma = a / (a + mu);
  const rho = mu / (a + mu);
  // With c = c' the departure at q = c still goes up, to w(c−1), so the recursion starts one further.
  const from = cp === c ? c + 1 : cp;
  for (let w = 0; w < c; w++) {
    const p = interfaces[base + w];
    recurUp(h, alpha, w * n, from, K, startColumnBelow(s, step, w, p, sigma, rho), p, rho, sigma);
  }
  for (let d = 0; d < count; d++) {
    const at = d * n;
    const p = constants[constantsAt + d];
    let u = p;
    if (cp > c) {
      // Entries below c' − 1 are not read again by the part to the right.
      k[at + q0] = p;
      for (let q = q0 - 1; q >= c; q--) {
        u = near[q] * u + e[at + q];
        k[at + q] = u;
      }
      u = p;
    } else {
      const t = Math.min(c + 1, K);
      u = (f[at + c] + a * (k[at + t] + alpha[t] * p)) / (a + mu);
      k[at + c] = u;
    }
    for (let q = from; q <= K; q++) {
      const t = q < K ? q + 1 : K;
      u = (f[at + q] + a * (k[at + t] + alpha[t] * p) + mu * u) / (a + mu);
      k[at + q] = u;
    }
  }
}

/** Entries q = c..c'−1 of column w (q = c when c = c'); answers the one the recursion to the right starts from. */
function startColumnBelow(s: Sweep, { c, cp }: RowStep, w: number, p: number, sigma: number, rho: number): number {
  const { n, g: h, near, far, alpha } = s;
  const x = w * n;
  if (cp > c) {
    let u = p;
    h[x + cp - 1] = u;
    for (let q = cp - 2; q >= c; q--) {
      u = near[q] * u + (w === c - 1 ? far[q] : 0);
      h[x + q] = u;
    }
    return p;
  }
  const t = Math.min(c + 1, n - 1);
  const u = sigma * (h[x + t] + alpha[t] * p) + (w === c - 1 ? rho : 0);
  h[x + c] = u;
  return u;
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
 * One column of u_i = keep·u_{i∓1} + take·(g_{shifted i} + alpha·p), descending: i = top..1 reads entry i − 1, entry 0
 * takes the last value.
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
): void {
  let u = start;
  for (let i = top; i >= 1; i--) {
    u = keep * u + take * (g[x + i - 1] + alpha[i - 1] * p);
    g[x + i] = u;
  }
  g[x] = u;
}

/** The mirror image: i = from..last ascending reads entry min(i + 1, last). */
function recurUp(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  from: number,
  last: number,
  start: number,
  p: number,
  keep: number,
  take: number,
): void {
  let u = start;
  for (let i = from; i <= last; i++) {
    const t = i < last ? i + 1 : last;
    u = keep * u + take * (g[x + t] + alpha[t] * p);
    g[x + i] = u;
  }
}
