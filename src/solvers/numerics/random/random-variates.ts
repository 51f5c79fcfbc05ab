import type { Random } from './random.ts';

/** One standard normal draw (Marsaglia's polar method). */
export function standardNormal(random: Random): number {
  for (;;) {
    const u = 2 * random() - 1;
    const v = 2 * random() - 1;
    const square = u * u + v * v;
    if (square > 0 && square < 1) return u * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** One exponential draw of mean 1. */
export function standardExponential(random: Random): number {
  return -Math.log1p(-random());
}

/**
 * One draw of a gamma law of rate 1: Marsaglia & Tsang (2000); below shape 1 through shape + 1 and a power of a
 * uniform.
 */
export function standardGamma(random: Random, shape: number): number {
  if (shape === 1) return standardExponential(random);
  if (shape < 1) return standardGamma(random, shape + 1) * Math.exp(-standardExponential(random) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = standardNormal(random);
    const v = (1 + c * z) ** 3;
    if (v <= 0) continue;
    if (-standardExponential(random) < (z * z) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}
