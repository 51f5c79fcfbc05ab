/**
 * Pages with fewer crawls than they must have get them from pages that have more than that.
 *
 * 1. Each takes the slot that costs least. O(slots) a crawl.
 * 2. If the host's delay still leaves such a page no slot, all crawls of the host are rescheduled, those that must be
 *    made first. Each takes the first slot that the delay allows and that is empty or can be spared. O(slots) a host.
 * If stopped, the remaining pages keep what they have.
 * Known limits: where several hosts are short of slots at once, there may be a schedule that this does not find.
 */
import type { Budget } from '../../budget.ts';
import type { HostDelays } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';
import type { CrawlLimits } from './crawl-limits.ts';

/** Slots between two looks at the budget: few, since one of a page that has most of them takes long. */
const slotsPerPoll = 64;
/** Slots looked at in all, at most. */
const mostLooks = 2e8;

/**
 * @param spare crawls that may be added
 * @returns how many crawls there are fewer; below 0 where some were added
 */
export function keepLeast(
  table: Timetable,
  { limits, hosts, spare }: { readonly limits: CrawlLimits; readonly hosts: HostDelays | null; readonly spare: number },
  budget: Budget,
): number {
  const isShort = (i: number): boolean => table.crawlsOf(i) < limits.least[i];
  let looks = 0;
  const mayLook = (): boolean => {
    looks += table.page.length;
    return looks <= mostLooks && !budget.stopRequested();
  };
  const shortHosts = new Map<number, number[]>();
  for (let i = 0; i < limits.least.length; i++) {
    while (isShort(i) && mayLook()) {
      const slot = cheapestSlot(table, limits, i, budget);
      if (slot < 0) break;
      take(table, limits, slot);
      give(table, limits, slot, i);
    }
    const h = hosts?.of[i] ?? -1;
    if (h >= 0 && isShort(i)) shortHosts.set(h, []);
  }
  if (hosts === null || shortHosts.size === 0) return 0;
  for (const [i, h] of hosts.of.entries()) shortHosts.get(h)?.push(i);
  let lost = 0;
  for (const own of shortHosts.values()) {
    if (mayLook()) lost += placedAnew(table, { limits, own, spare: spare + lost }, budget);
  }
  return lost;
}

function take(table: Timetable, { changed }: CrawlLimits, slot: number): void {
  changed(table.page[slot], -1);
  table.take(slot);
}

function give(table: Timetable, { changed }: CrawlLimits, slot: number, i: number): void {
  table.give(slot, i);
  changed(i, 1);
}

/** Whether the page of a slot has more crawls than it must and may do without this one. */
const canSpare = (table: Timetable, { least }: CrawlLimits, slot: number): boolean =>
  table.crawlsOf(table.page[slot]) > least[table.page[slot]] && table.mayLeave(slot);

/**
 * The slot of a page that can spare it, in which page i saves most of what is lost. It is −1 where page i may have
 * none, or the budget ended before all were looked at.
 */
function cheapestSlot(table: Timetable, limits: CrawlLimits, i: number, budget: Budget): number {
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < table.page.length; s++) {
    if (s % slotsPerPoll === slotsPerPoll - 1 && budget.stopRequested()) return -1;
    const j = table.page[s];
    if (j < 0 || j === i || !canSpare(table, limits, s)) continue;
    const lost = table.savedAt(s);
    // what page i may have, and saves, once the slot is empty
    take(table, limits, s);
    const gain = limits.allow(i) && table.mayTake(i, s) ? table.savedBy(i, s) - lost : Number.NEGATIVE_INFINITY;
    give(table, limits, s, j);
    if (gain <= most) continue;
    most = gain;
    best = s;
  }
  return best;
}

interface Placing {
  readonly limits: CrawlLimits;
  /** The host's pages. */
  readonly own: readonly number[];
  readonly spare: number;
}

/** Makes all crawls of a host anew, unless as many of them are missing then; how many crawls there are fewer. */
function placedAnew(table: Timetable, { limits, own, spare }: Placing, budget: Budget): number {
  const { least } = limits;
  const missing = (): number => own.reduce((sum, i) => sum + Math.max(0, least[i] - table.crawlsOf(i)), 0);
  const before = missing();
  const held = own.map((i) => table.crawlsOf(i));
  const had: (readonly [slot: number, page: number])[] = [];
  const ofHost = new Set(own);
  for (const [s, i] of table.page.entries()) if (ofHost.has(i)) had.push([s, i]);
  for (const [s] of had) take(table, limits, s);
  const wanted = [
    ...own.flatMap((i) => new Array<number>(least[i]).fill(i)),
    ...own.flatMap((i, k) => new Array<number>(Math.max(0, held[k] - least[i])).fill(i)),
  ];
  const most = had.length + spare;
  const placed: number[] = [];
  const displaced: (readonly [slot: number, page: number])[] = [];
  for (let s = 0; s < table.page.length; s++) {
    const i = wanted[placed.length];
    if (i === undefined || (s % slotsPerPoll === slotsPerPoll - 1 && budget.stopRequested())) break;
    const j = table.page[s];
    const room = j < 0 ? placed.length - displaced.length < most : canSpare(table, limits, s);
    if (!room || !limits.allow(i) || !table.mayTake(i, s)) continue;
    if (j >= 0) {
      take(table, limits, s);
      displaced.push([s, j]);
    }
    give(table, limits, s, i);
    placed.push(s);
  }
  if (missing() < before) return had.length + displaced.length - placed.length;
  for (const s of placed) take(table, limits, s);
  for (const [s, i] of [...displaced, ...had]) give(table, limits, s, i);
  return 0;
}
