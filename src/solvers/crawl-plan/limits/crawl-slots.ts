/** The slots of an interval: crawler k's slot l starts l·interval/S_k after its beginning. */
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';

export interface CrawlSlots {
  /** Seconds since the interval began, rising; ties in the order of the crawlers. */
  readonly time: Float64Array;
  readonly crawler: Uint32Array;
}

/** All crawlers' slots merged in time order: O(R log crawlers), linear where all have as many. */
export function mergeSlots(interval: number, slotsByCrawler: Uint32Array): CrawlSlots {
  let total = 0;
  for (const slots of slotsByCrawler) total += slots;
  const time = new Float64Array(total);
  const crawler = new Uint32Array(total);
  const crawlers = slotsByCrawler.length;
  if (slotsByCrawler.every((slots) => slots === slotsByCrawler[0])) {
    for (let k = 0; k < total; k++) {
      time[k] = (Math.floor(k / crawlers) * interval) / slotsByCrawler[0];
      crawler[k] = k % crawlers;
    }
    return { time, crawler };
  }
  // every crawler's next slot in a heap, the earliest on top
  const next = new KeyedHeap();
  const given = new Uint32Array(crawlers);
  for (const [c, slots] of slotsByCrawler.entries()) if (slots > 0) next.push(-0, c);
  for (let k = 0; k < total; k++) {
    time[k] = Math.abs(next.topKey());
    const c = next.pop();
    crawler[k] = c;
    if (++given[c] < slotsByCrawler[c]) next.push(-(given[c] * interval) / slotsByCrawler[c], c);
  }
  return { time, crawler };
}

/** The longest time between two slots that follow each other: what "to within one slot" means. */
export function longestStep({ time }: CrawlSlots, interval: number): number {
  let step = interval - (time[time.length - 1] ?? 0);
  for (let k = 1; k < time.length; k++) step = Math.max(step, time[k] - time[k - 1]);
  return step;
}
