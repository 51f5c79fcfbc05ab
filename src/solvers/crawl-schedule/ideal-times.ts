/**
 * The first timetable where there are more slots than crawls: each crawl in a slot near its ideal time, by the exact
 * sweep of slot-assignment. O(crawls + slots). Not for hosts with delays or for quasi-deterministic updates.
 */
import type { Budget } from '../budget.ts';
import { quasiDeterministicProcess, type TimesByPage } from '../crawl-allocation/index.ts';
import type { SortedSlots } from '../schedule/index.ts';
import { assignSlots } from '../slot-assignment/index.ts';
import type { CrawlScheduleProblem } from './problem.ts';

/**
 * Whether slots near the ideal times make a better first timetable than the index schedule does (by up to 2% of value).
 */
export function prefersIdealTimes({ allocation, hostDelays }: CrawlScheduleProblem, slots: number): boolean {
  return (
    hostDelays === null && slots > allocation.crawls && !allocation.updates.process.includes(quasiDeterministicProcess)
  );
}

/**
 * The first timetable: the page of each slot in time order, −1 for none, and the number of crawls without a slot.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function assignIdealTimes(
  { allocation, slotCounts }: CrawlScheduleProblem,
  { offsets, times }: TimesByPage,
  slots: SortedSlots,
  budget: Budget,
): { readonly page: Int32Array; readonly openCrawls: number } {
  const page = new Int32Array(slots.time.length).fill(-1);
  const answer = assignSlots(
    {
      interval: allocation.interval,
      slotCounts,
      idealTime: times,
      kind: null,
      weight: null,
      allowed: null,
      earliest: null,
      latest: null,
      dropPenalty: Number.POSITIVE_INFINITY,
    },
    budget,
  );
  if (answer.status === 'infeasible') throw new Error(`more crawls than slots: ${answer.conflict.detail}`);
  for (let i = 0; i + 1 < offsets.length; i++) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) page[slots.position[answer.slotOf[k]]] = i;
  }
  return { page, openCrawls: 0 };
}
