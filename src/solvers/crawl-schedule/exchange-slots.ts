/**
 * Slots exchange their pages (or one its emptiness) while the true cost falls.
 *
 * Pairs of slots at a distance in time order, first far apart, then near: a crawl that is to go far goes in few steps.
 * Pairs whose costs have nearly the same slope have nothing to gain and are passed over; so are near ones among very
 * many slots. A crawl may not pass another one of its page, nor of its host where that asks for a delay.
 * Complexity: O(1) a pair, of hosts with delays as well. Stopping rule: a round of all distances that exchanged fewer
 * than one slot in two hundred, or the budget.
 */
import type { Budget } from '../budget.ts';
import type { Timetable } from './timetable.ts';

/** Slots, in time order, whose pages change among themselves. */
export interface SlotPart {
  readonly slots: Int32Array;
  readonly pages: Int32Array;
  /** Of all pages. */
  readonly share: number;
}

export function wholeTimetable(table: Timetable, pages: number): SlotPart {
  return {
    slots: Int32Array.from(table.page.keys()),
    pages: Int32Array.from({ length: pages }, (_, i) => i),
    share: 1,
  };
}

/** What each host's pages have, and those of none: whichever of its pages is crawled, a host keeps its delay. */
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

/** A pass that lowers the cost by less than this share is the last, where passes take long. */
export const minRelativeGain = 2e-4;

const slotsPerPoll = 1024;
/** Slopes that differ by less are equal: for every slot there is, relative to the mean weight, and at most. */
const equalSlopes = { perSlot: 4e-8, atMost: 0.02 };

export interface ExchangeResult {
  readonly exchanges: number;
  readonly gained: number;
  readonly stopped: boolean;
}

/**
 * @param farthest the greatest distance, in slots; @param cost what the timetable costs; @param weight the pages' in
 * the mean
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
  let all = 0;
  for (;;) {
    let gained = 0;
    for (const distance of distances(Math.min(farthest, count - 1), count / 4000)) {
      for (let s = 0; s + distance < count; s++) {
        if (s % slotsPerPoll === 0 && budget.stopRequested()) return { exchanges, gained: all + gained, stopped: true };
        const gain = table.exchange(slots[s], slots[s + distance], equal);
        if (gain === 0) continue;
        gained += gain;
        exchanges++;
      }
    }
    all += gained;
    if (gained < minRelativeGain * cost) break;
  }
  return { exchanges, gained: all, stopped: false };
}

/** Falling by halves; among very many slots near ones hardly differ. */
function distances(farthest: number, nearest: number): number[] {
  const list: number[] = [];
  for (let distance = farthest; distance > Math.max(3, nearest); distance = Math.ceil(distance / 2))
    list.push(distance);
  return nearest > 3 ? list : [...list, 3, 2, 1].filter((distance) => distance <= farthest);
}
