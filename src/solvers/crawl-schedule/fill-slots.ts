/**
 * Fills free slots with the crawls that are still without one: each slot goes to the page that saves most there, within
 * its limits.
 */
import type { Budget } from '../budget.ts';
import type { CrawlLimits } from './crawl-limits.ts';
import type { Timetable } from './timetable.ts';

/** Pages × slots evaluated at most; beyond, a slot is offered to every k-th page only. */
const maxEvaluations = 4e6;

/** @returns the number of crawls for which no slot was found */
export function fillSlots(table: Timetable, limits: CrawlLimits, open: number, budget: Budget) {
  const pages = limits.minimum.length;
  const stride = Math.max(1, Math.ceil((pages * open) / maxEvaluations));
  let left = open;
  for (let s = 0; s < table.page.length && left > 0 && !budget.stopRequested(); s++) {
    if (table.page[s] >= 0) continue;
    let best = -1;
    let most = -1;
    for (let i = stride > 1 ? s % stride : 0; i < pages; i += stride) {
      if (!limits.allow(i)) continue;
      const saved = table.insertionSaving(i, s);
      if (saved > most && table.canAssign(i, s)) [best, most] = [i, saved];
    }
    if (best < 0) continue;
    table.assign(s, best);
    limits.record(best, 1);
    left--;
  }
  return left;
}
