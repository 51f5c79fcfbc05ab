/**
 * How few accesses keep a target by `access-frequencies`. The rules:
 * equal shares, shares in proportion to rates, and to the square roots of rate times weight.
 */
import { solveAccessTarget } from '../../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { named, type Point, points, seeded } from './draws.ts';
import { costAt, neededBy, requireKept, shareRules, sharesBy, totalOf } from './long-run.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [5, 50, 1000],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // accesses in the time of one by which the target is set
  accesses: [0.1, 0.4, 0.9],
  // a target, or one with a least frequency
  asked: ['target', 'least'],
} as const;
type Case = Point<typeof axes>;

export const accessTargetsContest: Contest = {
  operation: 'access-frequencies',
  instances(size, seed) {
    return points(axes, size === 'grid' ? 84 : 14, seed).map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

function instanceOf(point: Case, seed: number): Instance {
  const { asked } = point;
  const drawn = drawPages({ ...point, ages: 'none', hosts: 0 }, seeded(seed));
  const changes = totalOf(drawn.map(({ rate }) => rate));
  const pages = drawn.map((page) => ({ ...page, rate: page.rate / changes }));
  const least = asked === 'least' ? 0.3 / pages.length : 0;
  const goal = goalOf(pages, point.accesses);
  // a page is not accessed more often than one access takes
  const rates = (shares: readonly number[], all: number): number[] =>
    shares.map((share) => Math.min(1, all * (least + (1 - least * pages.length) * share)));
  const costs = (given: readonly number[]): number[] => given.map((each, i) => costAt(pages[i], each));
  const rules = Object.entries(shareRules).map(([name, rule]) => {
    const shares = sharesBy(rule, pages);
    const reach = costs(shares.map(() => 1));
    const reaches = totalOf(reach) < goal;
    return [name, () => (reaches ? neededBy(goal, costs, (all) => rates(shares, all)) : null)] as const;
  });
  return { axes: named(point), solve: () => needed(pages, goal, least), rules: Object.fromEntries(rules) };
}

/** What the square roots leave of so many accesses. */
function goalOf(pages: readonly Page[], accesses: number): number {
  const shares = sharesBy(shareRules['square roots'], pages);
  return totalOf(shares.map((share, i) => costAt(pages[i], Math.min(1, accesses * share))));
}

const problemOf = (pages: readonly Page[], minFrequency: number) => ({
  accessTime: { type: 'deterministic', value: 1 } as const,
  changeRate: Float64Array.from(pages, ({ rate }) => rate),
  weight: Float64Array.from(pages, ({ weight }) => weight),
  policy: 'deterministic' as const,
  minFrequency,
  place: (page: number) => ['pages', page],
});

function needed(pages: readonly Page[], whole: number, least: number): Outcome {
  const answer = solveAccessTarget({ ...problemOf(pages, least), maxCost: whole }, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error('the target is out of reach');
  const { value, gap } = answer.objective;
  const costs = pages.map((page, i) => costAt(page, value * answer.frequency[i]));
  requireKept(whole, costs);
  return { value, gap };
}
