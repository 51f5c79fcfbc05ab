/**
 * What a plan of fetches for ever means, in words. It speaks of the log's own intervals, and of the pages that change
 * faster than the fetches can follow. Pages are taken to change as Poisson processes with their estimated rates.
 *
 * A copy fetched every T of a page that changes λ times a second is stale 1 − (1 − e^(−x))/x of the time, with x = λT.
 * One more fetch is worth w/λ·(1 − (1 + x)e^(−x)) (J. Cho, H. Garcia-Molina, SIGMOD 2000).
 */

import type { CheckHistory } from '../../solvers/estimation/index.ts';
import { changedAtKnownAge } from '../../solvers/estimation/index.ts';
import { countText, durationAhead, figure, frequencyText, share } from '../words/numbers.ts';

/** The pages' figures of an answer, in the request's order; NaN for no fetch interval. */
interface LongRunPages {
  readonly changeRate: Float64Array;
  readonly fetchInterval: Float64Array;
  readonly crawls: Float64Array;
  readonly weight: Float64Array;
}

/** Changes between two fetches at which a copy is stale half of the time. */
const halfStale = 1.5936242600400401;
/** Of more pages than this an even sample of this size is summed. */
const mostSampled = 10_000;

const staleShare = (x: number): number => (x < 1e-9 ? x / 2 : 1 + Math.expm1(-x) / x);
const fetchWorth = (x: number): number => -Math.expm1(-x) - x * Math.exp(-x);

/** Stale now and then: by the plan, and by the log's own intervals with as many fetches; empty where not known. */
export function atOwnIntervals(pages: LongRunPages, { offsets, elapsed, outcome }: CheckHistory): string {
  const { changeRate, fetchInterval, weight } = pages;
  const own = new Float64Array(weight.length);
  let [planned, logged] = [0, 0];
  for (let i = 0; i < weight.length; i++) {
    let span = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      if (outcome[k] === changedAtKnownAge) return '';
      span += elapsed[k];
    }
    if (!(span > 0)) return '';
    own[i] = (offsets[i + 1] - offsets[i]) / span;
    logged += own[i];
    if (fetchInterval[i] > 0) planned += 1 / fetchInterval[i];
  }
  let [all, byPlan, byLog] = [0, 0, 0];
  for (let i = 0; i < weight.length; i++) {
    all += weight[i];
    byPlan += weight[i] * (fetchInterval[i] > 0 ? staleShare(changeRate[i] * fetchInterval[i]) : 1);
    byLog += weight[i] * staleShare((changeRate[i] * logged) / (own[i] * planned));
  }
  if (!(all > 0) || !(planned > 0)) return '';
  return ` In the long run that is ${share(byPlan / all)}, and ${share(byLog / all)} at the log's own intervals with as many fetches.`;
}

/** The pages whose copies stay stale for more than half of the time, what they get now, and what would begin to help. */
export function busiestPages(pages: LongRunPages, fetches: number, interval: number): string {
  const { changeRate, fetchInterval, crawls, weight } = pages;
  let [count, unfetched] = [0, 0];
  let slowest = Number.POSITIVE_INFINITY;
  const worths: number[] = [];
  for (let i = 0; i < weight.length; i++) {
    if (!(weight[i] > 0 && changeRate[i] * fetchInterval[i] >= halfStale)) continue;
    count++;
    if (crawls[i] === 0) unfetched++;
    slowest = Math.min(slowest, changeRate[i]);
    worths.push(weight[i] / changeRate[i]);
  }
  if (count === 0) return '';
  const middle = worths.sort((a, b) => a - b)[Math.floor(count / 2)];
  const needed = fetchesAt(pages, middle * fetchWorth(halfStale)) * interval;
  const half = count === 1 ? 'it' : 'half of them';
  const would = needed > 1.05 * fetches ? `; some ${figure(needed, 2)} would keep ${half} fresh half of the time` : '';
  const every = `${countText(fetches, 'fetch', 'fetches')} ${durationAhead(interval)}`;
  const fetched = count - unfetched;
  const some = fetched === 0 ? 'None of them is' : `${figure(fetched)} of them ${fetched === 1 ? 'is' : 'are'}`;
  const now = unfetched === 0 ? '' : ` ${some} fetched now: a fetch of a slower page stays fresh for longer.`;
  const [which, keep] = count === 1 ? ['changes', 'it'] : ['change', 'them'];
  return ` ${countText(count, 'page')} ${which} ${frequencyText(slowest)} or more often: ${every} cannot keep ${keep} fresh${would}.${now}`;
}

/** Fetches a second that are worth this price, all pages together. */
function fetchesAt({ changeRate, weight }: LongRunPages, price: number): number {
  const step = Math.max(1, Math.ceil(weight.length / mostSampled));
  let [rate, sampled] = [0, 0];
  for (let i = 0; i < weight.length; i += step) {
    sampled++;
    const worth = (price * changeRate[i]) / weight[i];
    if (worth < 1) rate += changeRate[i] / changesAt(worth);
  }
  return (rate * weight.length) / sampled;
}

/** The x at which one more fetch has this worth, of at most 1: by halving. */
function changesAt(worth: number): number {
  let [low, high] = [0, 50];
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    if (fetchWorth(middle) < worth) low = middle;
    else high = middle;
  }
  return high;
}
