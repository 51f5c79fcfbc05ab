/**
 * Functions of s, the load between two evenly spaced accesses of a page: s = L/f with L = −ln E e^(−μX) the load of one
 * access and f the access frequency. e^(−s) is the probability that the page has not changed since its last access.
 *
 * - staleness of an evenly accessed page: 1 − ρ·(1 − e^(−s))/s, ρ = L/(μ·E X) (Coffman, Liu & Weber 1997, Theorem 3.3);
 * - marginal(s) = 1 − (1 + s)e^(−s): what one more unit of frequency saves, as a share of its value at f = 0 (their
 *   equation (8) with y = e^(−s)). It rises from 0 to 1, so a page whose first access is worth less than the multiplier gets none.
 */
import { truncatedSquare } from '../numerics/special/exponential-sums.ts';

/** 1 − (1 + s)e^(−s) for s ≥ 0, without cancellation. */
export function marginal(s: number): number {
  return truncatedSquare(s) / 2;
}

/** (1 + s)e^(−s) = 1 − marginal(s). */
export function marginalComplement(s: number): number {
  return s > 745 ? 0 : (1 + s) * Math.exp(-s);
}

/**
 * The s ≥ 0 with marginal(s) = y, given both y and k = 1 − y so that neither end loses digits; Infinity for k ≤ 0.
 * (In closed form s = −1 − W₋₁(−k/e).)
 *
 * With u²/2 = −ln k the equation is s − ln(1 + s) = u²/2, whose solution is s = u + u²/3 + u³/36 − … (the expansion
 * behind Stirling's series, radius 2√π). Eight terms, then Halley steps, which triple the digits; relative error under
 * 1e−14.
 */
export function inverseMarginal(y: number, k: number): number {
  if (!(k > 0)) return Infinity;
  const half = y < 0.5 ? -Math.log1p(-y) : -Math.log(k);
  if (half > 3.2) {
    const guess = half + Math.log1p(half + Math.log1p(half));
    return halley(halley(guess, half), half);
  }
  const u = Math.sqrt(2 * half);
  const s = seriesInU(u);
  if (u < 0.08) return s;
  const closer = halley(s, half);
  return u < 1.2 ? closer : halley(closer, half);
}

/** s by its first eight terms in u. */
function seriesInU(u: number): number {
  const tail = u * (1 / 4320 + u * (1 / 17010 + u * (-139 / 5443200 + u / 204120)));
  return u * (1 + u * (1 / 3 + u * (1 / 36 + u * (-1 / 270 + tail))));
}

/** One Halley step for s − ln(1 + s) = half. */
function halley(s: number, half: number): number {
  const newton = ((s - Math.log1p(s) - half) * (1 + s)) / s;
  return s - newton / (1 - newton / (2 * s * (1 + s)));
}

/** s − 1 + e^(−s) for s ≥ 0, without cancellation: the load gone stale during an interval of load s. */
export function staleLoad(s: number): number {
  if (s > 0.3) return s + Math.expm1(-s);
  // s²/2 − s³/6 + …: what is left out is below 1e−16 of the sum
  const far =
    1 / 40320 - s * (1 / 362880 - s * (1 / 3628800 - s * (1 / 39916800 - s * (1 / 479001600 - s / 6227020800))));
  return s * s * (1 / 2 - s * (1 / 6 - s * (1 / 24 - s * (1 / 120 - s * (1 / 720 - s * (1 / 5040 - s * far))))));
}

/** x − ln(1 + x) for x ≥ 0, without cancellation. */
export function excessOverLog(x: number): number {
  if (x > 0.3) return x - Math.log1p(x);
  // with r = x/(2 + x): ln(1 + x) = 2(r + r³/3 + …) and x − 2r = r·x
  const r = x / (2 + x);
  const square = r * r;
  let sum = 0;
  for (let n = 21; n >= 3; n -= 2) sum = sum * square + 1 / n;
  return r * (x - 2 * square * sum);
}

/** −ln(1 − g) − g for 0 ≤ g < 1, without cancellation. */
export function logExcess(g: number): number {
  if (g > 0.3) return -Math.log1p(-g) - g;
  // with r = g/(2 − g): −ln(1 − g) = 2(r + r³/3 + …) and 2r − g = r·g
  const r = g / (2 - g);
  const square = r * r;
  let sum = 0;
  for (let n = 21; n >= 3; n -= 2) sum = sum * square + 1 / n;
  return r * (g + 2 * square * sum);
}
