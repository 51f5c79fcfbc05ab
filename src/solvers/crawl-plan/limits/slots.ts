/** The slots of an interval, and when fetches are allowed: crawler k's slot l starts l·interval/S_k after its beginning. */
import type { Poll } from '../../budget.ts';
import { slotsInOrder } from '../../crawl-schedule/index.ts';
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
  const all = slotsInOrder(interval, Int32Array.from(slotsByCrawler), poll);
  const { time, crawler } = availability === undefined ? all : within(all, availability.spans);
  return { time, crawler, longestStep: longestStep(time, interval) };
}

function within({ time, crawler }: CrawlSlots, spans: Float64Array | null): CrawlSlots {
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
