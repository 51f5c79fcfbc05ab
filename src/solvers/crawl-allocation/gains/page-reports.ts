/**
 * Costs and gains of pages at their counts. Poisson and Lomax pages whose gaps are all of one length on both sides of
 * their counts share their exponentials.
 */
import { lomaxReport } from './lomax-kernel.ts';
import { gainOfNext, meanCost } from './page-gain.ts';
import { lomaxProcess, type Pages, poissonProcess } from './pages.ts';
import { poissonReport } from './poisson-kernel.ts';

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
