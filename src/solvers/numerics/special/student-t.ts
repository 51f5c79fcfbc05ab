import { incompleteBeta } from './incomplete-beta.ts';

/**
 * The t with P(|T| ≤ t) = share for Student's law, share in (0, 1): bisection of P(|T| > t) = I_x(ν/2, 1/2), x = ν/(ν +
 * t²), ν the degrees of freedom (Abramowitz & Stegun 26.7.1).
 */
export function studentQuantile(share: number, degrees: number): number {
  const isBelow = (t: number): boolean => incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) > 1 - share;
  let low = 0;
  let high = 1;
  while (isBelow(high)) high *= 2;
  for (let i = 0; i < 100 && high - low > 1e-14 * high; i++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
