/**
 * Which gap a price buys: the inverse of G (page-gain.ts), tabulated once.
 *
 * At price θ the best gap s of a page solves G(s) = p = θ/worth. With q = √p the ratio z = q/s is smooth in q (z → 1/√2
 * as q → 0). So linear interpolation of z on a uniform grid of q gives s = q/z and the real number of gaps
 * v = Y/s = Y·z/q. It needs no exponential and no logarithm. Lomax pages take a bilinear interpolation over 1/α as well
 * (0: Poisson, 1: α = 1).
 *
 * Poisson: 8193 points, q < 0.995 (s < 6.9); Lomax: 129 rows of 1025 points in y = q/(1 + q), q < 4, and q < 0.9·√G(∞)
 * of the row with the smaller limit. Outside, and wherever z is 0, the caller must search with exact gains. Relative
 * error of z: below 2e−5·(1 + s²) for s < 16, which the tests measure. A count taken from it is therefore checked
 * against exact gains when it falls near an integer. The whole answer is certified afterwards.
 *
 * The tables are constants of mathematics, built on first use (about 5 ms and 60 ms).
 */

import { freshnessGain } from '../../pages/objectives/index.ts';
import { lomaxPartial } from './lomax-kernel.ts';

export const poissonCells = 8192;
export const poissonMost = 0.995;
export const lomaxRows = 128;
export const lomaxCells = 1024;
export const lomaxMost = 4;

/** Newton's method for G(s) = p in ln s from a start below or near the root; G′(s) = s·S(s). */
function invert(p: number, start: number, partial: (s: number) => number, survival: (s: number) => number): number {
  let s = start;
  for (let pass = 0; pass < 60; pass++) {
    const value = partial(s);
    // d ln G/d ln s = s²S/G; the step in ln s is bounded, so the tail cannot throw it away
    const step = (p - value) / (s * s * survival(s));
    const factor = step > 1 ? 2.7 : step < -0.6 ? 0.5 : 1 + step;
    s *= factor;
    if (Math.abs(factor - 1) < 1e-9) break;
  }
  return s;
}

function buildPoisson(): Float64Array {
  const z = new Float64Array(poissonCells + 2);
  z[0] = Math.SQRT1_2;
  let s = 0;
  for (let k = 1; k < z.length; k++) {
    const q = Math.min(0.9999, (k * poissonMost) / poissonCells);
    s = invert(q * q, Math.max(s, q * Math.SQRT2), freshnessGain, (v) => Math.exp(-v));
    z[k] = q / s;
  }
  return z;
}

function buildLomax(): Float64Array {
  const width = lomaxCells + 2;
  const z = new Float64Array((lomaxRows + 2) * width);
  for (let row = 0; row <= lomaxRows; row++) {
    const inverse = Math.max(row / lomaxRows, 1e-9);
    const alpha = 1 / inverse;
    const limit = inverse < 0.5 ? 0.9 / Math.sqrt((1 - inverse) * (1 - 2 * inverse)) : Number.POSITIVE_INFINITY;
    const partial = (s: number): number => lomaxPartial(alpha, s);
    const survival = (s: number): number => Math.exp(-alpha * Math.log1p(s / alpha));
    let s = 0;
    z[row * width] = Math.SQRT1_2;
    for (let k = 1; k < width; k++) {
      const y = (k * lomaxMost) / (1 + lomaxMost) / lomaxCells;
      const q = y / (1 - y);
      if (q >= limit) break;
      s = invert(q * q, Math.max(s, q * Math.SQRT2), partial, survival);
      z[row * width + k] = q / s;
    }
  }
  return z;
}

let poisson: Float64Array | null = null;
let lomax: Float64Array | null = null;

/** z at q = k·0.995/8192. */
export function poissonTable(): Float64Array {
  poisson ??= buildPoisson();
  return poisson;
}

/** z at [row of 1/α = row/128][q/(1 + q) = k·0.8/1024], rows of 1026; 0 outside the domain. */
export function lomaxTable(): Float64Array {
  lomax ??= buildLomax();
  return lomax;
}
