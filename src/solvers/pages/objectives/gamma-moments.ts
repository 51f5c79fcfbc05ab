/**
 * The time to a change when the change rate is believed to be Gamma(a, b) (shape a, mean a/b): a Lomax law.
 *
 * In units of b, with u = age/b: the copy is current with probability (1 + u)^{−a}, and the time T of the first change
 * has the density f(t) = a(1 + t)^{−a−1}. Every cost of a copy under such a belief follows from two numbers:
 *
 *     F(u) = ∫₀ᵘ f,   M₁(u) = ∫₀ᵘ t·f dt.
 *
 * M₁ is computed by the binomial series for (a + 2)u < 0.3. Otherwise M₁ = E(a − 1) − u(1 + u)^{−a} with L = ln(1 + u)
 * and E(k) = (1 − e^{−kL})/k, E(0) = L: the difference is at least about a hundredth of its terms, so that two digits
 * are lost. Relative errors: 1e−13 for a from .01 to 1e6.
 * Source: integration by parts.
 */

/** (1 − e^{−kL})/k. */
const decayIntegral = (k: number, logAge: number): number => (k === 0 ? logAge : -Math.expm1(-k * logAge) / k);

/** Σ_n binom(−a − 1, n)·u^{n+2}·a/(n + 2), the series of M₁. */
function series(a: number, u: number): number {
  let term = a * u * u;
  let sum = term / 2;
  for (let n = 1; n < 60; n++) {
    term *= (-(a + n) * u) / n;
    const next = term / (n + 2);
    sum += next;
    if (Math.abs(next) < 1e-17 * Math.abs(sum)) break;
  }
  return sum;
}

/** F(u): the probability of a change by u. */
export function changedWithin(a: number, u: number): number {
  return -Math.expm1(-a * Math.log1p(u));
}

/** M₁(u); at Infinity its limit, Infinity where a ≤ 1. */
export function firstMoment(a: number, u: number): number {
  if (u === Number.POSITIVE_INFINITY) return a > 1 ? 1 / (a - 1) : u;
  if ((a + 2) * u < 0.3) return series(a, u);
  const logAge = Math.log1p(u);
  return firstMomentAt(a, u, logAge, Math.exp(-a * logAge));
}

/** Adds M₁(u), u·M₁′ and u·(u·M₁′)′, each times a mass, to three sums; u finite. */
export function addFirstMoment(a: number, u: number, mass: number, sums: Float64Array): void {
  const logAge = Math.log1p(u);
  const fresh = Math.exp(-a * logAge);
  const steep = mass * a * fresh * u * (u / (1 + u));
  sums[0] += mass * ((a + 2) * u < 0.3 ? series(a, u) : firstMomentAt(a, u, logAge, fresh));
  sums[1] += steep;
  sums[2] += steep * (2 - ((a + 1) * u) / (1 + u));
}

/** ∫₀ᵘ F = u·F(u) − M₁(u); M₁ is at most about half of u·F(u), so that the difference keeps its digits. */
export function changedTime(a: number, u: number): number {
  if (!((a + 2) * u >= 0.3)) return u * changedWithin(a, u) - series(a, u);
  const logAge = Math.log1p(u);
  const fresh = Math.exp(-a * logAge);
  const changeChance = fresh < 0.5 ? 1 - fresh : -Math.expm1(-a * logAge);
  return u * changeChance - firstMomentAt(a, u, logAge, fresh);
}

/** M₁ in closed form, from L = ln(1 + u) and fresh = (1 + u)^{−a}; for (a + 2)u ≥ 0.3. */
function firstMomentAt(a: number, u: number, logAge: number, fresh: number): number {
  const younger = a - 1;
  // ∫₀ᵘ (1 + t)^{−a} dt, from the known power unless 1 − power cancels
  const area = Math.abs(younger) * logAge > 0.5 ? (1 - fresh * (1 + u)) / younger : decayIntegral(younger, logAge);
  return area - u * fresh;
}
