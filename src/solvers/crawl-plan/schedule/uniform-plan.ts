/** How stale each page would be if all took turns, whatever they are worth: the plan to compare with. */

import type { RefreshModel } from '../beliefs/refresh-model.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';

/**
 * Staleness by page when the slots go round the pages, those unfetched for longest first (never fetched before all): the
 * share of the interval the copy is expected to be stale. O(slots + pages log pages). Changes the model's state.
 */
export function uniformStaleness(
  model: RefreshModel,
  slots: CrawlSlots,
  interval: number,
  age: Float64Array,
): Float64Array {
  const pages = age.length;
  const order = Uint32Array.from(age.keys()).sort((a, b) => (age[a] === age[b] ? a - b : age[b] - age[a]));
  const last = age.map((a) => -a);
  const stale = new Float64Array(pages);
  const account = (i: number, time: number): void => {
    if (last[i] === Number.NEGATIVE_INFINITY) stale[i] += time;
    else stale[i] += model.staleTime(i, Math.max(0, -last[i]), time - last[i]);
  };
  for (const [k, time] of slots.time.entries()) {
    const i = order[k % pages];
    account(i, time);
    model.fetched(i, time - last[i]);
    last[i] = time;
  }
  for (let i = 0; i < pages; i++) account(i, interval);
  return stale.map((time) => time / interval);
}
