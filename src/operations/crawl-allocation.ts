import * as contract from '../schemas/crawl-allocation.ts';
import {
  type CrawlAllocationProblem,
  renewalProcess,
  solveCrawlAllocation,
} from '../solvers/crawl-allocation/index.ts';
import { stalenessCost } from '../solvers/pages/objectives/index.ts';
import { defineOperation } from './operation.ts';

export const crawlAllocation = defineOperation({
  name: 'crawl-allocation',
  tag: 'pages',
  summary: 'How many crawls each page gets in the next interval, and when',
  description: [
    'Gives out `crawls` crawls to pages so that Σ weight·staleness is least. Staleness is the expected share of the interval during which',
    'the copy is out of date, under the best times for its crawls. The answer is exact. Its certificate: no further crawl would save more',
    'than the last crawl of any page does.',
    '',
    'Pages change by a Poisson process, a renewal process with any law of finite mean, or at known times with known probabilities',
    '(quasi-deterministic). A page without `lastCrawlAge` was never crawled, and is stale until its first crawl. For Poisson pages the',
    '`objective` may be delay or harmonic instead.',
    '',
    'Source: J. L. Wolf, M. S. Squillante, P. S. Yu, J. Sethuraman, L. Ozsen, Optimal crawling strategies for web search engines,',
    'WWW 2002, sections 2 and 5, with the start of the interval corrected.',
  ].join('\n'),
  request: contract.crawlAllocationRequest,
  solution: contract.crawlAllocationSolution,
  sentence: contract.crawlAllocationSentence,
  objective: ({ problem, target }) =>
    target === null ? stalenessCost(problem.objective).measured : { measure: 'crawls', unit: 'crawls' },
  supplement: contract.crawlAllocationSupplement,
  conflict: contract.crawlAllocationConflict,
  examples: {
    'crawl-allocation': 'Five pages of every kind, with limits, ages, times and baselines',
    'crawl-allocation-columns': 'The same question in columns, with host limits',
    'crawl-allocation-target': 'How few crawls keep copies current 85% of a day, with what more would buy',
  },
  limits: contract.crawlAllocationLimits,
  work: ({ problem, target, curve }) => {
    const marketPrices = (target === null ? 0 : 10) + (curve ? 40 : 0);
    return allocationWork(problem) + marketPrices * 500 * problem.updates.count;
  },
  solve: solveCrawlAllocation,
});

/**
 * Work in ns: about 1,000 a page; more for distributions without a table, and by the number of updates for
 * quasi-deterministic pages.
 */
export function allocationWork(problem: CrawlAllocationProblem): number {
  const { updates, idealTimes, crawls, baselines, hosts } = problem;
  const perPage = 1000 + (baselines ? 1000 : 0) + (hosts === null ? 0 : 1000);
  // each time is computed, then formatted in decimal
  let work = perPage * updates.count + (idealTimes ? 600 * crawls : 0);
  const { quasi, process } = updates;
  for (let k = 0; k < quasi.count; k++) {
    const points = quasi.offsets[k + 1] - quasi.offsets[k] + 2;
    work += (idealTimes ? 2 : 1) * points * points * Math.min(points, 8 + 4 * Math.log2(points));
  }
  for (let i = 0; i < process.length; i++) if (process[i] === renewalProcess) work += 20_000;
  return work;
}
