import { findRoot } from '../search/root.ts';
import { incompleteBeta } from './incomplete-beta.ts';

/**
 * The t with P(|T| ≤ t) = share for Student's law, share in (0, 1): the root of P(|T| > t) = I_x(ν/2, 1/2), x = ν/(ν +
 * t²), ν the degrees of freedom (Abramowitz & Stegun 26.7.1).
 */
export function studentQuantile(share: number, degrees: number): number {
  const excess = (t: number): number => incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) - (1 - share);
  let high = 1;
  while (excess(high) > 0) high *= 2;
  return findRoot(excess, 0, high);
}
