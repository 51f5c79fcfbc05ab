/**
 * A set of pairs (π, ρ) bounded by differences, as six numbers: [π low, π high, ρ low, ρ high, π−ρ low, π−ρ high].
 * Source: difference-bound matrices, Dill (1989).
 */
export type Zone = Float64Array;

/** Tightens each bound by what the others imply. */
export function close(z: Zone): void {
  if (z[0] - z[3] > z[4]) z[4] = z[0] - z[3];
  if (z[1] - z[2] < z[5]) z[5] = z[1] - z[2];
  if (z[0] - z[5] > z[2]) z[2] = z[0] - z[5];
  if (z[1] - z[4] < z[3]) z[3] = z[1] - z[4];
  if (z[2] + z[4] > z[0]) z[0] = z[2] + z[4];
  if (z[3] + z[5] < z[1]) z[1] = z[3] + z[5];
}
