import type * as z from 'zod';
import type { Answer, Wire } from '../schemas/contract/answer.ts';
import {
  type CheckedAllocation,
  type CheckedAllocationOrTarget,
  crawlAllocationBeside,
  crawlAllocationConflict,
  crawlAllocationLimits,
  crawlAllocationRequest,
  crawlAllocationSentence,
  crawlAllocationSolution,
} from '../schemas/crawl-allocation/index.ts';
import { measuredBy, measureOf, scaleOf } from '../schemas/parts/objective-measures.ts';
import { ceilingOf, toldCurve, toldTargets } from '../schemas/parts/targets/answer.ts';
import type { AskedTarget } from '../schemas/parts/targets/asked.ts';
import {
  askingLess,
  type BindingLimit,
  bindingHosts,
  missedTarget,
  raisedLimits,
} from '../schemas/parts/targets/conflict.ts';
import type { Budget } from '../solvers/budget.ts';
import {
  type AllocationMissed,
  allocationCurve,
  type CrawlAllocation,
  type CrawlAllocationProblem,
  type NeededAllocation,
  renewalProcess,
  solveAllocationTarget,
  solveCrawlAllocation,
} from '../solvers/crawl-allocation/index.ts';
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
    '`objective` may be delay, age or harmonic instead.',
    '',
    'Source: J. L. Wolf, M. S. Squillante, P. S. Yu, J. Sethuraman, L. Ozsen, Optimal crawling strategies for web search engines,',
    'WWW 2002, sections 2 and 5, with the start of the interval corrected.',
  ].join('\n'),
  request: crawlAllocationRequest,
  solution: crawlAllocationSolution,
  sentence: crawlAllocationSentence,
  objective: ({ problem, asked }) =>
    asked === null ? measuredBy(problem.objective) : { measure: 'crawls', unit: 'crawls' },
  beside: crawlAllocationBeside,
  conflict: crawlAllocationConflict,
  examples: [
    { name: 'crawl-allocation', summary: 'Five pages of every kind, with limits, ages, times and baselines' },
    { name: 'crawl-allocation-columns', summary: 'The same question in columns, with host limits' },
    {
      name: 'crawl-allocation-feeds',
      summary: 'Five feeds whose items should wait as little as can be: objective delay',
    },
    {
      name: 'crawl-allocation-target',
      summary: 'How few crawls keep copies current 85% of a day, and the shop’s 90%, with what more would buy',
    },
    { name: 'crawl-allocation-matters', summary: 'Updates of which only some matter, each with its chance' },
  ],
  limits: crawlAllocationLimits,
  work: ({ problem, asked, curve }) => {
    const searched = (asked === null ? 0 : 10) + (curve ? 40 : 0);
    return allocationWork(problem) + searched * 500 * problem.updates.count;
  },
  solve(request, budget) {
    const { problem, pages, asked, curve } = request;
    if (asked !== null) return targetAnswer(request, asked, budget);
    const allocation = solveCrawlAllocation(problem, budget);
    const statistics = { solver: 'lagrange-multiplier', pages: pages.length };
    const { status, warnings } = allocation;
    if (allocation.status === 'infeasible') {
      return { status, conflict: allocation.conflict, warnings, statistics };
    }
    return {
      status,
      objective: allocation.objective,
      solution: solutionOf(request, allocation),
      beside: {
        ...baselinesOf(allocation),
        ...(curve && { curve: curveAround(problem, { crawls: problem.crawls, asked: null }, budget) }),
      },
      warnings,
      statistics,
    };
  },
});

type Solution = z.input<typeof crawlAllocationSolution>;

function solutionOf({ problem }: CheckedAllocation, allocation: Omit<CrawlAllocation, 'status'>): Wire<Solution> {
  return {
    pages: {
      crawls: allocation.crawls,
      staleness: allocation.staleness,
      meanDelay: allocation.meanDelay,
      meanAge: allocation.meanAge,
      idealTimes: allocation.idealTimes,
    },
    shadowPrice: allocation.shadowPrice,
    certificate: gains(allocation.certificate),
    hosts: allocation.hosts?.map((host, h) => ({
      host: problem.hosts?.names[h] ?? '',
      crawls: host.crawls,
      full: host.crawls >= (problem.hosts?.maxCrawls[h] ?? 0),
      ...gains(host),
    })),
  };
}

const baselinesOf = ({ baselines }: Pick<CrawlAllocation, 'baselines'>) => (baselines === null ? {} : { baselines });

/** How few crawls keep the targets. */
function targetAnswer(
  request: CheckedAllocationOrTarget,
  asked: AskedTarget,
  budget: Budget,
): Answer<Solution, z.input<z.ZodObject<typeof crawlAllocationBeside>>> {
  const { problem, pages, curve } = request;
  const statistics = { solver: 'clearing-price', pages: pages.length };
  const answer = solveAllocationTarget(problem, asked, budget);
  if (answer.status === 'infeasible') {
    const conflict = 'missed' in answer ? missedHere(problem, asked, answer.missed) : { ...answer.conflict };
    return { status: 'infeasible', conflict, warnings: [], statistics };
  }
  const { status, needed, met, warnings } = answer;
  const around = { crawls: needed.value, asked, ceiling: ceilingOf(asked, met) };
  return {
    status,
    objective: needed,
    solution: { ...solutionOf(request, answer), crawls: needed.value },
    beside: {
      ...baselinesOf(answer),
      ...(asked.owns.length > 0 && { targets: reachedByOwn(asked, problem, answer) }),
      ...(curve && needed.value > 0 && { curve: curveAround(problem, around, budget) }),
    },
    warnings,
    statistics,
  };
}

/** What each class or host reaches with whole crawls. */
function reachedByOwn(asked: AskedTarget, { weight }: CrawlAllocationProblem, answer: NeededAllocation) {
  const own = answer.met.own.map((group) => ({ ...group, left: 0, crawls: 0 }));
  for (const [i, g] of asked.own?.of.entries() ?? []) {
    if (g < 0) continue;
    own[g].left += weight[i] * answer.cost[i];
    own[g].crawls += answer.crawls[i];
  }
  return toldTargets(asked, { own }, 1);
}

interface Around {
  readonly crawls: number;
  readonly asked: AskedTarget | null;
  readonly ceiling?: (page: number) => number;
}

function curveAround(problem: CrawlAllocationProblem, { crawls, asked, ceiling }: Around, budget: Budget) {
  const measure = asked?.measure ?? measureOf(problem.objective);
  const rate = problem.updates.meanGap.map((gap) => 1 / gap);
  const scales = scaleOf(measure, { weight: problem.weight, rate });
  let scale = 0;
  for (let i = 0; i < problem.weight.length; i++) scale += scales(i);
  return toldCurve(allocationCurve(problem, crawls, budget, ceiling), { measure, scale, perCrawl: 1 });
}

/** The target that is missed, with the limits that leave too much, and what raising them brings. */
function missedHere({ hosts }: CrawlAllocationProblem, asked: AskedTarget, missed: AllocationMissed) {
  const { group, hostPrice, hostsEased, pagePrice, pagesEased } = missed;
  const names = hosts === null ? [] : hosts.names.map((host, h) => ({ host, most: hosts.maxCrawls[h] }));
  const limits = { limit: 'maxCrawls', hosts: names } as const;
  const scale = group < 0 ? asked.scale : asked.owns[group].scale;
  const binding: BindingLimit[] = bindingHosts(limits, hostPrice, (price) => price / scale);
  if (pagePrice > 0) binding.push({ limit: 'maxCrawls', price: pagePrice / scale });
  binding.sort((a, b) => b.price - a.price);
  const repairs = raisedLimits(limits, hostsEased);
  if (pagesEased !== null) {
    // a whole one: numbers of crawls are
    const factor = Math.ceil(pagesEased);
    const detail = `raise maxCrawls of the pages by a factor of ${factor}`;
    repairs.push({ detail, changes: [{ pointer: '/pages/*/maxCrawls', factor }] });
  }
  return missedTarget(asked, missed, binding, [...askingLess(asked, missed), ...repairs]);
}

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
