/** Parts of a timetable that are improved by themselves: all of it, or what the pages of one host have. */
import type { Timetable } from '../table/timetable.ts';

/** Slots, in time order, whose pages change among themselves. */
export interface Part {
  readonly slots: Int32Array;
  readonly pages: Int32Array;
  /** Of all pages. */
  readonly share: number;
}

export function wholeOf(table: Timetable, pages: number): Part {
  return {
    slots: Int32Array.from(table.page.keys()),
    pages: Int32Array.from({ length: pages }, (_, i) => i),
    share: 1,
  };
}

/** What each host's pages have, and those of none: whichever of its pages is crawled, a host keeps its delay. */
export function partsByHost(table: Timetable, pages: number): Part[] {
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
export const worthwhile = 2e-4;
