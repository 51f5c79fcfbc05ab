/**
 * Student's t law with integer degrees of freedom: P(|T| ≤ t) by the finite sums of Abramowitz & Stegun 26.7.3–4, and
 * its quantiles by bisection. O(degrees of freedom).
 */

/** P(|T| ≤ t) for t ≥ 0. */
export function studentWithin(t: number, degrees: number): number {
  const theta = Math.atan(t / Math.sqrt(degrees));
  const cos = Math.cos(theta);
  const sin = Math.sin(theta);
  if (degrees === 1) return (2 / Math.PI) * theta;
  let term = degrees % 2 === 1 ? cos : 1;
  let sum = term;
  for (let k = degrees % 2 === 1 ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= (cos * cos * (k - 1)) / k;
    sum += term;
  }
  return degrees % 2 === 1 ? (2 / Math.PI) * (theta + sin * sum) : sin * sum;
}

/** t with P(|T| ≤ t) = share, for share in (0, 1). */
export function studentQuantile(share: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (studentWithin(high, degrees) < share) high *= 2;
  for (let i = 0; i < 100 && high - low > 1e-14 * high; i++) {
    const middle = (low + high) / 2;
    if (studentWithin(middle, degrees) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
