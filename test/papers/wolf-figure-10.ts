/**
 * The instance of Figure 10 of Wolf et al. (2002): ten homogeneous crawlers, one day, a fifth of the crawls
 * quasi-deterministic.
 *
 * Its window of 20 slots holds for ideal times that are spread evenly, as those of many pages crawled at even intervals
 * are. Page i of x crawls has them at (phase_i + k)·T/x, its phase staggered by the golden ratio. (Independent uniform
 * times would wander off by the square root of their number.)
 */
import { releaseTask, type SlotAssignmentProblem } from '../../src/solvers/slot-assignment/index.ts';

const crawlers = 10;
export const day = 86_400;
const golden = (Math.sqrt(5) - 1) / 2;

/** @param slots of each crawler */
export function figure10(slots: number): SlotAssignmentProblem {
  const total = crawlers * slots;
  const idealTime = new Float64Array(total);
  const kind = new Uint8Array(total);
  // Page i is crawled 1, 2, 3, 4, 5, 10 or 25 times a day; every fifth page is quasi-deterministic.
  const times = [1, 2, 3, 4, 5, 10, 25];
  for (let page = 0, at = 0; at < total; page++) {
    const x = Math.min(times[page % times.length], total - at);
    const phase = (page * golden) % 1;
    const quasiDeterministic = page % 5 === 0;
    for (let k = 0; k < x; k++, at++) {
      idealTime[at] = ((phase + k) * day) / x;
      if (!quasiDeterministic) continue;
      kind[at] = releaseTask;
      // An update in the very last slots of the day leaves no later slot for its crawl.
      idealTime[at] = Math.min(idealTime[at], day * (1 - 20 / slots));
    }
  }
  return {
    interval: day,
    slotCounts: new Int32Array(crawlers).fill(slots),
    idealTime,
    kind,
    weight: null,
    allowed: null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}
