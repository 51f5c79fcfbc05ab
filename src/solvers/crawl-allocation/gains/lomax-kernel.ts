/**
 * The kernel (page-gain.ts) of Lomax gaps (the paper's Pareto): P(X > t) = (β/(β + t))^α, α > 1, m = β/(α − 1), in the
 * unit σ = β/α. There the survival function is S(v) = (1 + v/α)^(−α), exponential as α → ∞ and with no singularity at 1
 * or 2.
 *
 * With u = s/α and L = log1p(u):
 *
 *   G(s) = α²·[expm1((2 − α)L)/(2 − α) − expm1((1 − α)L)/(1 − α)]                    α < 3
 *        = α²/((α − 1)(α − 2))·[1 − (1 + u)^(1 − α)(1 + (α − 1)u)]                   α ≥ 3
 *        = α²·∫₀^w x(1 − x)^(α − 3) dx, w = u/(1 + u), as a power series of w        where s is small
 *
 * and I(b, d) likewise. α = 1 + 1e−9 to 1e+9, relative error ≤ 1e−13. Each form is used only where its terms do not
 * cancel.
 * Cost: one logarithm and one or two exponentials a call, about fifteen products where a series is used.
 * Source: Wolf et al. (2002), section 4 (the family), rewritten. α ≤ 1 has no equilibrium and never comes here.
 */

const terms = 60;
/** Coefficients of the series by k: 1/k, 1/(k + 2) and 1/((k + 1)(k + 2)). */
const inverse = Float64Array.from({ length: terms }, (_, k) => (k === 0 ? 0 : 1 / k));
const inverseSquareSum = Float64Array.from({ length: terms }, (_, k) => 1 / (k + 2));
const inverseTriangle = Float64Array.from({ length: terms }, (_, k) => 1 / ((k + 1) * (k + 2)));

/** ∫₀ᴸ e^(cy) dy = expm1(cL)/c, also at c = 0. */
function growth(c: number, l: number): number {
  return c === 0 ? l : Math.expm1(c * l) / c;
}

/** G(s) = ∫₀ˢ v·S(v) dv for Lomax gaps. */
export function lomaxPartial(alpha: number, s: number): number {
  const u = s / alpha;
  if (s < 0.5 && u < 0.17) return partialSeries(alpha, s / (1 + u), u / (1 + u));
  const l = Math.log1p(u);
  if (alpha < 3) return alpha * alpha * (growth(2 - alpha, l) - growth(1 - alpha, l));
  const scale = (alpha / (alpha - 1)) * (alpha / (alpha - 2));
  return scale * (1 - Math.exp((1 - alpha) * l) * (1 + s - u));
}

/** G(s) as a power series: α²·Σ_k (3 − α)_k/k!·w^(k + 2)/(k + 2); `aw` is α·w. */
function partialSeries(alpha: number, aw: number, w: number): number {
  let term = 1;
  let sum = 0.5;
  for (let k = 1; k < terms; k++) {
    term *= w * (k + 2 - alpha) * inverse[k];
    sum += term * inverseSquareSum[k];
    if (term < 1e-16 && term > -1e-16) break;
  }
  return aw * aw * sum;
}

/** I(b, d)/S(b) for Lomax gaps. */
function triangleFrom(alpha: number, b: number, d: number): number {
  const base = alpha + b;
  const e = d / base;
  if (e < 0.25 && alpha * e < 1) {
    // d²·Σ_k (−α choose k) e^k/((k + 1)(k + 2))
    let term = 1;
    let sum = 0.5;
    for (let k = 1; k < terms; k++) {
      term *= -e * (alpha + k - 1) * inverse[k];
      sum += term * inverseTriangle[k];
      if (term < 1e-15 && term > -1e-15) break;
    }
    return d * d * sum;
  }
  const l = Math.log1p(e);
  if (alpha < 3) return base * base * ((1 + e) * growth(1 - alpha, l) - growth(2 - alpha, l));
  return (base / (alpha - 1)) * base * (e - growth(2 - alpha, l));
}

/** I(b, d) = ∫ (b + d − v)·S(v) dv over [b, b + d] for Lomax gaps. */
export function lomaxTriangle(alpha: number, b: number, d: number): number {
  const from = triangleFrom(alpha, b, d);
  return b === 0 ? from : from * Math.exp(-alpha * Math.log1p(b / alpha));
}

/** F_e(s) for Lomax gaps: the chance that a page crawled s·σ ago is stale. */
export function lomaxEquilibrium(alpha: number, s: number): number {
  return -Math.expm1((1 - alpha) * Math.log1p(s / alpha));
}

/** δ·G(b) + n₁·I(b, d) for Lomax gaps, in units of σ²/m. */
export function lomaxGain(alpha: number, b: number, d: number, n1: number, delta: number): number {
  return delta * lomaxPartial(alpha, b) + n1 * lomaxTriangle(alpha, b, d);
}

/** M(Y, 0, 1) for Lomax gaps: the gain of the first crawl of a page never crawled, in units of σ²/m. */
export function lomaxFirstGain(alpha: number, total: number): number {
  const fresh = Math.exp((1 - alpha) * Math.log1p(total / alpha));
  return total * (alpha / (alpha - 1)) * fresh + lomaxPartial(alpha, total);
}
