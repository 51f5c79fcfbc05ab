/**
 * Elimination of the rows below the meeting row, one r at a time from the bottom of the curve up: the mirror image of
 * rows-from-above.ts.
 *
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
import { addCombination, pushColumn, pushTwoColumns, recurUp } from './column-kernels.ts';
import type { RowStep, Sweep } from './rows-from-above.ts';

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
function pushThroughRow(s: Sweep, c: number, cp: number): void {
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
  pushThroughRow(s, c, cp);

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
    recurUp(h, alpha, w * n, from, K, startColumn(s, step, w, p, sigma, rho), p, rho, sigma);
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
function startColumn(s: Sweep, { c, cp }: RowStep, w: number, p: number, sigma: number, rho: number): number {
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
