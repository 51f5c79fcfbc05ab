/**
 * How many probes a verdict will probably take. It is the least n at which the interval's half width is the size of the
 * difference, were every observation's variance the mean one. Method: Σλ_t and Σψ(λ_t) by Simpson's rule in ln t, and
 * bisection. Complexity: O(log n) sums of some hundred terms.
 */
import { betOf, psi } from './confidence-sequence.ts';

/** More probes than anybody makes. */
const mostProbes = 1e12;
const stepsAnOctave = 4;

/**
 * Probes until a difference is seen, in the scale of Y in [−2, 2].
 *
 * @param difference Δ, not 0
 * @param variance of Y
 * @param alpha the chance of a miss
 * @returns null where more than a million million would be needed
 */
export function probesNeeded(difference: number, variance: number, alpha: number): number | null {
  const size = Math.abs(difference) / 4;
  // The prior observation keeps the running variance above this for a long time.
  const spread = Math.max(variance / 16, 1e-12);
  const isWide = (n: number): boolean => halfWidth(n, spread, alpha) > size;
  if (!(size > 0) || isWide(mostProbes)) return null;
  let low = 0;
  let high = Math.log2(mostProbes);
  while (high - low > 1e-3) {
    const middle = (low + high) / 2;
    if (isWide(2 ** middle)) low = middle;
    else high = middle;
  }
  return Math.ceil(2 ** high);
}

/** The half width after n observations of this variance, in the scale of z in [0, 1]. */
function halfWidth(n: number, variance: number, alpha: number): number {
  const logTwoOverAlpha = Math.log(2 / alpha);
  const betAt = (t: number): number => betOf(t, (0.25 + variance * (t - 1)) / t, logTwoOverAlpha);
  const octaves = Math.log2(n);
  const steps = 2 * Math.max(1, Math.ceil((octaves * stepsAnOctave) / 2));
  const width = (octaves * Math.LN2) / steps;
  let bets = betAt(1) / 2 + betAt(n) / 2;
  let spread = psi(betAt(1)) / 2 + psi(betAt(n)) / 2;
  for (let k = 0; k <= steps; k++) {
    const t = Math.exp(k * width);
    const factor = ((k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2) * width * t) / 3;
    bets += factor * betAt(t);
    spread += factor * psi(betAt(t));
  }
  return (logTwoOverAlpha + variance * spread) / bets;
}
