/**
 * The steps of the search for the multiplier λ of {@link deterministicFrequencies}: of λ itself, and of the load s
 * between two accesses of a page from one λ to the next.
 */
import { inverseMarginal, roughInverseMarginal } from './even-spacing.ts';

/** Differences of S⁻² below this are rounding. */
const roundedInverse = 1e-11;

/** λ and S⁻² there. */
export interface Point {
  readonly multiplier: number;
  readonly inverse: number;
}

/**
 * dS⁻²/dλ by the secant where the last step came much nearer to 1, by `guess` at the first point; null: by the tangent.
 */
export function slopeFrom(before: Point | null, { multiplier, inverse }: Point, guess: number | null): number | null {
  if (before === null) return guess;
  const moved = inverse - before.inverse;
  if (Math.abs(inverse - 1) > 0.25 * Math.abs(before.inverse - 1) || Math.abs(moved) < roundedInverse) return null;
  const slope = moved / (multiplier - before.multiplier);
  return slope > 0 && slope < Number.POSITIVE_INFINITY ? slope : null;
}

/** The root of the second-order expansion of marginal around s, from the Newton step. */
export function halleyStep(s: number, newton: number): number {
  return newton / (1 - (newton * (s - 1)) / (2 * s));
}

/**
 * {@link inverseMarginal}, from a nearby s (0: not known) or a rough one: one exponential instead of two logarithms.
 */
export function renewedSpacing(known: number, y: number, k: number): number {
  const s = known > 0 ? known : roughInverseMarginal(k);
  if (s > 0.2 && s < 40) {
    const unchanged = Math.exp(-s);
    const newton = ((1 + s) * unchanged - k) / (s * unchanged);
    // third order: what is left is below 1e−6 of s here, below 1e−15 a sweep later
    if (Math.abs(newton) < 0.01 * s) return s + halleyStep(s, newton);
  }
  return inverseMarginal(y, k);
}
