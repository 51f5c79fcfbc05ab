import {
  type CheckedAllocation,
  crawlAllocationBeside,
  crawlAllocationConflict,
  crawlAllocationLimits,
  crawlAllocationRequest,
  crawlAllocationSolution,
} from '../schemas/crawl-allocation.ts';
import { tableAnswer } from '../schemas/table/table-answer.ts';
import { type CrawlAllocation, renewalProcess, solveCrawlAllocation } from '../solvers/crawl-allocation/index.ts';
import { defineOperation } from './operation.ts';

export const crawlAllocation = defineOperation({
  name: 'crawl-allocation',
  tag: 'pages',
  summary: 'How many crawls each page gets in the next interval, and when',
  description: [
    'Gives out `crawls` crawls to pages so that Σ weight·staleness is least: staleness is the expected share of the interval',
    'during which our copy of the page is out of date, under the best times for its crawls. Exact, with a certificate: no',
    'further crawl of any page would save more than the last crawl of any other does.',
    '',
    '`objective` says what staleness costs where it is not the share of time out of date that counts: how long items wait',
    '(delay), how old what is shown is (age), or that no page may starve (harmonic); these are for Poisson pages.',
    '',
    'Pages change by a Poisson process, a renewal process with any gap law of finite mean, or at known times with known',
    'probabilities (quasi-deterministic). `lastCrawlAge` says how long ago a page was crawled; left out, it never was, and is',
    'stale until its first crawl.',
    '',
    'Source: J. L. Wolf, M. S. Squillante, P. S. Yu, J. Sethuraman, L. Ozsen, Optimal crawling strategies for web search engines,',
    'WWW 2002, sections 2 and 5, with the start of the interval corrected.',
  ].join('\n'),
  request: crawlAllocationRequest,
  solution: crawlAllocationSolution,
  beside: crawlAllocationBeside,
  conflict: crawlAllocationConflict,
  examples: [
    { name: 'crawl-allocation', summary: 'Five pages of every kind, with limits, ages, times and baselines' },
    { name: 'crawl-allocation-columns', summary: 'The same question in columns, with host limits' },
    {
      name: 'crawl-allocation-feeds',
      summary: 'Five feeds whose items should wait as little as can be: objective delay',
    },
    { name: 'crawl-allocation-matters', summary: 'Updates of which only some matter, each with its chance' },
  ],
  limits: crawlAllocationLimits,
  work: ({ problem }) => allocationWork(problem),
  solve({ problem, pages }, budget) {
    const allocation = solveCrawlAllocation(problem, budget);
    const statistics = { solver: 'lagrange-multiplier', pages: pages.length };
    const { status, warnings } = allocation;
    if (allocation.status === 'infeasible') {
      return { status, conflict: { ...allocation.conflict }, warnings, statistics };
    }
    return {
      status,
      objective: allocation.objective,
      solution: {
        pages: tableAnswer(pages, {
          crawls: allocation.crawls,
          staleness: allocation.staleness,
          meanDelay: allocation.meanDelay ?? undefined,
          meanAge: allocation.meanAge ?? undefined,
          idealTimes: timesByPage(allocation),
        }),
        shadowPrice: allocation.shadowPrice,
        certificate: gains(allocation.certificate),
        hosts: allocation.hosts?.map((host, h) => ({
          host: problem.hosts?.names[h] ?? '',
          crawls: host.crawls,
          full: host.crawls >= (problem.hosts?.maxCrawls[h] ?? 0),
          ...gains(host),
        })),
      },
      beside: allocation.baselines === null ? {} : { baselines: allocation.baselines },
      warnings,
      statistics,
    };
  },
});

/**
 * About half a microsecond a page; laws without a table of their own more, quasi-deterministic pages by their updates.
 */
export function allocationWork(problem: CheckedAllocation['problem']): number {
  const { updates, idealTimes, crawls, baselines, hosts } = problem;
  const perPage = 500 + (baselines ? 500 : 0) + (hosts === null ? 0 : 1000);
  // gains are collected and sorted in each of a few passes; a time is computed, then written out in decimals
  const collected = Math.min(crawls, 2 * updates.count + 65_536);
  let work = perPage * updates.count + 500 * collected + (idealTimes ? 600 * crawls : 0);
  const { quasi, process } = updates;
  for (let k = 0; k < quasi.count; k++) {
    const points = quasi.offsets[k + 1] - quasi.offsets[k] + 2;
    work += (idealTimes ? 2 : 1) * points * points * Math.min(points, 8 + 4 * Math.log2(points));
  }
  for (let i = 0; i < process.length; i++) if (process[i] === renewalProcess) work += 20_000;
  work += 1e8 * updates.thinnedStages;
  return work;
}

function gains(pair: { readonly maxNextGain: number; readonly minLastGain: number }) {
  const orNull = (gain: number): number | null => (Number.isNaN(gain) ? null : gain);
  return { maxNextGain: orNull(pair.maxNextGain), minLastGain: orNull(pair.minLastGain) };
}

function timesByPage({ idealTimes, crawls }: CrawlAllocation): number[][] | undefined {
  if (idealTimes === null) return undefined;
  const { offsets, times } = idealTimes;
  return Array.from(crawls, (_, i) => Array.from(times.subarray(offsets[i], offsets[i + 1])));
}
