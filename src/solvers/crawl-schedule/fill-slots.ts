/**
 * Fills free slots with the crawls that are still without one: each slot goes to the page that saves most there, within
 * its limits.
 */
import type { Budget } from '../budget.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import type { Timetable } from './timetable.ts';

/** Limits on the crawls of pages and hosts, with the crawls assigned so far. */
export interface CrawlLimits {
  /** Minimum number of crawls, by page. */
  readonly least: Int32Array;
  /** Whether the limits of a page and its host allow one more crawl. */
  readonly allow: (page: number) => boolean;
  /** Records a change in the number of crawls of a page. */
  readonly record: (page: number, crawls: number) => void;
}

export function trackCrawlLimits({ allocation }: CrawlScheduleProblem, table: Timetable): CrawlLimits {
  const { minCrawls, maxCrawls, hosts } = allocation;
  const used = new Float64Array(hosts?.maxCrawls.length ?? 0);
  const record = (i: number, crawls: number): void => {
    if (hosts !== null && hosts.of[i] >= 0) used[hosts.of[i]] += crawls;
  };
  for (let i = 0; i < maxCrawls.length; i++) record(i, table.crawlsOf(i));
  return {
    least: minCrawls,
    allow: (i) =>
      !(maxCrawls[i] >= 0 && table.crawlsOf(i) >= maxCrawls[i]) &&
      (hosts === null || hosts.of[i] < 0 || used[hosts.of[i]] < hosts.maxCrawls[hosts.of[i]]),
    record,
  };
}

/** Pages × slots evaluated at most; beyond, a slot is offered to every k-th page only. */
const maxEvaluations = 4e6;

/** @returns the number of crawls for which no slot was found */
export function fillSlots(table: Timetable, { least, allow, record }: CrawlLimits, open: number, budget: Budget) {
  const pages = least.length;
  const stride = Math.max(1, Math.ceil((pages * open) / maxEvaluations));
  let left = open;
  for (let s = 0; s < table.page.length && left > 0 && !budget.stopRequested(); s++) {
    if (table.page[s] >= 0) continue;
    let best = -1;
    let most = -1;
    for (let i = stride > 1 ? s % stride : 0; i < pages; i += stride) {
      if (!allow(i)) continue;
      const saved = table.insertionSaving(i, s);
      if (saved > most && table.canAssign(i, s)) [best, most] = [i, saved];
    }
    if (best < 0) continue;
    table.assign(s, best);
    record(best, 1);
    left--;
  }
  return left;
}
