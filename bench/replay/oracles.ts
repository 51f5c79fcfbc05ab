/** What no crawler knows: the pages' true rates, from the changes that the replay hides from every other policy. */
import type { PageHistory } from './page-history.ts';
import { day } from './replay.ts';

/** Half a change stands for none, as in the estimates: a plan takes rates above 0. */
const leastCount = 0.5;

/** Each page's changes over the whole window, by its length. */
export function meanRates(pages: readonly PageHistory[], start: number, end: number): Float64Array {
  return Float64Array.from(pages, ({ changes }) => Math.max(changes.length, leastCount) / (end - start));
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
