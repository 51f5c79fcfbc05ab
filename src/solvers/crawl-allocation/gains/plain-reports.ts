/**
 * Costs and gains of Poisson and Lomax pages whose gaps are all of one length on both sides of their counts. They share
 * their exponentials, and need nothing but numbers: other threads report on some of many.
 */
import { type Budget, NothingToReturn, type Part } from '../../budget.ts';
import { doneInRuns, evenRuns, sharedWholes } from '../../parts.ts';
import { lomaxReport } from './lomax-kernel.ts';
import { leastPages, lomaxProcess, type PlainPages, poissonProcess, runOf } from './pages.ts';
import { poissonReport } from './poisson-kernel.ts';

const pagesBetweenPolls = 8192;

/**
 * Page i with x crawls: [0] the gain of the next crawl, [1] that of the last, [2] its mean cost.
 *
 * @returns false for a page that is not of this kind
 */
export function reportPlain(pages: PlainPages, i: number, x: number, report: Float64Array): boolean {
  const process = pages.process[i];
  if (process !== poissonProcess && process !== lomaxProcess) return false;
  const age = pages.age === null ? -1 : pages.age[i];
  const n = age === 0 ? x + 1 : age < 0 || (x - 1) * age > 1 ? x : 0;
  if (n < 1 || (n === 1 && age !== 0)) return false;
  const y = pages.length[i];
  const worth = pages.worth[i];
  if (process === poissonProcess) poissonReport(y / n, n, report);
  else lomaxReport(pages.alpha[i], y / n, n, report);
  report[0] *= worth;
  report[1] *= worth;
  report[2] = Math.min(1, (report[2] * n) / y);
  return true;
}

/** The mean cost of each page, NaN for those of another kind; the largest next gain and the least last one. */
interface PlainReports {
  readonly cost: Float64Array;
  readonly next: number;
  readonly last: number;
}

/** A run of pages with their crawls; `cost` is where the costs go. */
interface Reported extends PlainPages {
  readonly crawls: Int32Array;
  readonly cost: Float64Array;
}

export const reportsPart: Part<Reported, Omit<PlainReports, 'cost'>> = {
  name: 'allocation-reports',
  run(pages, budget) {
    const { count, crawls, cost, minimum, maximum } = pages;
    const report = new Float64Array(5);
    let next = Number.NEGATIVE_INFINITY;
    let last = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (i % pagesBetweenPolls === 0 && budget.stopRequested())
        throw new NothingToReturn('the certificate was not complete');
      const x = crawls[i];
      const isPlain = reportPlain(pages, i, x, report);
      cost[i] = isPlain ? report[2] : Number.NaN;
      if (!isPlain) continue;
      if (x < maximum[i] && report[0] > next) next = report[0];
      if (x > minimum[i] && report[1] < last) last = report[1];
    }
    return { next, last };
  },
};

/** Reports on all pages by several threads; null where there are too few for that. */
export function plainReports(pages: PlainPages, crawls: Int32Array, budget: Budget): PlainReports | null {
  const cuts = evenRuns(pages.count, budget.hands, leastPages);
  if (cuts.length < 3) return null;
  const cost = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * pages.count));
  const made = doneInRuns(
    reportsPart,
    cuts,
    (from, to) => ({
      ...runOf(pages, from, to),
      crawls: sharedWholes(crawls, from, to),
      cost: cost.subarray(from, to),
    }),
    budget,
  );
  return {
    cost,
    next: Math.max(...made.map(({ next }) => next)),
    last: Math.min(...made.map(({ last }) => last)),
  };
}
