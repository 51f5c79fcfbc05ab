/**
 * What few slots allow besides exchanges, while the true cost falls. Slots that another page can make better use of go
 * to it, and crawls go to empty slots.
 *
 * Counts were made for free times, and exchanges leave them; on few slots other counts may do better. Every slot is
 * offered to every page. Where there are fewer still, any two of them exchange their pages, those of one page passing
 * each other. O(slots·(pages + slots)·crawls of a page) a pass. Stopping rule: a pass that gains next to nothing,
 * passes, or the budget.
 */
import type { Budget } from '../../budget.ts';
import type { CrawlLimits } from '../placing/crawl-limits.ts';
import type { Timetable } from '../table/timetable.ts';
import { type Part, worthwhile } from './part.ts';
import { type Transfers, transferCrawls } from './transfer-crawls.ts';

const mostPasses = 10;
/** Slots times pages for which every slot is offered to every page; beyond, transfer-crawls.ts. */
export const mostOffers = 1e6;
/** Pairs of slots for which any two may exchange. */
const mostPairs = 1e5;
const fewOffers = 2500;
/** A gain that is but a rounding is none. */
const rounding = 1e-12;

/** @param cost about what the timetable costs */
export function transferSlots(
  table: Timetable,
  part: Part,
  limits: CrawlLimits,
  cost: number,
  budget: Budget,
): Transfers {
  const { slots, pages } = part;
  const offers = pages.length * slots.length;
  let transfers = 0;
  let gained = 0;
  if (offers > mostOffers) return transferCrawls(table, part, limits, cost, budget);
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = gained;
    for (const s of slots) {
      const i = table.page[s];
      if (i < 0 || table.crawlsOf(i) <= limits.least[i] || !table.mayLeave(s)) continue;
      if (budget.stopRequested()) return { transfers, gained };
      const lost = table.savedAt(s);
      table.take(s);
      limits.changed(i, -1);
      let best = i;
      let most = lost * (1 + rounding);
      for (const j of pages) {
        if (j === i || !limits.allow(j)) continue;
        const saved = table.savedBy(j, s);
        if (saved > most && table.mayTake(j, s)) {
          most = saved;
          best = j;
        }
      }
      table.give(s, best);
      limits.changed(best, 1);
      if (best === i) continue;
      transfers++;
      gained += most - lost;
    }
    const exchanged = exchangedAny(table, part, budget);
    transfers += exchanged.transfers;
    gained += exchanged.gained;
    if (gained - before <= (offers > fewOffers ? worthwhile * cost : 0)) break;
  }
  return { transfers, gained };
}

/** Exchanges of any two slots, wherever their pages' other crawls lie. */
function exchangedAny(table: Timetable, { slots }: Part, budget: Budget): Transfers {
  const count = slots.length;
  let transfers = 0;
  let gained = 0;
  if ((count * (count - 1)) / 2 > mostPairs) return { transfers, gained };
  for (let s = 0; s < count; s++) {
    if (budget.stopRequested()) break;
    for (let other = s + 1; other < count; other++) {
      const gain = exchangedFreely(table, slots[s], slots[other]);
      if (gain === 0) continue;
      transfers++;
      gained += gain;
    }
  }
  return { transfers, gained };
}

/** Exchanges the pages of two slots if that lowers the cost; what it lowers it by, or 0. */
function exchangedFreely(table: Timetable, s: number, other: number): number {
  const [i, j] = [table.page[s], table.page[other]];
  if (i === j || i < 0 || j < 0 || table.slotTime[s] === table.slotTime[other]) return 0;
  const lost = table.savedAt(s) + table.savedAt(other);
  table.take(s);
  table.take(other);
  const saved = table.savedBy(i, other) + table.savedBy(j, s);
  const better = saved > lost * (1 + rounding) && table.mayTake(i, other) && table.mayTake(j, s);
  table.give(s, better ? j : i);
  // two pages of one host may be too near each other only now
  if (better && !table.mayTake(i, other)) {
    table.take(s);
    table.give(s, i);
    table.give(other, j);
    return 0;
  }
  table.give(other, better ? i : j);
  return better ? saved - lost : 0;
}
