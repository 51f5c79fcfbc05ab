/**
 * Crawls without a slot of their own go to free slots, one by one: each to the page that saves most there, within its
 * limits.
 */
import type { Budget } from '../../budget.ts';
import type { Timetable } from '../table/timetable.ts';
import type { CrawlLimits } from './crawl-limits.ts';

/** Pages looked at for a slot that became free, at most. */
const mostLooks = 2e7;

/** @returns how many found no slot in which any page may be crawled */
export function fillSlots(table: Timetable, limits: CrawlLimits, open: number, budget: Budget): number {
  if (open === 0) return 0;
  const { least, allow, changed } = limits;
  const pages = Int32Array.from(least.keys());
  const short = pages.filter((i) => table.crawlsOf(i) < least[i]);
  const needed = short.reduce((sum, i) => sum + least[i] - table.crawlsOf(i), 0);
  let left = open;
  const needs = (i: number): boolean => table.crawlsOf(i) < least[i] && allow(i);
  if (needed > 0)
    left -= fillWith({ pages: short, open: Math.min(needed, left), allowed: needs, changed }, table, budget);
  return left - fillWith({ pages, open: left, allowed: allow, changed }, table, budget);
}

interface Filling {
  readonly pages: Int32Array;
  /** Crawls to place, at most. */
  readonly open: number;
  readonly allowed: (page: number) => boolean;
  readonly changed: (page: number, crawls: number) => void;
}

/** @returns how many were placed */
function fillWith({ pages, open, allowed, changed }: Filling, table: Timetable, budget: Budget): number {
  const stride = Math.max(1, Math.ceil((pages.length * open) / mostLooks));
  let filled = 0;
  for (let s = 0; s < table.page.length && filled < open; s++) {
    if (table.page[s] >= 0) continue;
    if (budget.stopRequested()) break;
    let best = -1;
    let most = -1;
    for (let k = stride > 1 ? s % stride : 0; k < pages.length; k += stride) {
      const i = pages[k];
      if (!allowed(i)) continue;
      const saved = table.savedBy(i, s);
      if (saved > most && table.mayTake(i, s)) {
        most = saved;
        best = i;
      }
    }
    if (best < 0) continue;
    table.give(s, best);
    changed(best, 1);
    filled++;
  }
  return filled;
}
