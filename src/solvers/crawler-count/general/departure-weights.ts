import { type FourierTransform, fourierTransform } from '../../numerics/quadrature/fourier.ts';
import type { ArrivalsDuringService } from './arrivals.ts';

/**
 * The law of the number left behind by a departure from an M/G/1/K queue, up to a common factor: p_0 = 1 and
 *   p_{j+1}·P(A = 0) = p_0·b_j + S_j, S_j = Σ_{i=1..j} p_i·b_{j−i+1}, b_m = P(A > m),
 * every term positive. All is scaled by 1e−200 whenever it grows past 1e150, so what is negligible may become 0.
 *
 * Two ways to the sums, the shorter taken by the tail of A:
 * - Light tails: S_j term by term from i = j down, cut once what is left, at most max(p)·Σ b, is below 1e−17 of the
 *   first term. O(K·w), w a few hundred.
 * - Heavy tails: the recursion by halves. With p known on [l, m), its share in S on [m, r) is one convolution, done by
 *   Fourier transforms: O(K·log² K). Their error is relative to the largest terms of a block. So an estimate of it
 *   (ε·log₂ n·‖p‖·‖b‖ a block) is kept for every S_j, and where it passes 3e−11·S_j the sum is done again term by term.
 *
 * Where P(A = 0) < 1e−150 all mass is at K − 1 to that accuracy. Source of the divide and conquer: M. Fischer and L.
 * Stockmeyer, Fast on-line integer multiplication (1974); J. van der Hoeven, Relax, but don't be too lazy, J. Symbolic
 * Comput. 34 (2002).
 */
export function departureWeights(capacity: number, arrivals: ArrivalsDuringService, goOn: () => void): Float64Array {
  const p = new Float64Array(capacity);
  if (capacity > 1 && arrivals.none < 1e-150) {
    p[capacity - 1] = 1;
    return p;
  }
  p[0] = 1;
  if (tailLength(capacity, arrivals) < shortSum) termByTerm(p, arrivals, goOn);
  else byHalves(p, arrivals, goOn);
  return p;
}

/** Up to this many terms of b the plain sum is quicker. */
const shortSum = 400;
/** Blocks of this length are summed term by term. */
const blockLength = 64;
/** What a weight may reach before all are scaled down. */
const ceilingValue = 1e150;
const scaleUnit = 1e-200;
/** A weight below this ends the recursion: the rest is left 0. */
const minValue = 1e-290;

/** How many terms of b matter while p neither rises nor falls much. */
function tailLength(capacity: number, { beyond, excess }: ArrivalsDuringService): number {
  let w = 1;
  while (w < capacity - 1 && excess[w + 1] > 1e-17 * beyond[1]) w++;
  return w;
}

function termByTerm(p: Float64Array, { none, beyond, excess }: ArrivalsDuringService, goOn: () => void): void {
  const capacity = p.length;
  const sums = new Sums(p, beyond);
  // largest[i] = max(p_1..p_i)
  const largest = new Float64Array(capacity);
  let width = 1;
  for (let j = 0; j + 1 < capacity && p[j] >= minValue; j++) {
    if ((j & 255) === 0) goOn();
    if (j > 0) {
      const enough = (w: number): boolean => w >= j || largest[j - w] * excess[w + 1] <= 1e-17 * p[j] * beyond[1];
      width = Math.min(width, j);
      if (enough(width)) while (width > 1 && enough(width - 1)) width--;
      else while (!enough(width)) width++;
    }
    const next = (p[0] * beyond[j] + sums.over(j, Math.max(sums.first, j - width + 1), j)) / none;
    p[j + 1] = next;
    largest[j + 1] = Math.max(largest[j], next);
    if (next > ceilingValue) {
      sums.scaleDown(j + 1);
      for (let i = 0; i <= j + 1; i++) largest[i] *= scaleUnit;
    }
  }
}

/** Sums p_i·b_{j−i+1} over ranges of i. */
class Sums {
  /** The first i ≥ 1 whose p_i has not been scaled away. */
  first = 1;
  readonly p: Float64Array;
  /** b backwards, so that both arrays are read upward. */
  readonly reversed: Float64Array;

  constructor(p: Float64Array, beyond: Float64Array) {
    this.p = p;
    this.reversed = Float64Array.from(beyond).reverse();
  }

  /** Over i = from..to, for S_j. */
  over(j: number, from: number, to: number): number {
    const { p, reversed } = this;
    const offset = p.length - 2 - j;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let i = from;
    for (; i + 3 <= to; i += 4) {
      s0 += p[i] * reversed[offset + i];
      s1 += p[i + 1] * reversed[offset + i + 1];
      s2 += p[i + 2] * reversed[offset + i + 2];
      s3 += p[i + 3] * reversed[offset + i + 3];
    }
    for (; i <= to; i++) s0 += p[i] * reversed[offset + i];
    return s0 + s1 + s2 + s3;
  }

  /** Scales p_0..p_last. */
  scaleDown(last: number): void {
    const { p } = this;
    p[0] *= scaleUnit;
    for (let i = this.first; i <= last; i++) p[i] *= scaleUnit;
    while (this.first < last && p[this.first] === 0) this.first++;
  }
}

/** The spectrum of b_{v+1}·e^(tilt·v), v = 0..size−1, with the first `skip` entries taken as 0, and its 2-norm. */
interface Kernel {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly norm: number;
}

function kernelOf(beyond: Float64Array, transform: FourierTransform, skip: number, tilt = 0): Kernel {
  const re = new Float64Array(transform.size);
  for (let v = skip; v < re.length && v + 1 < beyond.length; v++) re[v] = beyond[v + 1] * Math.exp(tilt * v);
  const norm = norm2(re);
  const im = new Float64Array(re.length);
  transform.forward(re, im);
  return { re, im, norm };
}

/** What one size of block needs: its transform, all of b, and b from a quarter of the size on. */
interface Scale {
  readonly transform: FourierTransform;
  readonly all: Kernel;
  readonly far: Kernel;
}

function byHalves(p: Float64Array, { none, beyond }: ArrivalsDuringService, goOn: () => void): void {
  const last = p.length - 2;
  const sums = new Sums(p, beyond);
  // shares of S_j that are already known, and a bound on their error
  const known = new Float64Array(p.length);
  const error = new Float64Array(p.length);
  const scales = new Map<number, Scale>();
  const scaleOf = (size: number): Scale => {
    const before = scales.get(size);
    if (before !== undefined) return before;
    const transform = fourierTransform(size);
    const scale = { transform, all: kernelOf(beyond, transform, 0), far: kernelOf(beyond, transform, size / 4) };
    scales.set(size, scale);
    return scale;
  };
  const step = (j: number, sum: number): void => {
    const next = (p[0] * beyond[j] + sum) / none;
    p[j + 1] = next;
    if (next <= ceilingValue) return;
    sums.scaleDown(j + 1);
    for (let i = j + 1; i <= last; i++) {
      known[i] *= scaleUnit;
      error[i] *= scaleUnit;
    }
  };
  /** Adds what p[low..low+half) puts into S_j for j = low+half..low+2·half−1. */
  const passOn = (low: number, half: number): void => {
    const scale = scaleOf(2 * half);
    const { transform } = scale;
    const tilt = tiltOf(p, low, half);
    const kernel = (skip: number): Kernel => {
      if (tilt > 0) return kernelOf(beyond, transform, skip, tilt);
      return skip === 0 ? scale.all : scale.far;
    };
    const re = new Float64Array(2 * half);
    const im = new Float64Array(2 * half);
    let norms = 0;
    const add = (from: number, to: number, { re: br, im: bi, norm }: Kernel): void => {
      const x = new Float64Array(2 * half);
      const y = new Float64Array(2 * half);
      for (let i = from; i < to; i++) x[i - low] = p[i] * Math.exp(tilt * (i - low));
      norms += norm2(x) * norm;
      transform.forward(x, y);
      for (let k = 0; k < 2 * half; k++) {
        re[k] += x[k] * br[k] - y[k] * bi[k];
        im[k] += x[k] * bi[k] + y[k] * br[k];
      }
    };
    if (low > 1) add(low, low + half, kernel(0));
    else {
      // The head of p, often much larger than the rest, only meets the far part of b. Kept apart, its error is as small
      // as that.
      add(1, 1 + half / 2, kernel(half / 2));
      add(1 + half / 2, 1 + half, kernel(0));
    }
    transform.inverse(re, im);
    const bound = Number.EPSILON * Math.log2(2 * half) * norms;
    for (let w = half; w < 2 * half && low + w <= last; w++) {
      const back = Math.exp(-tilt * w);
      known[low + w] += Math.max(0, re[w]) * back;
      error[low + w] += bound * back;
    }
  };
  /** Finds p_{j+1} for j in [low, low + length), given p up to `low` and what earlier weights put into S. */
  const solve = (low: number, length: number): void => {
    if (low > last || p[low] < minValue) return;
    goOn();
    if (length > blockLength) {
      solve(low, length / 2);
      if (low + length / 2 > last) return;
      passOn(low, length / 2);
      solve(low + length / 2, length / 2);
      return;
    }
    for (let j = low; j < low + length && j <= last && p[j] >= minValue; j++) {
      const sum = known[j] + sums.over(j, Math.max(low, sums.first), j);
      step(j, error[j] <= 3e-11 * sum ? sum : sums.over(j, sums.first, j));
    }
  };
  step(0, 0);
  let size = blockLength;
  while (size < last) size *= 2;
  solve(1, size);
}

/**
 * The exponent that levels p over the second half of [low, low + half) where it falls by more than e²; else 0. Held
 * below what keeps e^(tilt·2·half) a double. Multiplying p_i by e^(tilt·i) and b_m by e^(tilt·m) leaves the convolution
 * what it is, and its rounding in proportion.
 */
function tiltOf(p: Float64Array, low: number, half: number): number {
  const span = half / 2 - 1;
  const fall = Math.log(p[low + half / 2] / p[low + half - 1]);
  return fall > 2 ? Math.min(fall / span, 300 / (2 * half)) : 0;
}

function norm2(x: Float64Array): number {
  let sum = 0;
  for (const value of x) sum += value * value;
  return Math.sqrt(sum);
}
