/**
 * What would mend a plan's conflict, with the numbers: by how much longer the longest intervals would have to be, or how many more
 * slots, or how much shorter a host's delay, so that the check which found the conflict finds none any more.
 *
 * Each by bisection on that very check, to 1%, rounded to the safe side; other means stay as they are. O(twenty checks a means).
 * Stopped early, or where no factor up to a thousand will do, it names the means alone.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { openSlots } from './availability.ts';
import { type CrawlSlots, mergeSlots } from './crawl-slots.ts';
import { deadlineConflict } from './deadline-conflict.ts';
import type { CrawlPlanProblem, PlanConflict } from './plan-problem.ts';

const precision = 0.01;
const largestFactor = 1000;
/** The most crawls a plan takes. */
const mostSlots = 5_000_000;

/** The conflict with its repair. */
export function withRepair(
  conflict: PlanConflict,
  problem: CrawlPlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  budget: Budget,
): PlanConflict {
  const keeps = (changed: CrawlPlanProblem, open: CrawlSlots): boolean =>
    deadlineConflict(changed, open, age, budget) === null;
  const longer = leastFactor((k) => keeps({ ...problem, maxInterval: problem.maxInterval.map((m) => m * k) }, slots));
  const intervals =
    longer === null
      ? 'raise maxInterval of the pages named'
      : `raise maxInterval to ${longer.toFixed(2)} times what it is`;
  if (conflict.host !== null) {
    const h = problem.hostName.indexOf(conflict.host);
    const shorter = leastFactor((k) => {
      const hostDelay = problem.hostDelay.slice();
      hostDelay[h] /= k;
      const hostRate = problem.hostRate?.slice();
      if (hostRate !== undefined) hostRate[h] *= k;
      const clash = deadlineConflict({ ...problem, hostDelay, hostRate }, slots, age, budget);
      return clash === null || clash.host !== conflict.host;
    });
    const delay = shorter === null ? '' : ` to ${Number((problem.hostDelay[h] / shorter).toPrecision(3))} s`;
    const rate = problem.hostRate?.[h] ?? Number.POSITIVE_INFINITY;
    const faster = shorter === null ? '' : ` to ${Number((rate * shorter).toPrecision(3))}`;
    const raised = rate < Number.POSITIVE_INFINITY ? ` and raise its maxRate${faster}` : '';
    return { ...conflict, repair: `${intervals}, or lower minDelay of host ${conflict.host}${delay}${raised}` };
  }
  const spans = problem.availability?.spans ?? null;
  const more = leastFactor((k) => {
    // more slots than a plan can have are no repair, and would not fit into memory
    if (scaledSlots(problem, k).reduce((sum, count) => sum + count, 0) > mostSlots) return false;
    const scaled = openSlots(mergeSlots(problem.interval, scaledSlots(problem, k)), spans);
    const clash = deadlineConflict(problem, scaled, age, budget);
    return clash === null || clash.host !== null;
  });
  const total = more === null ? null : scaledSlots(problem, more).reduce((sum, count) => sum + count, 0);
  return {
    ...conflict,
    repair: `${intervals}, or have ${total === null ? 'more slots' : `${total} slots`} in the interval`,
  };
}

const scaledSlots = ({ slotsByCrawler }: CrawlPlanProblem, factor: number): Uint32Array =>
  slotsByCrawler.map((count) => Math.ceil(count * factor));

/** The least factor above 1, to `precision`, with which it will do; null where none is known to. */
function leastFactor(does: (factor: number) => boolean): number | null {
  try {
    let high = 2;
    while (!does(high)) {
      high *= 2;
      if (high > largestFactor) return null;
    }
    let low = high / 2;
    while (high - low > precision * low) {
      const middle = (low + high) / 2;
      if (does(middle)) high = middle;
      else low = middle;
    }
    return high;
  } catch (error) {
    if (error instanceof NothingToReturn) return null;
    throw error;
  }
}
