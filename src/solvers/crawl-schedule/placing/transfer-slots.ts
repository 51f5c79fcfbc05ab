/**
 * What few slots allow besides exchanges: slots that another page can make better use of go to it, and crawls go to empty slots, while the true cost falls.
 *
 * Counts were made for free times, and exchanges leave them; on few slots other counts may do better. Every slot is offered to
 * every page; where there are fewer still, any two of them exchange their pages, those of one page passing each other.
 * O(slots·(pages + slots)·crawls of a page) a pass. Stopping rule: a pass without a transfer, passes, or the budget.
 */
import type { Budget } from '../../budget.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';
import { crawlLimits } from './crawl-limits.ts';

const mostPasses = 10;
/** Slots times pages for which it is tried. */
const mostOffers = 1e6;
/** Pairs of slots for which any two may exchange. */
const mostPairs = 1e5;
/** A gain that is but a rounding is none. */
const rounding = 1e-12;

/** @returns transfers made */
export function transferSlots(problem: CrawlScheduleProblem, table: Timetable, budget: Budget): number {
  const { minCrawls } = problem.allocation;
  const pages = minCrawls.length;
  if (pages * table.page.length > mostOffers) return 0;
  const limits = crawlLimits(problem, table);
  let transfers = 0;
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = transfers;
    for (let s = 0; s < table.page.length; s++) {
      const i = table.page[s];
      if (i < 0 || table.crawlsOf(i) <= minCrawls[i]) continue;
      if (budget.stopRequested()) return transfers;
      const lost = table.savedAt(s);
      table.take(s);
      limits.changed(i, -1);
      let best = i;
      let most = lost * (1 + rounding);
      for (let j = 0; j < pages; j++) {
        if (j === i || !limits.allow(j)) continue;
        const saved = table.savedBy(j, s);
        if (saved > most && table.hostFree(j, s)) {
          most = saved;
          best = j;
        }
      }
      table.give(s, best);
      limits.changed(best, 1);
      if (best !== i) transfers++;
    }
    transfers += exchangedAny(table, budget);
    if (transfers === before) break;
  }
  return transfers;
}

/** Exchanges of any two slots, wherever their pages' other crawls lie. */
function exchangedAny(table: Timetable, budget: Budget): number {
  const count = table.page.length;
  if ((count * (count - 1)) / 2 > mostPairs) return 0;
  let exchanges = 0;
  for (let s = 0; s < count; s++) {
    if (budget.stopRequested()) return exchanges;
    for (let other = s + 1; other < count; other++) if (exchangesFreely(table, s, other)) exchanges++;
  }
  return exchanges;
}

function exchangesFreely(table: Timetable, s: number, other: number): boolean {
  const [i, j] = [table.page[s], table.page[other]];
  if (i === j || i < 0 || j < 0 || table.slotTime[s] === table.slotTime[other]) return false;
  const lost = table.savedAt(s) + table.savedAt(other);
  table.take(s);
  table.take(other);
  const better =
    table.savedBy(i, other) + table.savedBy(j, s) > lost * (1 + rounding) &&
    table.hostFree(i, other) &&
    table.hostFree(j, s);
  table.give(s, better ? j : i);
  // two pages of one host may be too near each other only now
  if (better && !table.hostFree(i, other)) {
    table.take(s);
    table.give(s, i);
    table.give(other, j);
    return false;
  }
  table.give(other, better ? i : j);
  return better;
}
