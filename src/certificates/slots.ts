/** Slots of crawlers: slot l of S starts at l·interval/S, and takes one crawl. */
import type { Findings } from './findings.ts';
import type { WireTable } from './wire.ts';

export interface SlotRules {
  /** Number of slots by crawler. */
  readonly counts: ArrayLike<number>;
  /** Start of the first slot, and the total length of all slots. */
  readonly start: number;
  readonly interval: number;
}

/** Checks each used slot; returns the crawl times of every page in order, or null if a page does not exist. */
export function checkSlots(
  schedule: WireTable,
  { counts, start, interval }: SlotRules,
  pages: number,
  findings: Findings,
): number[][] | null {
  const [times, crawlers, owners] = ['time', 'crawler', 'page'].map((name) => schedule.numbers(name));
  const tolerance = 1e-9 * interval + 1e-14 * Math.abs(start) + 1e-9;
  const byPage = Array.from({ length: pages }, (): number[] => []);
  const usedSlots = new Set<string>();
  for (const [k, time] of times.entries()) {
    const [c, count] = [crawlers[k], counts[crawlers[k]]];
    const slot = Math.round(((time - start) / interval) * count);
    const isSlot = slot >= 0 && slot < count && Math.abs(start + (slot * interval) / count - time) <= tolerance;
    findings.expect('solution.schedule.time', isSlot, `no slot of crawler ${c} at ${time}`);
    // slots closer than the resolution of the clock cannot be told apart by time
    const isUnused = interval / count <= 2 * tolerance || !usedSlots.has(`${c} ${slot}`);
    findings.expect('solution.schedule.crawler', isUnused, `slot ${slot} of crawler ${c} is used twice`);
    usedSlots.add(`${c} ${slot}`);
    findings.expect('solution.schedule.time', k === 0 || time >= times[k - 1], `slots out of order at ${time}`);
    const own = byPage[owners[k]];
    findings.expect('solution.schedule.page', own !== undefined, `there is no page ${owners[k]}`);
    if (own === undefined) return null;
    own.push(time);
  }
  return byPage;
}
