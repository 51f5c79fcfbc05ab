/**
 * G, F_e and the survival function of a smooth law by interpolation, for laws that thousands of pages share.
 *
 * Model (page-gain.ts): with t = ln s, g(t) = G(s)/s² and φ(t) = F_e(s)/s are smooth and bounded, and their derivatives
 * are known,
 *
 *   g′ = S − 2g,  g″ = −s·f − 2g′,  φ′ = S − φ,  φ″ = −s·f − φ′        (f the density, S the survival function, unit mean),
 *
 * so quintic Hermite polynomials on a uniform grid of t reproduce G and F_e with an error of order h⁶; S = φ + φ′.
 * Method: h = 1/32, then 1/128 and 1/512 until the error midway between nodes is below 2e−13 (G, F_e, relative) and
 * 1e−10 (S). A law that none of them serves (jumps, bends) gets no interpolant.
 * Domain: s from e^−20 to e^9; the caller asks the law itself outside. Cost: one logarithm and some thirty products a
 * call, against 0.3 to 2 µs for incomplete gammas and error functions; a few milliseconds to build. Source: standard
 * Hermite interpolation.
 */
import type { Law } from '../../laws/law.ts';

const logStart = -20;
const logEnd = 9;
export const minInterpolated = Math.exp(logStart);
export const maxInterpolated = Math.exp(logEnd);

export interface LawInterpolant {
  readonly perUnit: number;
  /** Six numbers a node: g, h·g′, h²·g″, φ, h·φ′, h²·φ″. */
  readonly nodes: Float64Array;
}

/** The interpolant of a law; null where the law is not smooth enough for one. */
export function lawInterpolant(law: Law, mean: number): LawInterpolant | null {
  if (law.density === null) return null;
  for (const perUnit of [32, 128, 512]) {
    const interpolant = buildInterpolant(law, law.density, mean, perUnit);
    if (isAccurate(interpolant, law, mean)) return interpolant;
  }
  return null;
}

function buildInterpolant(law: Law, density: (t: number) => number, mean: number, perUnit: number): LawInterpolant {
  const h = 1 / perUnit;
  const count = (logEnd - logStart) * perUnit + 1;
  const nodes = new Float64Array(6 * count);
  for (let k = 0; k < count; k++) {
    const time = Math.exp(logStart + k * h) * mean;
    const survival = law.survival(time);
    const bend = -time * density(time);
    const g = law.truncatedSecondMoment(time) / (2 * time * time);
    const slopeG = survival - 2 * g;
    const phi = law.truncatedMean(time) / time;
    const slopePhi = survival - phi;
    nodes[6 * k] = g;
    nodes[6 * k + 1] = h * slopeG;
    nodes[6 * k + 2] = h * h * (bend - 2 * slopeG);
    nodes[6 * k + 3] = phi;
    nodes[6 * k + 4] = h * slopePhi;
    nodes[6 * k + 5] = h * h * (bend - slopePhi);
  }
  return { perUnit, nodes };
}

/**
 * Whether the interpolant meets its tolerances midway between nodes, where the error is largest. Every law has its
 * steepest part within e^±8 of its mean.
 */
function isAccurate(interpolant: LawInterpolant, law: Law, mean: number): boolean {
  const { perUnit } = interpolant;
  for (let k = 0; k < (logEnd - logStart) * perUnit; k++) {
    const s = Math.exp(logStart + (k + 0.5) / perUnit);
    const time = s * mean;
    const partial = law.truncatedSecondMoment(time) / (2 * mean * mean);
    if (!(Math.abs(interpolatedPartial(interpolant, s) - partial) <= 2e-13 * partial)) return false;
    const equilibrium = law.truncatedMean(time) / mean;
    if (!(Math.abs(interpolatedEquilibrium(interpolant, s) - equilibrium) <= 2e-13 * equilibrium)) return false;
    if (!(Math.abs(interpolatedSurvival(interpolant, s) - law.survival(time)) <= 1e-10)) return false;
  }
  return true;
}

/** The quintic through two nodes, at x in [0, 1] between them; `at` is the first node's offset. */
function quintic(nodes: Float64Array, at: number, x: number): number {
  const y0 = nodes[at];
  const d0 = nodes[at + 1];
  const c0 = 0.5 * nodes[at + 2];
  const rise = nodes[at + 6] - y0 - d0 - c0;
  const slope = nodes[at + 7] - d0 - 2 * c0;
  const bend = 0.5 * nodes[at + 8] - c0;
  const a3 = 10 * rise - 4 * slope + bend;
  const a4 = -15 * rise + 7 * slope - 2 * bend;
  const a5 = 6 * rise - 3 * slope + bend;
  return y0 + x * (d0 + x * (c0 + x * (a3 + x * (a4 + x * a5))));
}

/** The derivative of {@link quintic} in x. */
function quinticSlope(nodes: Float64Array, at: number, x: number): number {
  const d0 = nodes[at + 1];
  const c0 = 0.5 * nodes[at + 2];
  const rise = nodes[at + 6] - nodes[at] - d0 - c0;
  const slope = nodes[at + 7] - d0 - 2 * c0;
  const bend = 0.5 * nodes[at + 8] - c0;
  const a3 = 10 * rise - 4 * slope + bend;
  const a4 = -15 * rise + 7 * slope - 2 * bend;
  const a5 = 6 * rise - 3 * slope + bend;
  return d0 + x * (2 * c0 + x * (3 * a3 + x * (4 * a4 + x * 5 * a5)));
}

/** G(s) by interpolation, s from `minInterpolated` to `maxInterpolated`. */
export function interpolatedPartial({ perUnit, nodes }: LawInterpolant, s: number): number {
  const place = (Math.log(s) - logStart) * perUnit;
  const k = place | 0;
  return s * s * quintic(nodes, 6 * k, place - k);
}

/** F_e(s) by interpolation, s from `minInterpolated` to `maxInterpolated`. */
export function interpolatedEquilibrium({ perUnit, nodes }: LawInterpolant, s: number): number {
  const place = (Math.log(s) - logStart) * perUnit;
  const k = place | 0;
  return s * quintic(nodes, 6 * k + 3, place - k);
}

/** S(s) by interpolation, s from `minInterpolated` to `maxInterpolated`. */
export function interpolatedSurvival({ perUnit, nodes }: LawInterpolant, s: number): number {
  const place = (Math.log(s) - logStart) * perUnit;
  const k = place | 0;
  const x = place - k;
  return Math.max(0, quintic(nodes, 6 * k + 3, x) + perUnit * quinticSlope(nodes, 6 * k + 3, x));
}
