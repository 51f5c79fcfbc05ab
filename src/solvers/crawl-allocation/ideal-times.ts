/**
 * When the crawls of every page should be made, within [0, T].
 *
 * Renewal pages (page-gain.ts): age a ≥ 0 and x·a ≤ T: at j(T + a)/(x + 1) − a, j = 1..x; a beyond that: the first at
 * once, then every T/x. Never crawled: every T/x from a random point of the first T/x on. So pages with equal counts do
 * not all ask at the same moments. Quasi-deterministic pages: at the possible updates chosen (quasi-deterministic.ts);
 * crawls beyond the useful ones are spread over the interval. Source: Wolf et al. (2002), section 2.3; the phase is
 * ours.
 */
import type { Poll } from '../budget.ts';
import type { Random } from '../numerics/random/random.ts';
import { quasiDeterministicProcess } from './gains/page-gain.ts';
import { quasiCrawlPoints, quasiGreedy, quasiWorkspace } from './gains/quasi-deterministic.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { agesAtStart, quasiPage, staleAtStart } from './scale-pages.ts';

/** Times of page i: times[offsets[i]..offsets[i + 1] − 1], increasing. */
export interface TimesByPage {
  readonly offsets: Int32Array;
  readonly times: Float64Array;
}

/** Elementary steps that an ideal time, or the cost of a page, takes: for polls. */
export const stepsPerItem = 50;

/**
 * The ideal times of every page's crawls. O(R), and the dynamic programme of each quasi-deterministic page once more.
 *
 * @throws NothingToReturn when `poll` ends the solve
 */
export function idealTimes(
  problem: CrawlAllocationProblem,
  crawls: Int32Array,
  random: Random,
  poll: Poll,
): TimesByPage {
  const { interval, updates } = problem;
  const lastCrawlAge = agesAtStart(problem);
  const offsets = new Int32Array(crawls.length + 1);
  for (let i = 0; i < crawls.length; i++) offsets[i + 1] = offsets[i] + crawls[i];
  const times = new Float64Array(offsets[crawls.length]);
  const starts = staleAtStart(problem);
  const work = quasiWorkspace();
  const gains = new Float64Array(updates.quasi.offsets[updates.quasi.count] + 1);
  for (let i = 0; i < crawls.length; i++) {
    const x = crawls[i];
    const from = offsets[i];
    const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
    if (x === 0) continue;
    poll(stepsPerItem * (x + 1));
    if (updates.process[i] === quasiDeterministicProcess) {
      const page = quasiPage(problem, updates.entry[i], starts[updates.entry[i]]);
      poll((page.to - page.from + 1) ** 2);
      let points: Int32Array;
      if (problem.quasiDeterministic === 'greedy') {
        const order = new Int32Array(page.to - page.from + 1);
        points = order.slice(0, Math.min(x, quasiGreedy(work, page, gains, 0, order)));
      } else {
        points = quasiCrawlPoints(work, page, x);
      }
      for (let j = 0; j < points.length; j++)
        times[from + j] = points[j] === 0 ? 0 : page.times[page.from + points[j] - 1];
      const extra = x - points.length;
      for (let j = 0; j < extra; j++) times[from + points.length + j] = (interval * (j + 1)) / (extra + 1);
      times.subarray(from, from + x).sort();
    } else if (Number.isNaN(age)) {
      const phase = random();
      for (let j = 0; j < x; j++) times[from + j] = (interval / x) * (j + phase);
    } else if (x * age <= interval) {
      const gap = (interval + age) / (x + 1);
      for (let j = 0; j < x; j++) times[from + j] = Math.max(0, (j + 1) * gap - age);
    } else {
      for (let j = 0; j < x; j++) times[from + j] = (interval / x) * j;
    }
  }
  return { offsets, times };
}
