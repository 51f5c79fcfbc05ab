/** Oracles of the true change rates, from the changes that the replay hides from all policies. */
import type { PageHistory } from './page-history.ts';
import { day } from './replay.ts';

/** Count used for a page without changes: half a change, as in the estimates, since plans need rates above 0. */
const minCount = 0.5;

/** Mean rate of each page over the whole window. */
export function meanRates(pages: readonly PageHistory[], start: number, end: number): Float64Array {
  return Float64Array.from(pages, ({ changes }) => Math.max(changes.length, minCount) / (end - start));
}

/** Each page's changes in the 90 days before `now`, shrunk by one change's worth towards its mean rate. */
export function localRates(pages: readonly PageHistory[], start: number, end: number): (now: number) => Float64Array {
  const mean = meanRates(pages, start, end);
  return (now) =>
    Float64Array.from(pages, ({ changes }, i) => {
      const from = Math.max(start, now - 90 * day);
      const count = changes.reduce((sum, time) => sum + (time > from && time <= now ? 1 : 0), 0);
      return (count + 1) / (now - from + 1 / mean[i]);
    });
}
