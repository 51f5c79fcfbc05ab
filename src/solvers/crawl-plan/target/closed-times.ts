/**
 * Fetch rates and costs in the long run under windows: the interval of the plan and its windows repeat for ever.
 *
 * No fetch falls into a closed time, so that a gap between fetches around a closed time of length G is at least G. All
 * other gaps are best equal, because the cost of a gap is convex. If they have length a, the gap around a closed time
 * longer than a is as long as the closed time, and all others are a. With T the interval, k the number of closed times
 * longer than a, and S their sum:
 *
 *   fetches a second (k + (T − S)/a)/T,  time in gaps around closed times S, time in gaps of length a: T − S.
 *
 * As without windows, a is the age at which a fetch is worth its price. The cost is a lower bound for all fetches in
 * the windows, because the open time need not be a whole number of gaps.
 */
import type { CrawlPlanProblem } from '../problem.ts';

/** The lengths of the closed times of an interval, the longest first. */
export const closedTimes = ({ availability, interval }: CrawlPlanProblem): Float64Array =>
  closedIn(availability?.spans ?? null, interval);

function closedIn(spans: Float64Array | null, interval: number): Float64Array {
  if (spans === null) return new Float64Array(0);
  const gaps: number[] = [];
  let lastClosing = 0;
  let first = interval;
  for (let k = 0; k < spans.length; k += 2) {
    const [from, to] = [Math.min(interval, spans[k]), Math.min(interval, spans[k + 1])];
    if (from >= to) continue;
    if (first === interval) first = from;
    else gaps.push(from - lastClosing);
    lastClosing = to;
  }
  // the closed time at the end of the interval continues at the start of the next one
  gaps.push(Math.min(interval, interval - lastClosing + first));
  return Float64Array.from(gaps.filter((gap) => gap > 0)).sort((a, b) => b - a);
}

/** Fetches a second if gaps in the open time have a length. @param closed lengths, the longest first */
export function fetchesAt(gap: number, closed: Float64Array, interval: number): number {
  let k = 0;
  let closedTime = 0;
  while (closed[k] > gap) closedTime += closed[k++];
  return k === 0 ? 1 / gap : (k + Math.max(0, interval - closedTime) / gap) / interval;
}

/**
 * The mean cost a second at a rate of fetches: inverse of {@link fetchesAt} for the gap, then the mean over the gaps.
 *
 * @param costRate cost a second of gaps of a length; at Infinity its limit
 */
export function costAt(
  fetches: number,
  { closed, interval }: { readonly closed: Float64Array; readonly interval: number },
  costRate: (gap: number) => number,
): number {
  let closedTime = 0;
  let cost = 0;
  for (let k = 0; ; k++) {
    const open = Math.max(0, interval - closedTime);
    const gap = k === 0 ? 1 / fetches : open / (fetches * interval - k);
    if (k === closed.length || !(closed[k] > gap)) return cost + (open > 0 ? (open / interval) * costRate(gap) : 0);
    cost += (closed[k] / interval) * costRate(closed[k]);
    closedTime += closed[k];
  }
}
