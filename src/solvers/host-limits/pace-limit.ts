/**
 * The shortest delay at which a host refuses no more than a share ε of the requests, with an interval.
 *
 * Model: a request at pace x (steady-paces.ts) is refused with a chance p(x) that falls with x; D = inf{x : p(x) ≤ ε}.
 * Estimate: the least pace at which the antitonic least-squares fit to the outcomes (pool adjacent violators) is ε or
 * less.
 * Interval: if d is D, requests with pace below d are refused with chances above ε, and requests from d on with chances
 * of at most ε. Both hypotheses are tested by binomial tests on the w requests next to d, at half the error each; the
 * interval spans the delays that neither test rejects. The tests of the true D are fixed beforehand, so no correction
 * for multiple tests is needed.
 * Refusals come in runs: with the lag-one correlation r of the residuals, n requests count as n(1 − r)/(1 + r).
 * Complexity: O(n log n) and two incomplete beta functions a pace. Sources: Ayer et al. 1955 (the fit); Clopper &
 * Pearson 1934 (the tests); Bartlett 1946 (the correction).
 */
import { binomialAtLeast, binomialAtMost } from '../numerics/special/incomplete-beta.ts';
import type { Paces } from './steady-paces.ts';

/** Requests at or below a pace that are needed to call it the estimate. */
export const minRequestsAtPace = 20;

interface PaceLimit {
  /** Estimated delay in seconds; Infinity where every pace was refused too often, or there are no requests. */
  readonly delay: number;
  readonly low: number;
  readonly high: number;
  /** Fitted probability that a request at `delay` is refused. */
  readonly share: number;
}

/**
 * Requests in the window of a test: a quarter of all, but at least n and at most 4n. Here n requests without a refusal
 * are just enough to show a chance of at most ε.
 */
function windowSize(count: number, maxRefusalShare: number, confidence: number): number {
  const fewest = Math.ceil(Math.log((1 - confidence) / 2) / Math.log1p(-maxRefusalShare));
  return Math.max(fewest, Math.min(4 * fewest, Math.floor(count / 4)));
}

export function estimatePaceLimit(paces: Paces, maxRefusalShare: number, confidence: number): PaceLimit {
  const count = paces.pace.length;
  const order = Uint32Array.from(paces.pace.keys()).sort((a, b) => paces.pace[a] - paces.pace[b] || a - b);
  const pace = Float64Array.from(order, (k) => paces.pace[k]);
  const refusalsBefore = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) refusalsBefore[k + 1] = refusalsBefore[k] + paces.isRefused[order[k]];
  const chance = antitonicFit(pace, refusalsBefore);
  const share = effectiveShare(paces, order, chance);
  const position = firstAdmissible(pace, chance, maxRefusalShare);
  const level = (1 - confidence) / 2;
  const window = windowSize(count, maxRefusalShare, confidence);
  // whether D can lie in (pace[i − 1], pace[i]]
  const canHoldLimit = (i: number): boolean => {
    const shorterCount = Math.min(window, i);
    const longerCount = Math.min(window, count - i);
    const shorter = effectiveSample(shorterCount, refusalsBefore[i] - refusalsBefore[i - shorterCount], share);
    const longer = effectiveSample(longerCount, refusalsBefore[i + longerCount] - refusalsBefore[i], share);
    return (
      (shorter.n === 0 || binomialAtMost(shorter.maxRefusals, shorter.n, maxRefusalShare) > level) &&
      (longer.n === 0 || binomialAtLeast(longer.minRefusals, longer.n, maxRefusalShare) > level)
    );
  };
  let low = Number.NaN;
  let high = Number.NaN;
  for (let i = 0; i <= count; i++) {
    if (i > 0 && i < count && pace[i] === pace[i - 1]) continue;
    if (!canHoldLimit(i)) continue;
    if (Number.isNaN(low)) low = i === 0 ? 0 : pace[i - 1];
    high = i === count ? Number.POSITIVE_INFINITY : pace[i];
  }
  const delay = position < count ? pace[position] : Number.POSITIVE_INFINITY;
  // where the chances do not fall with the pace the tests may reject every delay: the interval is then unbounded
  if (Number.isNaN(low))
    return { delay, low: 0, high: Number.POSITIVE_INFINITY, share: chance[Math.min(position, count - 1)] };
  return { delay, low, high, share: chance[Math.min(position, count - 1)] };
}

/** Antitonic regression of the outcomes on the pace; requests at equal paces share one chance. O(n). */
function antitonicFit(pace: Float64Array, refusalsBefore: Float64Array): Float64Array {
  const starts: number[] = [];
  const means: number[] = [];
  const count = pace.length;
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && pace[to] === pace[from]) to++;
    let start = from;
    let mean = (refusalsBefore[to] - refusalsBefore[start]) / (to - start);
    while (starts.length > 0 && means[means.length - 1] <= mean) {
      start = starts.pop() ?? start;
      means.pop();
      mean = (refusalsBefore[to] - refusalsBefore[start]) / (to - start);
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
 * The first position whose fitted chance is within the tolerance and that has enough requests up to it; the length
 * where there is no such position.
 */
function firstAdmissible(pace: Float64Array, chance: Float64Array, maxRefusalShare: number): number {
  const first = chance.findIndex((each) => each <= maxRefusalShare);
  if (first < 0) return pace.length;
  return Math.max(first, Math.min(minRequestsAtPace, pace.length) - 1);
}

/**
 * Effective share of the requests, (1 − r)/(1 + r): r ≥ 0 is the lag-one correlation in time of outcomes less their
 * fitted chances.
 */
function effectiveShare({ isRefused }: Paces, order: Uint32Array, chance: Float64Array): number {
  const residual = new Float64Array(isRefused.length);
  for (const [position, k] of order.entries()) residual[k] = isRefused[k] - chance[position];
  let squares = 0;
  let products = 0;
  for (let k = 0; k < residual.length; k++) {
    squares += residual[k] * residual[k];
    if (k > 0) products += residual[k] * residual[k - 1];
  }
  const correlation = squares > 0 ? Math.max(0, products / squares) : 0;
  return (1 - correlation) / (1 + correlation);
}

/** Effective sample size of correlated requests, with their refusals rounded up and down. */
function effectiveSample(
  count: number,
  refusals: number,
  share: number,
): { n: number; maxRefusals: number; minRefusals: number } {
  const n = Math.floor(count * share + 1e-9);
  const effectiveRefusals = count > 0 ? (refusals * n) / count : 0;
  return { n, maxRefusals: Math.ceil(effectiveRefusals - 1e-9), minRefusals: Math.floor(effectiveRefusals + 1e-9) };
}
