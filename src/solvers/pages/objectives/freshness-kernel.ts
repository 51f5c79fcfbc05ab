/**
 * A copy of a page that changes as a Poisson process, as functions of y = λ·age, the changes expected since its fetch.
 *
 *   χ(y) = y − 1 + e^(−y) = ∫₀^y (1 − e^(−u)) du   expected stale time of the copy, in units of 1/λ
 *   G(y) = 1 − (1 + y)e^(−y) = ∫₀^y u e^(−u) du     gain by a fetch
 *
 * Fetched at intervals τ the page is stale the share χ(λτ)/(λτ) of the time, and the derivative in the frequency 1/τ is
 * −G(λτ)/λ. At a price μ of a fetch the best interval solves w·G(λτ)/λ = μ; there is none where μλ ≥ w.
 *
 * For y < 1/2 the closed form of G cancels, and G is computed from χ with a loss of one bit. Relative error at most
 * 2e−15 for y ≥ 1e−150. At most one exponential.
 * Source: Cho & Garcia-Molina 2003, "Effective page refresh policies for web crawlers", section 4.
 */
import { staleChanges } from '../../numerics/special/stale-changes.ts';

export { staleChanges };

/** G(y) = 1 − (1 + y)e^(−y) = y² − (1 + y)χ(y), y ≥ 0. */
export function freshnessGain(y: number): number {
  if (y < 0.5) return y * y - (1 + y) * staleChanges(y);
  return y < 745 ? 1 - (1 + y) * Math.exp(-y) : 1;
}

/**
 * Inverse of G: the y ≥ 0 with G(y) = gain. The argument `rest` = 1 − gain keeps the digits of a gain near 1. Infinity
 * for a rest of 0. Relative error at most 1e−14.
 */
export function changesAtGain(gain: number, rest = 1 - gain): number {
  if (!(rest > 0)) return Infinity;
  return changesAtLoad(gain < 0.5 ? -Math.log1p(-gain) : -Math.log(rest));
}

/** Load up to which the series below is within 1%: one step of {@link closer} then gives all digits. */
const seriesLoad = 5;

/**
 * The y with 1 − G(y) = e^(−load): the root of y − ln(1 + y) = load. Works from the load, which has more digits than
 * the gain.
 *
 * With u = √(2·load) the root is u + u²/3 + u³/36 − … (the expansion behind Stirling's series, radius 2√π), cut after
 * eight terms; large loads start from y = load + ln(1 + y), three times. (In closed form y = −1 − W₋₁(−e^(−1−load)).)
 */
function changesAtLoad(load: number): number {
  if (load === Infinity) return Infinity;
  if (load > seriesLoad) return closer(load + Math.log1p(load + Math.log1p(load + Math.log1p(load))), load);
  const u = Math.sqrt(2 * load);
  const tail = u * (1 / 4320 + u * (1 / 17010 + u * (-139 / 5443200 + u / 204120)));
  const y = u * (1 + u * (1 / 3 + u * (1 / 36 + u * (-1 / 270 + tail))));
  return u < 0.08 ? y : closer(y, load);
}

/**
 * One step towards the root of g(y) = y − ln(1 + y) − load that multiplies the digits by five: the Taylor series of the
 * inverse of g to fourth order in Newton's step g/g′, with a_k = g⁽ᵏ⁾/(k!·g′).
 */
function closer(y: number, load: number): number {
  const t = 1 / (1 + y);
  const newton = (y - Math.log1p(y) - load) / (y * t);
  const a2 = t / (2 * y);
  const a3 = (-t * t) / (3 * y);
  const a4 = (t * t * t) / (4 * y);
  return y - newton * (1 + newton * (a2 + newton * (2 * a2 * a2 - a3 + newton * (5 * a2 * (a2 * a2 - a3) + a4))));
}
