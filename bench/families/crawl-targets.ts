/**
 * How few crawls keep a target: by `crawl-plan` for ever at known rates, and by `crawl-allocation` in one interval.
 * The rules: equal shares, shares in proportion to rates and by square roots. For whole counts also one crawl after the
 * other to the page where it saves most.
 */
import { crawlAllocation, crawlPlan } from '../../src/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { gapCost } from './costs.ts';
import { named, type Point, points, seeded } from './draws.ts';
import { costAt, neededBy, requireKept, shareRules, sharesBy, totalOf } from './long-run.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [6, 60, 600],
  spread: [0.5, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // crawls a page by which the target is set
  crawls: [0.5, 2, 8],
} as const;
type Case = Point<typeof axes>;

const day = 86_400;
const now = 1_760_000_000;

const contestOf = (operation: string, instanceOf: (point: Case, seed: number) => Instance): Contest => ({
  operation,
  instances(size, seed) {
    return points(axes, size === 'grid' ? 54 : 9, seed).map((point, k) => instanceOf(point, seed * 1000 + k));
  },
});

interface Question {
  readonly pages: readonly Page[];
  /** Most that may be left of the weight, and the share of it that is to be fresh. */
  readonly goal: number;
  readonly fresh: number;
}

/** What equal shares of a number of crawls leave. */
function questionOf(
  point: Case,
  seed: number,
  costs: (crawls: readonly number[], pages: readonly Page[]) => number[],
): Question {
  const pages = drawPages({ ...point, ages: 'none', hosts: 0 }, seeded(seed));
  const left = totalOf(
    costs(
      pages.map(() => point.crawls),
      pages,
    ),
  );
  return { pages, goal: left, fresh: 1 - left / totalOf(pages.map(({ weight }) => weight)) };
}

export const planTargetsContest = contestOf('crawl-plan', (point, seed) => {
  const costs = (rates: readonly number[], pages: readonly Page[]): number[] =>
    pages.map((page, i) => costAt(page, rates[i]));
  const question = questionOf(point, seed, costs);
  const { pages, goal } = question;
  const rules = Object.entries(shareRules).map(([name, rule]) => {
    const shares = sharesBy(rule, pages);
    const amounts = (all: number): number[] => shares.map((share) => share * all);
    return [name, () => Math.ceil(neededBy(goal, (given) => costs(given, pages), amounts) - 1e-9)] as const;
  });
  return { axes: named(point), solve: () => planned(question), rules: Object.fromEntries(rules) };
});

function planned(question: Question): Outcome {
  const { pages } = question;
  const { objective } = crawlPlan({
    now,
    interval: day,
    pages: pages.map(({ rate, weight }, i) => ({
      id: `p${i}`,
      changeRate: rate / day,
      weight,
      lastCrawl: now,
    })),
    evenShare: 0,
    target: { freshness: question.fresh },
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined) throw new Error('no plan');
  return { value: objective.value, gap: objective.gap };
}

/** Pages just crawled: x crawls part the interval evenly into x + 1 gaps. */
const allocated = (counts: readonly number[], pages: readonly Page[]): number[] =>
  pages.map(({ rate, weight }, i) => weight * (counts[i] + 1) * gapCost('freshness', rate, 1 / (counts[i] + 1)));

export const allocationTargetsContest = contestOf('crawl-allocation', (point, seed) => {
  const question = questionOf(point, seed, allocated);
  const { pages, goal } = question;
  const rules = Object.entries(shareRules).map(([name, rule]) => {
    const shares = sharesBy(rule, pages);
    const amounts = (all: number): number[] => shares.map((share) => Math.floor(share * all));
    return [name, () => neededBy(goal, (counts) => allocated(counts, pages), amounts)] as const;
  });
  return {
    axes: named(point),
    solve: () => counted(question),
    rules: { ...Object.fromEntries(rules), 'where it saves most': () => greedy(question) },
  };
});

function counted(question: Question): Outcome {
  const { pages, goal } = question;
  const { objective, solution } = crawlAllocation({
    interval: 1,
    pages: pages.map(({ rate, weight }) => ({
      changeRate: rate,
      weight,
      lastCrawlAge: 0,
    })),
    target: { freshness: question.fresh },
    options: { timeLimitMs: 600_000 },
  });
  if (objective === undefined || solution === undefined || !Array.isArray(solution.pages)) throw new Error('no counts');
  requireKept(
    goal,
    allocated(
      solution.pages.map(({ crawls }) => crawls),
      pages,
    ),
  );
  return { value: objective.value, gap: objective.gap };
}

/** The crawl that saves most, until the target is kept. */
function greedy({ pages, goal }: Question): number {
  const counts = pages.map(() => 0);
  const costs = allocated(counts, pages);
  const least = (i: number): number => allocated([counts[i] + 1], [pages[i]])[0];
  const saved = pages.map((_, i) => costs[i] - least(i));
  while (totalOf(costs) > goal) {
    let best = 0;
    for (const i of pages.keys()) if (saved[i] > saved[best]) best = i;
    counts[best]++;
    costs[best] -= saved[best];
    saved[best] = costs[best] - least(best);
  }
  return totalOf(counts);
}
