/** When fetches are allowed, beside slots and delays. */
import type { CrawlSlots } from './crawl-slots.ts';

/** The slots that lie in a span. */
export function openSlots({ time, crawler }: CrawlSlots, spans: Float64Array | null): CrawlSlots {
  if (spans === null) return { time, crawler };
  const open = time.map((at) => (nextOpen(spans, at) === at ? 1 : 0));
  return { time: time.filter((_, k) => open[k] === 1), crawler: crawler.filter((_, k) => open[k] === 1) };
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
