/** How many pages a price leaves without a crawl. */

import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket } from './buckets.ts';

/**
 * Adds to `counts` the pages whose ratio is within the reach of the price. From below they are those of buckets that
 * lie within the reach of the lowest price possible. From above they are those of buckets with any page in reach of the
 * highest. Inside a bucket as if its pages were spread evenly over ln a.
 */
export function pagesWithoutCrawl(
  { reach }: ScaleFree,
  buckets: readonly Bucket[],
  price: number,
  [lowest, highest]: readonly [number, number],
  counts: { pages: number; low: number; high: number },
): void {
  if (reach === 0) return;
  for (const { pages, low, high } of buckets) {
    if (high <= lowest) counts.low += pages;
    if (low <= highest) counts.high += pages;
    if (high <= price) counts.pages += pages;
    else if (low < price) counts.pages += Math.round((pages * Math.log(price / low)) / Math.log(high / low));
  }
}
