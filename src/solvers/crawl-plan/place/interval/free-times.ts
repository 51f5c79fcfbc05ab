/**
 * A first schedule where any page may have any slot. It puts free times in their order on the slots in theirs. Then it
 * does so again with the times as they would be if moments had prices. The first schedule shows these prices
 * (crawl-schedule says why).
 */
import { type Budget, NothingToReturn, unlessStopped } from '../../../budget.ts';
import {
  PricedTimes,
  slopesOf,
  type TimesByPage,
  type Timetable,
  type TimetableTerms,
} from '../../../crawl-schedule/index.ts';
import { evenGap } from './interval-counts.ts';

const pagesPerPoll = 1024;
/** Times compared between two looks at the budget; one less than a power of two. */
const comparisonsBetweenPolls = 65_535;

/**
 * The page of each slot; null where the budget ended before the times were in order.
 *
 * @param tableOf a timetable of the slots
 */
export function freeTimesInOrder(
  { slotTime, interval, weight, stale }: TimetableTerms,
  { counts, age }: { readonly counts: Int32Array; readonly age: Float64Array },
  tableOf: (page: Int32Array) => Timetable,
  budget: Budget,
): Int32Array | null {
  const { offsets, times } = evenTimes(counts, age, interval);
  const order = (): Int32Array | null =>
    unlessStopped(null, () => inOrder({ offsets, times }, slotTime.length, budget));
  const first = order();
  if (first === null) return null;
  const slopes = slopesOf(tableOf(first), { interval, crawls: times.length, weight });
  const priced = new PricedTimes(stale, slopes);
  for (let i = 0; i < weight.length; i++) {
    if (i % pagesPerPoll === 0 && budget.stopRequested()) return first;
    priced.move(i, weight[i], times, offsets[i], offsets[i + 1]);
  }
  return order() ?? first;
}

function evenTimes(counts: Int32Array, age: Float64Array, interval: number): TimesByPage {
  const offsets = new Int32Array(counts.length + 1);
  for (const [i, x] of counts.entries()) offsets[i + 1] = offsets[i] + x;
  const times = new Float64Array(offsets[counts.length]);
  for (const [i, x] of counts.entries()) {
    const gap = evenGap({ age, interval }, i, x);
    const first = Math.max(0, gap - age[i]);
    for (let k = 0; k < x; k++) times[offsets[i] + k] = first + k * gap;
  }
  return { offsets, times };
}

/**
 * The pages of all times in their order, spread over the slots where they are fewer. O(crawls log crawls).
 *
 * @throws NothingToReturn when the budget ends
 */
function inOrder({ offsets, times }: TimesByPage, slots: number, budget: Budget): Int32Array {
  const pageOf = new Int32Array(times.length);
  for (let i = 0; i + 1 < offsets.length; i++) pageOf.fill(i, offsets[i], offsets[i + 1]);
  let compared = 0;
  const order = Uint32Array.from(times.keys()).sort((a, b) => {
    if ((++compared & comparisonsBetweenPolls) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('the times were not in order yet');
    }
    return times[a] - times[b] || a - b;
  });
  const page = new Int32Array(slots).fill(-1);
  for (const [position, k] of order.entries()) page[Math.floor((position * slots) / times.length)] = pageOf[k];
  return page;
}
