/**
 * The shortest delay at which a host refuses no more than a share ε of the requests, with an interval.
 *
 * Model: a request at pace x (steady-paces.ts) is refused with a chance p(x) that falls with x; D = inf{x : p(x) ≤ ε}.
 * Estimate: the falling fit of least squares to the outcomes in order of pace (pool adjacent violators). The least pace
 * at which it is ε or less is the estimate.
 * Interval: a delay d can be D only under two conditions. The requests with pace below d may have chances above ε, and
 * those from d on chances of ε or less. Both are binomial tests on the w requests next to d, at half the error each;
 * the interval spans the delays that neither refuses. For one d both tests are fixed beforehand, so that no allowance
 * for many tests is needed.
 * Refusals come in runs: with the lag-one correlation r of what the fit leaves, n requests count as n(1 − r)/(1 + r).
 * Complexity: O(n log n) and two incomplete beta functions a pace. Sources: Ayer et al. 1955 (the fit); Clopper &
 * Pearson 1934 (the tests); Bartlett 1946 (the correction).
 */
import { binomialAtLeast, binomialAtMost } from '../numerics/special/incomplete-beta.ts';
import type { Paces } from './steady-paces.ts';

/** Requests at or below a pace that are needed to call it the estimate. */
export const minRequestsAtPace = 20;
/** Cap on the lag-one correlation of refusals: without it the effective sample size would go to 0. */
const maxCorrelation = 0.95;

interface PaceLimit {
  /** Infinity where every pace was refused too often. */
  readonly delay: number;
  readonly low: number;
  readonly high: number;
  /** The fitted chance at `delay`. */
  readonly share: number;
}

/**
 * Requests in the window of a test: a quarter of all, between n and 4n, where n requests without a refusal are just enough
 * to show a chance of ε or less.
 */
function windowSize(count: number, tolerated: number, confidence: number): number {
  const fewest = Math.ceil(Math.log((1 - confidence) / 2) / Math.log1p(-tolerated));
  return Math.max(fewest, Math.min(4 * fewest, Math.floor(count / 4)));
}

export function estimatePaceLimit(paces: Paces, tolerated: number, confidence: number): PaceLimit {
  const count = paces.pace.length;
  const order = Uint32Array.from(paces.pace.keys()).sort((a, b) => paces.pace[a] - paces.pace[b] || a - b);
  const pace = Float64Array.from(order, (k) => paces.pace[k]);
  const before = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) before[k + 1] = before[k] + paces.refused[order[k]];
  const chance = antitonicFit(pace, before);
  const share = effectiveShare(paces, order, chance);
  const at = firstTolerated(pace, chance, tolerated);
  const level = (1 - confidence) / 2;
  const window = windowSize(count, tolerated, confidence);
  // whether D can lie in (pace[i − 1], pace[i]]
  const possible = (i: number): boolean => {
    const below = Math.min(window, i);
    const above = Math.min(window, count - i);
    const shorter = effectiveSample(below, before[i] - before[i - below], share);
    const longer = effectiveSample(above, before[i + above] - before[i], share);
    return (
      (shorter.n === 0 || binomialAtMost(shorter.most, shorter.n, tolerated) > level) &&
      (longer.n === 0 || binomialAtLeast(longer.fewest, longer.n, tolerated) > level)
    );
  };
  let low = Number.NaN;
  let high = Number.NaN;
  for (let i = 0; i <= count; i++) {
    if (i > 0 && i < count && pace[i] === pace[i - 1]) continue;
    if (!possible(i)) continue;
    if (Number.isNaN(low)) low = i === 0 ? 0 : pace[i - 1];
    high = i === count ? Number.POSITIVE_INFINITY : pace[i];
  }
  const delay = at < count ? pace[at] : Number.POSITIVE_INFINITY;
  // where the chances do not fall with the pace the tests may reject every delay: the interval is then unbounded
  if (Number.isNaN(low))
    return { delay, low: 0, high: Number.POSITIVE_INFINITY, share: chance[Math.min(at, count - 1)] };
  return { delay, low, high, share: chance[Math.min(at, count - 1)] };
}

/** Antitonic regression of the outcomes on the pace; requests at equal paces share one chance. O(n). */
function antitonicFit(pace: Float64Array, before: Float64Array): Float64Array {
  const starts: number[] = [];
  const means: number[] = [];
  const count = pace.length;
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && pace[to] === pace[from]) to++;
    let start = from;
    let mean = (before[to] - before[start]) / (to - start);
    while (starts.length > 0 && means[means.length - 1] <= mean) {
      start = starts.pop() ?? start;
      means.pop();
      mean = (before[to] - before[start]) / (to - start);
    }
    starts.push(start);
    means.push(mean);
    from = to;
  }
  const fit = new Float64Array(count);
  for (const [b, start] of starts.entries()) fit.fill(means[b], start, starts[b + 1] ?? count);
  return fit;
}

/**
 * The first position whose fitted chance is within the tolerance and that has enough requests up to it; the length where
 * there is none.
 */
function firstTolerated(pace: Float64Array, chance: Float64Array, tolerated: number): number {
  const first = chance.findIndex((each) => each <= tolerated);
  if (first < 0) return pace.length;
  return Math.max(first, Math.min(minRequestsAtPace, pace.length) - 1);
}

/** (1 − r)/(1 + r), r the lag-one correlation in time of outcomes less their fitted chances, between 0 and 0.95. */
function effectiveShare({ refused }: Paces, order: Uint32Array, chance: Float64Array): number {
  const left = new Float64Array(refused.length);
  for (const [position, k] of order.entries()) left[k] = refused[k] - chance[position];
  let squares = 0;
  let products = 0;
  for (let k = 0; k < left.length; k++) {
    squares += left[k] * left[k];
    if (k > 0) products += left[k] * left[k - 1];
  }
  const correlation = squares > 0 ? Math.min(maxCorrelation, Math.max(0, products / squares)) : 0;
  return (1 - correlation) / (1 + correlation);
}

/** Effective sample size of correlated requests, with their refusals rounded up and down. */
function effectiveSample(count: number, refusals: number, share: number): { n: number; most: number; fewest: number } {
  const n = Math.floor(count * share + 1e-9);
  const scaled = count > 0 ? (refusals * n) / count : 0;
  return { n, most: Math.ceil(scaled - 1e-9), fewest: Math.floor(scaled + 1e-9) };
}
