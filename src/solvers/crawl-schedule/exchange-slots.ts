/**
 * Exchanges the pages of two slots (one of which may be empty) while the true cost falls.
 *
 * Pairs of slots are tried by their distance in time order, from far to near: a crawl that must move far does so in few
 * steps. Pairs whose costs have nearly equal slopes gain nothing and are skipped, as are near pairs among very many slots.
 * A crawl may not pass another one of its page, nor of its host where that has a delay.
 * Complexity: O(1) a pair, of hosts with delays as well. Stopping rule: a round of all distances that exchanged fewer
 * than one slot in two hundred, or the budget.
 */
import type { Budget } from '../budget.ts';
import type { Timetable } from './timetable.ts';

/** Slots, in time order, among which pages are exchanged. */
export interface SlotPart {
  readonly slots: Int32Array;
  readonly pages: Int32Array;
  /** Its pages as a fraction of all. */
  readonly share: number;
}

export function wholeTimetable(table: Timetable, pages: number): SlotPart {
  return {
    slots: Int32Array.from(table.page.keys()),
    pages: Int32Array.from({ length: pages }, (_, i) => i),
    share: 1,
  };
}

/** One part per host, and one for pages without: exchanges within a part cannot violate a delay. */
export function splitByHost(table: Timetable, pages: number): SlotPart[] {
  const members = new Map<number, { readonly slots: number[]; readonly pages: number[] }>();
  for (let i = 0; i < pages; i++) {
    const known = members.get(table.hostOf(i));
    if (known === undefined) members.set(table.hostOf(i), { slots: [], pages: [i] });
    else known.pages.push(i);
  }
  for (const [s, i] of table.page.entries()) if (i >= 0) members.get(table.hostOf(i))?.slots.push(s);
  return [...members.values()].map((own) => ({
    slots: Int32Array.from(own.slots),
    pages: Int32Array.from(own.pages),
    share: own.pages.length / pages,
  }));
}

/** Relative gain in cost below which no further pass is made. */
export const minRelativeGain = 2e-4;

/** Slots between two polls of the budget. */
const slotsPerPoll = 1024;
/** Difference of slopes below which a pair is skipped, relative to the mean weight: per slot of the part, and at most. */
const equalSlopes = { perSlot: 4e-8, atMost: 0.02 };

export interface ExchangeResult {
  readonly exchanges: number;
  readonly gained: number;
  readonly stopped: boolean;
}

/**
 * @param farthest the greatest distance, in slots; @param cost of the timetable, about; @param weight mean of the pages
 */
export function exchangeSlots(
  table: Timetable,
  { slots }: SlotPart,
  { farthest, cost, weight }: { readonly farthest: number; readonly cost: number; readonly weight: number },
  budget: Budget,
): ExchangeResult {
  const count = slots.length;
  const equal = weight * Math.min(equalSlopes.atMost, equalSlopes.perSlot * count);
  let exchanges = 0;
  let total = 0;
  for (;;) {
    let gained = 0;
    for (const distance of distances(Math.min(farthest, count - 1), count / 4000)) {
      for (let s = 0; s + distance < count; s++) {
        if (s % slotsPerPoll === 0 && budget.stopRequested())
          return { exchanges, gained: total + gained, stopped: true };
        const gain = table.exchange(slots[s], slots[s + distance], equal);
        if (gain === 0) continue;
        gained += gain;
        exchanges++;
      }
    }
    total += gained;
    if (gained < minRelativeGain * cost) break;
  }
  return { exchanges, gained: total, stopped: false };
}

/** Distances from the farthest down by halves; those below `nearest` are left out: slots that close hardly differ. */
function distances(farthest: number, nearest: number): number[] {
  const list: number[] = [];
  for (let distance = farthest; distance > Math.max(3, nearest); distance = Math.ceil(distance / 2))
    list.push(distance);
  return nearest > 3 ? list : [...list, 3, 2, 1].filter((distance) => distance <= farthest);
}
