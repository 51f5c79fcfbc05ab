/**
 * `crawl-allocation` against equal counts, and counts in proportion to rates or to the square roots of rate times
 * weight.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { allocateCrawls, UpdateProcesses } from '../../src/solvers/crawl-allocation/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { gapCost } from './costs.ts';
import { axisTexts, drawPoints, type Point, seededDraw } from './draws.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [20, 200, 5000],
  crawls: [0.3, 1, 3, 10],
  spread: [0.5, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
} as const;
type Case = Point<typeof axes>;

export const crawlAllocationContest: Contest = {
  operation: 'crawl-allocation',
  instances(size, seed) {
    const cases = drawPoints(axes, size === 'grid' ? 72 : 12, seed);
    return cases.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Case, seed: number): Instance {
  const pages = drawPages({ ...point, ages: 'none', hosts: 0 }, seededDraw(seed));
  const crawls = Math.round(point.pages * point.crawls);
  const byShare = (share: (page: Page) => number) => () => costOf(pages, apportion(pages.map(share), crawls));
  return {
    axes: axisTexts(point),
    solve: () => solveCase(pages, crawls),
    rules: {
      equal: byShare(() => 1),
      'in proportion to rates': byShare(({ rate }) => rate),
      'square roots': byShare(({ rate, weight }) => Math.sqrt(rate * weight)),
    },
  };
}

function solveCase(pages: readonly Page[], crawls: number): Outcome {
  const updates = new UpdateProcesses(pages.length);
  for (const [i, { rate }] of pages.entries()) updates.setPoisson(i, rate, []);
  const answer = allocateCrawls(
    {
      interval: 1,
      crawls,
      updates,
      weight: Float64Array.from(pages, ({ weight }) => weight),
      minCrawls: new Int32Array(pages.length),
      maxCrawls: new Int32Array(pages.length).fill(-1),
      lastCrawlAge: new Float64Array(pages.length),
      hosts: null,
      quasiDeterministic: 'exact',
      idealTimes: false,
      objective: 'freshness',
      baselines: false,
    },
    unlimitedBudget(),
  );
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { value, gap } = answer.objective;
  return { value, gap, recomputed: costOf(pages, answer.crawls) };
}

/** Cost of x crawls of pages just crawled: x + 1 equal gaps. */
function costOf(pages: readonly Page[], counts: ArrayLike<number>): number {
  return pages.reduce(
    (sum, { rate, weight }, i) => sum + weight * (counts[i] + 1) * gapCost('freshness', rate, 1 / (counts[i] + 1)),
    0,
  );
}

/** Whole counts in proportion to shares, rounded by largest remainders. */
function apportion(shares: readonly number[], crawls: number): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const exact = shares.map((share) => (share / total) * crawls);
  const counts = exact.map(Math.floor);
  const remainder = crawls - counts.reduce((sum, count) => sum + count, 0);
  const order = [...exact.keys()].sort((a, b) => exact[b] - counts[b] - exact[a] + counts[a]);
  for (const i of order.slice(0, remainder)) counts[i]++;
  return counts;
}
