/**
 * Costs and gains of pages at their counts. Poisson and Lomax pages whose gaps are all of one length on both sides of
 * their counts share their exponentials. Other threads report on some of many, but for pages of a law or a cost that
 * must be asked.
 */
import { type Budget, NothingToReturn, type Part } from '../../budget.ts';
import { freshness } from '../../pages/objectives/index.ts';
import { doneInRuns, evenRuns, sharedWholes } from '../../parts.ts';
import { lomaxReport } from './lomax-kernel.ts';
import { gainOfNext, meanCost } from './page-gain.ts';
import {
  costedProcess,
  leastPages,
  lomaxProcess,
  type Pages,
  type PlainPages,
  poissonProcess,
  renewalProcess,
  runOf,
} from './pages.ts';
import { poissonReport } from './poisson-kernel.ts';

const pagesBetweenPolls = 8192;

/** Page i with x crawls: [0] the gain of the next crawl, [1] that of the last, [2] its mean cost. */
export function reportPage(pages: Pages, i: number, x: number, report: Float64Array): void {
  if (reportEven(pages, i, x, report)) return;
  report[0] = x < pages.maximum[i] ? gainOfNext(pages, i, x) : 0;
  report[1] = x > pages.minimum[i] ? gainOfNext(pages, i, x - 1) : 0;
  report[2] = meanCost(pages, i, x);
}

/** The same where all gaps are of one length; false for any other page. */
function reportEven(pages: Pages, i: number, x: number, report: Float64Array): boolean {
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

/** The mean cost of each page, NaN for those that must be asked; the largest next gain and the least last one. */
interface DividedReports {
  readonly cost: Float64Array;
  readonly next: number;
  readonly last: number;
}

/** A run of pages with their crawls; `cost` is where the costs go. */
interface Reported extends PlainPages {
  readonly crawls: Int32Array;
  readonly cost: Float64Array;
}

export const reportsPart: Part<Reported, Omit<DividedReports, 'cost'>> = {
  name: 'allocation-reports',
  run(plain, budget) {
    const { count, process, crawls, cost, minimum, maximum } = plain;
    const pages = { ...plain, laws: [], cost: freshness };
    const report = new Float64Array(5);
    let next = Number.NEGATIVE_INFINITY;
    let last = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (i % pagesBetweenPolls === 0 && budget.stopRequested())
        throw new NothingToReturn('the certificate was not complete');
      const x = crawls[i];
      cost[i] = Number.NaN;
      if (process[i] === renewalProcess || process[i] === costedProcess) continue;
      reportPage(pages, i, x, report);
      cost[i] = report[2];
      if (x < maximum[i] && report[0] > next) next = report[0];
      if (x > minimum[i] && report[1] < last) last = report[1];
    }
    return { next, last };
  },
};

/** Reports on all pages by several threads; null where there are too few for that. */
export function dividedReports(pages: PlainPages, crawls: Int32Array, budget: Budget): DividedReports | null {
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
