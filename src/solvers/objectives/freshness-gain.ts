/**
 * What a fetch gains of a page that changes at a known rate: G(s) = 1 − (1+s)e^{−s} of s = λ·age, and its inverse.
 *
 * Fetched at intervals τ a Poisson page is stale the share 1 − (1 − e^{−λτ})/(λτ) of the time; the derivative in the
 * frequency 1/τ is −G(λτ)/λ. At a price μ of a fetch the best interval solves w·G(λτ)/λ = μ, and there is none where μλ
 * ≥ w.
 * Source: Cho & Garcia-Molina 2003, "Effective page refresh policies for web crawlers", section 4.
 */

/** G(s) = 1 − (1+s)e^{−s} = ∫₀^s v e^{−v} dv, without cancellation. */
export function freshnessGain(s: number): number {
  if (s < 0.35) {
    // s²/2 − s³/3 + s⁴/8 − …: Σ_{k≥2} (−1)^k (k−1) s^k/k!
    let term = 0.5 * s * s;
    let sum = term;
    for (let k = 3; k < 20 && Math.abs(term) > 1e-18 * sum; k++) {
      term *= (-s * (k - 1)) / (k * (k - 2));
      sum += term;
    }
    return sum;
  }
  return 1 - (1 + s) * Math.exp(-s);
}

/** The s > 0 with G(s) = q, 0 < q < 1, by Halley's method. */
export function inverseFreshnessGain(q: number): number {
  const root = Math.sqrt(2 * q);
  // Small q: s = r + r²/3 + 11r³/72…; near 1: (1+s)e^{−s} = 1 − q.
  let s: number;
  if (q < 0.6) s = root + (root * root) / 3 + (11 * root * root * root) / 72;
  else {
    const t = -Math.log1p(-q);
    s = t + Math.log1p(t + Math.log1p(t + Math.log1p(t)));
  }
  for (let iteration = 0; iteration < 20; iteration++) {
    const error = freshnessGain(s) - q;
    const density = s * Math.exp(-s);
    const newton = error / density;
    // G''/G' = 1/s − 1
    const step = newton / (1 - 0.5 * newton * (1 / s - 1));
    const next = s - step;
    s = next > 0 ? next : 0.5 * s;
    if (Math.abs(step) <= 1e-14 * s || Math.abs(error) < 1e-16) break;
  }
  return s;
}

/**
 * The s with 1 − G(s) = e^{−load}, where the load can be had closer than G(s): the root of y − ln(1 + y) = load. Two
 * steps of Newton's method from an approximation that is right to 3e−4, and below .01 a series, since Newton would lose
 * half the digits there. Relative error at most 1e−15.
 */
export function freshnessRoot(load: number): number {
  if (load === Infinity) return Infinity;
  const p = Math.sqrt(2 * load);
  if (load < 0.01) {
    const tail = -1 / 270 + p * (1 / 4320 + p * (1 / 17010 + p * (-139 / 5443200 + p / 204120)));
    return p * (1 + p * (1 / 3 + p * (1 / 36 + p * tail)));
  }
  const inner = (0.3361 * Math.sqrt(load / 2)) / (1 - 0.0042 * load * Math.exp(-0.0201 * load));
  let y = load + (2 / 0.3361) * (1 - 1 / (1 + inner));
  for (let step = 0; step < 2; step++) y -= ((y - Math.log1p(y) - load) * (1 + y)) / y;
  return y;
}
