/**
 * Replays a crawler over real page changes. The policy names the pages to fetch twice a day, an hour after the record's
 * own visits. These are at 06:00 and 18:00 UTC, and take up to an hour. Of each page the policy learns only whether it
 * had changed since its last fetch. All pages are fetched at the start.
 */
import type { PageHistory } from './page-history.ts';

export const day = 86_400;
export const gridStep = day / 2;
const gridPhase = (7 / 24) * day;

/** A crawler's policy. It identifies pages by position. */
export interface Policy {
  /** Reports a fetch at `time`, `elapsed` seconds after the previous one, and whether the page had changed in between. */
  observe(page: number, time: number, elapsed: number, changed: boolean): void;
  /** Distinct pages to fetch now. */
  choose(time: number): ArrayLike<number>;
}

export interface ReplayResult {
  /** Freshness: the share of page-time with a current copy. */
  readonly freshness: number;
  /** Fetches a page and day. */
  readonly fetchRate: number;
  /** Longest time between two fetches of one page, the ends of the window included. */
  readonly longestGap: number;
  /** Freshness of each page. */
  readonly freshnessByPage: Float64Array;
}

export function replay(pages: readonly PageHistory[], policy: Policy, start: number, end: number): ReplayResult {
  const last = new Float64Array(pages.length).fill(start);
  const next = new Uint32Array(pages.length);
  const stale = new Float64Array(pages.length);
  let fetches = 0;
  let longestGap = 0;
  for (let time = start + gridPhase; time < end; time += gridStep) {
    const fetchedPages = policy.choose(time);
    fetches += fetchedPages.length;
    for (let k = 0; k < fetchedPages.length; k++) {
      const page = fetchedPages[k];
      const { changes } = pages[page];
      let position = next[page];
      while (position < changes.length && changes[position] <= time) position++;
      const hasChanged = position > next[page];
      if (hasChanged) stale[page] += time - changes[next[page]];
      next[page] = position;
      const elapsed = time - last[page];
      longestGap = Math.max(longestGap, elapsed);
      last[page] = time;
      policy.observe(page, time, elapsed, hasChanged);
    }
  }
  for (const [i, { changes }] of pages.entries()) {
    if (next[i] < changes.length) stale[i] += end - changes[next[i]];
    longestGap = Math.max(longestGap, end - last[i]);
  }
  const freshnessByPage = stale.map((time) => 1 - time / (end - start));
  return {
    freshness: freshnessByPage.reduce((sum, share) => sum + share, 0) / pages.length,
    freshnessByPage,
    fetchRate: fetches / pages.length / ((end - start) / day),
    longestGap,
  };
}
