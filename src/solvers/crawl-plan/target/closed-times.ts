/**
 * What windows leave of a page's fetches, for ever: the plan's interval comes again and again, and its windows with it.
 *
 * No fetch falls into a closed time, so that a gap around one of length G is no shorter than G. Of gaps that may be of
 * any length otherwise, those within the open time are best equal (the cost of a gap is convex). Where they are a, the
 * gaps around closed times longer than a are just as long as these, and all others a. With T the interval, k closed
 * times longer than a, and S the sum of these:
 *
 *   fetches a second (k + (T − S)/a)/T,  time in gaps around closed times S, in gaps of a: T − S.
 *
 * a is what makes a fetch worth its price, as without windows. No fetches in the windows leave less, since gaps in the
 * open time need not fill it in whole numbers there.
 */
import type { CrawlPlanProblem } from '../problem.ts';

/** The lengths of the closed times of an interval, the longest first. */
export const closedTimes = ({ availability, interval }: CrawlPlanProblem): Float64Array =>
  closedIn(availability?.spans ?? null, interval);

function closedIn(spans: Float64Array | null, interval: number): Float64Array {
  if (spans === null) return new Float64Array(0);
  const gaps: number[] = [];
  let shut = 0;
  let first = interval;
  for (let k = 0; k < spans.length; k += 2) {
    const [from, to] = [Math.min(interval, spans[k]), Math.min(interval, spans[k + 1])];
    if (from >= to) continue;
    if (first === interval) first = from;
    else gaps.push(from - shut);
    shut = to;
  }
  // the end runs into the start of the next interval
  gaps.push(Math.min(interval, interval - shut + first));
  return Float64Array.from(gaps.filter((gap) => gap > 0)).sort((a, b) => b - a);
}

/** Fetches a second where the gaps in the open time are `gap`. */
export function fetchesAt(gap: number, closed: Float64Array, interval: number): number {
  let k = 0;
  let shut = 0;
  while (closed[k] > gap) shut += closed[k++];
  return k === 0 ? 1 / gap : (k + Math.max(0, interval - shut) / gap) / interval;
}

/**
 * The mean over the time of what gaps cost a second, at a given rate of fetches.
 *
 * @param costRate of a gap, a second; of gaps without end the limit
 */
export function costAt(
  fetches: number,
  { closed, interval }: { readonly closed: Float64Array; readonly interval: number },
  costRate: (gap: number) => number,
): number {
  let shut = 0;
  let cost = 0;
  for (let k = 0; ; k++) {
    const open = Math.max(0, interval - shut);
    const gap = k === 0 ? 1 / fetches : open / (fetches * interval - k);
    if (k === closed.length || !(closed[k] > gap)) return cost + (open > 0 ? (open / interval) * costRate(gap) : 0);
    cost += (closed[k] / interval) * costRate(closed[k]);
    shut += closed[k];
  }
}
