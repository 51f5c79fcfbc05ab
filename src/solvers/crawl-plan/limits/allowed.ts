/**
 * When fetches are allowed, and how often. Crawler k's slot l starts l·interval/S_k after the interval's beginning.
 *
 * A host's delay and largest rate hold its pages together, in the time that windows leave. A feed shows the last N items and loses what comes beyond between two fetches. Its longest interval T with
 * P(Poisson(λT) > N) ≤ ε is x/λ with P(N + 1, x) = ε: a maxInterval of its own. Here P is the regularised lower
 * incomplete gamma function, and λ is taken as estimated.
 */
import { type Budget, NothingToReturn, type Poll } from '../../budget.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { lowerGamma } from '../../numerics/special/incomplete-gamma.ts';
import { hostBurst, sortSlots } from '../../schedule/index.ts';
import type { CrawlPlanProblem } from '../problem.ts';

export interface CrawlSlots {
  /** Seconds since the interval began, rising; ties in the order of the crawlers. */
  readonly time: Float64Array;
  readonly crawler: Int32Array;
}

/** The slots of a whole interval. */
export interface IntervalSlots extends CrawlSlots {
  /** The longest time between two slots that follow each other: what "to within one slot" means. */
  readonly longestStep: number;
}

/** The crawlers' slots that lie in a window. O(slots). */
export function openSlots(
  { interval, slotsByCrawler, availability }: Pick<CrawlPlanProblem, 'interval' | 'slotsByCrawler' | 'availability'>,
  poll?: Poll,
): IntervalSlots {
  const sorted = sortSlots(interval, Int32Array.from(slotsByCrawler), poll);
  const { time, crawler } = availability === undefined ? sorted : slotsWithin(sorted, availability.spans);
  return { time, crawler, longestStep: longestStep(time, interval) };
}

function slotsWithin({ time, crawler }: CrawlSlots, spans: Float64Array | null): CrawlSlots {
  if (spans === null) return { time, crawler };
  const open = time.map((at) => (nextOpen(spans, at) === at ? 1 : 0));
  return { time: time.filter((_, k) => open[k] === 1), crawler: crawler.filter((_, k) => open[k] === 1) };
}

function longestStep(time: Float64Array, interval: number): number {
  let step = interval - (time[time.length - 1] ?? 0);
  for (let k = 1; k < time.length; k++) step = Math.max(step, time[k] - time[k - 1]);
  return step;
}

/**
 * The first moment at or after a time that lies in a span; Infinity where none is left. Null: all times are allowed.
 */
export function nextOpen(spans: Float64Array | null, time: number): number {
  if (spans === null) return time;
  let low = 0;
  let high = spans.length >> 1;
  // the first span that closes after the time
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[2 * middle + 1] > time) high = middle;
    else low = middle + 1;
  }
  return 2 * low < spans.length ? Math.max(time, spans[2 * low]) : Number.POSITIVE_INFINITY;
}

/**
 * Seconds between two fetches of each host in the mean, at least, closed hours counted in; 0 for a host that asks for
 * nothing.
 */
export function meanHostDelay({ interval, hostDelay, hostRate, availability }: CrawlPlanProblem): Float64Array {
  const spans = availability?.spans ?? null;
  const open = spans?.reduce((sum, time, k) => sum + (k % 2 === 0 ? -1 : 1) * Math.min(time, interval), 0) ?? interval;
  const share = open / interval;
  return hostDelay.map((delay, h) => Math.max(delay, hostRate === undefined ? 0 : 1 / hostRate[h]) / share);
}

/** The most fetches of a host by a time after now. */
export function mostOfHost({ hostDelay, hostRate }: CrawlPlanProblem, h: number, time: number): number {
  const byDelay = hostDelay[h] > 0 ? 1 + Math.floor(time / hostDelay[h]) : Number.POSITIVE_INFINITY;
  const byRate = hostRate === undefined ? Number.POSITIVE_INFINITY : 1 + hostBurst + Math.floor(time * hostRate[h]);
  return Math.min(byDelay, byRate);
}

/** The problem with its longest intervals shortened to what windows of items ask for, never below the least. */
export function withFeedWindows(problem: CrawlPlanProblem, rate: Float64Array, budget: Budget): CrawlPlanProblem {
  const { feedItems, feedLoss, maxInterval, minInterval } = problem;
  if (feedItems === undefined || feedItems.every((items) => Number.isNaN(items))) return problem;
  const means = new Map<string, number>();
  const longest = maxInterval.map((limit, i) => {
    if (Number.isNaN(feedItems[i])) return limit;
    const loss = feedLoss?.[i] ?? defaultLoss;
    const key = `${feedItems[i]} ${loss}`;
    let mean = means.get(key);
    if (mean === undefined) {
      if ((means.size & 63) === 0 && budget.stopRequested()) {
        throw new NothingToReturn('stopped while computing how long windows of items last');
      }
      mean = meanItems(feedItems[i], loss);
      means.set(key, mean);
    }
    return Math.min(limit, Math.max(minInterval[i], mean / rate[i]));
  });
  return { ...problem, maxInterval: longest };
}

/** Chance that a feed's items are missed where the request does not say. */
const defaultLoss = 0.01;

/** The mean x of a Poisson number that exceeds N with probability ε. */
export function meanItems(items: number, loss: number): number {
  const excess = (x: number): number => lowerGamma(items + 1, x) - loss;
  // P(N + 1, x) ≥ 1/2 at x = N + 1
  return findRoot(excess, 0, items + 1);
}
