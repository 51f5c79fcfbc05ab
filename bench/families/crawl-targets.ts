/**
 * How few crawls keep a target: by `crawl-plan` for ever at known rates, and by `crawl-allocation` in one interval.
 * The rules: equal shares, shares in proportion to rates and by square roots. For whole counts also one crawl after the
 * other to the page where it saves most.
 */
import { crawlAllocation, crawlPlan } from '../../src/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { gapCost } from './costs.ts';
import { named, type Point, points, seeded } from './draws.ts';
import { costAt, type Goal, neededBy, requireKept, shareRules, sharesBy, totalOf } from './long-run.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [6, 60, 600],
  spread: [0.5, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // crawls a page by which the target is set
  crawls: [0.5, 2, 8],
  targets: ['of all pages', 'of some too'],
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
  readonly goal: Goal;
  /** Share of the weight that is to be fresh: of all, and of every third page. */
  readonly fresh: number;
  readonly freshOfSome: number;
}

/** What equal shares of so many crawls leave, and what half as many again leave of every third page. */
function questionOf(
  point: Case,
  seed: number,
  costs: (crawls: readonly number[], pages: readonly Page[]) => number[],
): Question {
  const pages = drawPages({ ...point, ages: 'none', hosts: 0 }, seeded(seed));
  const some = point.targets === 'of some too';
  const own = new Set(some ? pages.flatMap((_, i) => (i % 3 === 0 ? [i] : [])) : []);
  const weightOf = (kept: (i: number) => boolean): number =>
    totalOf(pages.map(({ weight }, i) => (kept(i) ? weight : 0)));
  const even = (crawls: number): number[] =>
    costs(
      pages.map(() => crawls),
      pages,
    );
  const [all, more] = [totalOf(even(point.crawls)), even(1.5 * point.crawls)];
  const fresh = 1 - all / weightOf(() => true);
  const freshOfSome = some ? 1 - totalOf([...own].map((i) => more[i])) / weightOf((i) => own.has(i)) : 1;
  const goal = {
    whole: (1 - fresh) * weightOf(() => true),
    own,
    ownMost: (1 - freshOfSome) * weightOf((i) => own.has(i)),
  };
  return { pages, goal, fresh, freshOfSome };
}

const targetsOf = ({ goal, fresh, freshOfSome }: Question) => ({
  target: { freshness: fresh },
  ...(goal.own.size > 0 && { targets: [{ class: 'some', freshness: freshOfSome }] }),
});

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
  const { pages, goal } = question;
  const { objective } = crawlPlan({
    now,
    interval: day,
    pages: pages.map(({ rate, weight }, i) => ({
      id: `p${i}`,
      changeRate: rate / day,
      weight,
      lastCrawl: now,
      ...(goal.own.has(i) && { class: 'some' }),
    })),
    evenShare: 0,
    ...targetsOf(question),
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
    pages: pages.map(({ rate, weight }, i) => ({
      changeRate: rate,
      weight,
      lastCrawlAge: 0,
      ...(goal.own.has(i) && { class: 'some' }),
    })),
    ...targetsOf(question),
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

/** The crawl that saves most, until the target of its own and then that of all pages is kept. */
function greedy({ pages, goal }: Question): number {
  const counts = pages.map(() => 0);
  const costs = allocated(counts, pages);
  const least = (i: number): number => allocated([counts[i] + 1], [pages[i]])[0];
  const saved = pages.map((_, i) => costs[i] - least(i));
  const add = (among: (i: number) => boolean): void => {
    let best = -1;
    for (const i of pages.keys()) if (among(i) && (best < 0 || saved[i] > saved[best])) best = i;
    counts[best]++;
    costs[best] -= saved[best];
    saved[best] = costs[best] - least(best);
  };
  while (totalOf([...goal.own].map((i) => costs[i])) > goal.ownMost) add((i) => goal.own.has(i));
  while (totalOf(costs) > goal.whole) add(() => true);
  return totalOf(counts);
}
