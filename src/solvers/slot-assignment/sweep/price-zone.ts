/**
 * A set of pairs (π, ρ) bounded by differences, as six numbers: [π low, π high, ρ low, ρ high, π−ρ low, π−ρ high].
 * Source: difference-bound matrices, Dill (1989).
 */
export type Zone = Float64Array;

/**
 * Tightens each bound by what the others imply. Bounds that then contradict each other, by rounding where there is a
 * point, meet in their middle. Tightened by one another they would part twice as far at every further step.
 *
 * @returns the largest contradiction, 0 for none
 */
export function close(z: Zone): number {
  if (z[0] - z[3] > z[4]) z[4] = z[0] - z[3];
  if (z[1] - z[2] < z[5]) z[5] = z[1] - z[2];
  if (z[0] - z[5] > z[2]) z[2] = z[0] - z[5];
  if (z[1] - z[4] < z[3]) z[3] = z[1] - z[4];
  if (z[2] + z[4] > z[0]) z[0] = z[2] + z[4];
  if (z[3] + z[5] < z[1]) z[1] = z[3] + z[5];
  let violation = 0;
  for (let low = 0; low < 6; low += 2) {
    const over = z[low] - z[low + 1];
    if (!(over > 0)) continue;
    violation = Math.max(violation, over);
    z[low] = z[low + 1] = z[low + 1] + over / 2;
  }
  return violation;
}
