/**
 * What an allocation comes to for each page: its staleness under every objective, and the objective's own measure.
 *
 * Staleness is that of the crawl times chosen, which are the same for every objective: even gaps. A page never crawled
 * is stale until its first crawl, which under another objective than freshness ends the first of x + 1 even gaps.
 */
import type { Budget } from '../budget.ts';
import { meanCost } from './gains/page-gain.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { agesAtStart, scalePages, updateRates } from './scale-pages.ts';

export interface PageMeasures {
  /** A_i(x_i): the mean cost of a copy by the objective; under freshness the staleness. */
  readonly cost: Float64Array;
  /** Expected share of the interval with a stale copy. */
  readonly staleness: Float64Array;
  /**
   * Under `delay`: mean time from a change to the crawl that finds it. By Little's formula it is the mean number of
   * changes that wait, over their rate.
   */
  readonly meanDelay: Float64Array | null;
}

/**
 * What an allocation comes to for each page.
 *
 * @param cost A_i(x_i) by the problem's objective
 */
export function pageMeasures(
  problem: CrawlAllocationProblem,
  crawls: Int32Array,
  cost: Float64Array,
  budget: Budget,
): PageMeasures {
  const { objective } = problem;
  if (objective === 'freshness') return { cost, staleness: cost, meanDelay: null };
  const rates = updateRates(problem);
  return {
    cost,
    staleness: stalenessOf(problem, crawls, rates, budget),
    meanDelay: objective === 'delay' ? cost.map((items, i) => items / rates[i]) : null,
  };
}

function stalenessOf(
  problem: CrawlAllocationProblem,
  crawls: Int32Array,
  rates: Float64Array,
  budget: Budget,
): Float64Array {
  const { interval, lastCrawlAge } = problem;
  const pages = scalePages({ ...problem, objective: 'freshness', lastCrawlAge: agesAtStart(problem) }, false, budget);
  return Float64Array.from(crawls, (x, i) => {
    const cost = meanCost(pages, i, x);
    if (lastCrawlAge !== null && !Number.isNaN(lastCrawlAge[i])) return cost;
    const gap = interval / (x + 1);
    // a page never crawled is stale all through its first gap, of which `cost` counts only the time after the first
    // change
    return Math.min(1, cost - Math.expm1(-rates[i] * gap) / rates[i] / interval);
  });
}
