/** The slots of an interval: crawler k's slot l starts l·interval/S_k after its beginning. */
export interface CrawlSlots {
  /** Seconds since the interval began, rising; ties in the order of the crawlers. */
  readonly time: Float64Array;
  readonly crawler: Uint32Array;
}

/** All crawlers' slots merged in time order: O(R log R), linear where all have as many. */
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
  const unsorted = new Float64Array(total);
  const owner = new Uint32Array(total);
  let at = 0;
  for (const [c, slots] of slotsByCrawler.entries()) {
    for (let l = 0; l < slots; l++) {
      unsorted[at] = (l * interval) / slots;
      owner[at++] = c;
    }
  }
  const order = Uint32Array.from(unsorted.keys()).sort((a, b) => unsorted[a] - unsorted[b] || owner[a] - owner[b]);
  for (const [k, from] of order.entries()) {
    time[k] = unsorted[from];
    crawler[k] = owner[from];
  }
  return { time, crawler };
}
