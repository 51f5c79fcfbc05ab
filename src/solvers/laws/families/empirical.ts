import { staleChanges } from '../../numerics/special/stale-changes.ts';
import type { LawWithLogLaplace, LogLaplace } from '../law.ts';

/** One of `values` (each ≥ 0, not all 0) with probability proportional to `weights` (default: all equal). */
export interface Empirical {
  readonly type: 'empirical';
  readonly values: readonly number[];
  readonly weights?: readonly number[] | undefined;
}

/**
 * The law of a sample: a mixture of constants. Values are sorted once. Survival and truncated moments then are a binary
 * search in prefix sums of w·v and w·v² and in suffix sums of w. Equal values are merged, values of weight 0 dropped.
 */
export function empiricalLaw(distribution: Empirical): LawWithLogLaplace {
  const { values, weights } = mixtureOfConstants(distribution);
  const n = values.length;
  // sumBelow[i], squareSumBelow[i]: sums of w·v and w·v² over the values before i; weightAbove[i]: Σ w from i on
  const sumBelow = new Float64Array(n + 1);
  const squareSumBelow = new Float64Array(n + 1);
  const weightAbove = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    sumBelow[i + 1] = sumBelow[i] + weights[i] * values[i];
    squareSumBelow[i + 1] = squareSumBelow[i] + weights[i] * values[i] * values[i];
  }
  for (let i = n - 1; i >= 0; i--) weightAbove[i] = weightAbove[i + 1] + weights[i];
  for (let i = 0; i < n; i++) weightAbove[i] = Math.min(1, weightAbove[i]);
  if (n > 0) weightAbove[0] = 1;

  /** How many values are ≤ t. */
  const countUpTo = (t: number): number => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const mix = (f: (value: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += weights[i] * f(values[i]);
    return sum;
  };
  return {
    mean: sumBelow[n],
    secondMoment: squareSumBelow[n],
    survival: (t) => weightAbove[countUpTo(t)],
    density: null,
    laplace: (s) => mix((value) => (value === 0 ? 1 : Math.exp(-s * value))),
    laplaceComplement: (s) => mix((value) => (value === 0 ? 0 : -Math.expm1(-s * value))),
    truncatedMean: (t) => {
      const k = countUpTo(t);
      return k === n ? sumBelow[n] : sumBelow[k] + t * weightAbove[k];
    },
    truncatedSecondMoment: (t) => {
      const k = countUpTo(t);
      return k === n ? squareSumBelow[n] : squareSumBelow[k] + t * t * weightAbove[k];
    },
    sample: (random) => {
      // finds the last i with weightAbove[i] > u, u uniform in [0, 1)
      const u = random();
      let low = 0;
      let high = n - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (weightAbove[middle] > u) low = middle;
        else high = middle - 1;
      }
      return values[low];
    },
    phaseType: () => null,
    logLaplace: mixtureLogLaplace(values, weights),
  };
}

/** The distinct values, increasing, with their weights scaled to sum to 1; those of weight 0 are left out. */
export function mixtureOfConstants({ values, weights }: Empirical): { values: Float64Array; weights: Float64Array } {
  const order = Uint32Array.from(values, (_, i) => i);
  const raw = Float64Array.from(values);
  order.sort((i, j) => raw[i] - raw[j]);
  let total = 0;
  for (let i = 0; i < raw.length; i++) total += weights === undefined ? 1 : weights[i];
  const distinct = new Float64Array(raw.length);
  const share = new Float64Array(raw.length);
  let count = 0;
  for (const i of order) {
    const weight = weights === undefined ? 1 : weights[i];
    if (weight === 0) continue;
    if (count > 0 && distinct[count - 1] === raw[i]) share[count - 1] += weight / total;
    else {
      distinct[count] = raw[i];
      share[count++] = weight / total;
    }
  }
  return { values: distinct.slice(0, count), weights: share.slice(0, count) };
}

/**
 * The log transform. The load is measured from the smallest value, the excess from the mean: ln(1 + E[e^(−y) − 1 + y]),
 * y = s(X − E X).
 */
function mixtureLogLaplace(values: Float64Array, weights: Float64Array): LogLaplace {
  const smallest = values[0];
  let meanExcess = 0;
  for (let i = 0; i < values.length; i++) meanExcess += weights[i] * (values[i] - smallest);
  const mean = smallest + meanExcess;
  const load = (s: number): number => {
    let complement = 0;
    for (let i = 1; i < values.length; i++) complement -= weights[i] * Math.expm1(-s * (values[i] - smallest));
    if (complement < 0.5) return s * smallest - Math.log1p(-complement);
    let transform = 0;
    for (let i = 0; i < values.length; i++) transform += weights[i] * Math.exp(-s * (values[i] - smallest));
    return s * smallest - Math.log(transform);
  };
  const excess = (s: number): number => {
    if (s * mean > 1) return Math.max(0, s * mean - load(s));
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const y = s * (values[i] - mean);
      sum += weights[i] * (y >= 0 ? staleChanges(y) : exponentialRemainder(-y));
    }
    return Math.log1p(sum);
  };
  return { load, excess, expensive: values.length > 8 };
}

/** e^y − 1 − y for 0 ≤ y ≤ 1, as its series. */
function exponentialRemainder(y: number): number {
  let sum = 0;
  for (let n = 18; n > 2; n--) sum = (1 + sum) * (y / n);
  return (1 + sum) * ((y * y) / 2);
}
