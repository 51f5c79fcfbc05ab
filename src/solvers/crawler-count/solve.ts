import { type Budget, NothingToReturn, unlessStopped } from '../budget.ts';
import {
  type CrawlerCountAnswer,
  conflictOf,
  objectiveOf,
  remarksOn,
  remarksOnEvaluation,
  solutionOf,
  statisticsOf,
} from './answer.ts';
import { countEvaluator, watching } from './evaluate.ts';
import { countFront } from './front.ts';
import { countConflict, countsKeeping, type LimitedCounts, limitPrices } from './limited-counts.ts';
import { type CountOptimum, optimalCount } from './optimal-count.ts';
import {
  availableCrawlers,
  type CountEvaluation,
  type CountRange,
  type CrawlerCountProblem,
  type Interruptible,
} from './problem.ts';

/**
 * The best number of crawlers under the limits, and beside it the counts and the front that were asked for.
 *
 * @param problem checked: see problem.ts
 * @throws NothingToReturn when stopped before the first evaluation, or before the counts that keep the limits are known
 */
export function solveCrawlerCount(problem: CrawlerCountProblem, budget: Budget): CrawlerCountAnswer {
  const evaluator = countEvaluator(problem, watching(budget));
  const evaluate: Interruptible = (crawlers) => unlessStopped(null, () => evaluator(crawlers));
  const counts = countsKeeping(problem, evaluate);
  const found =
    counts.from > counts.to ? infeasible(problem, counts, evaluate) : cheapest(problem, counts, evaluate, budget);
  const asked = evaluationOf(problem.evaluate, evaluate, budget);
  const answer = found.solution?.crawlers ?? 1;
  const front = problem.front && countFront(problem.front.criteria, availableCrawlers(problem), answer, evaluate);
  return {
    ...found,
    beside: {
      ...found.beside,
      ...(asked && { evaluation: asked.counts }),
      ...(front && { front: front.front }),
    },
    warnings: [...(front?.warnings ?? []), ...found.warnings, ...(asked?.warnings ?? [])],
  };
}

/** No count keeps the limits. */
function infeasible(problem: CrawlerCountProblem, counts: LimitedCounts, evaluate: Interruptible): CrawlerCountAnswer {
  const conflict = countConflict(counts, availableCrawlers(problem), evaluate);
  const nearest = evaluate(conflict.nearest.crawlers);
  if (nearest === null) throw new NothingToReturn('how near the limits can be kept was not known');
  return {
    status: 'infeasible',
    beside: {},
    conflict: conflictOf(conflict, nearest),
    warnings: [],
    statistics: { solver: 'convex-search', iterations: 0 },
  };
}

/** The cheapest count of those that keep the limits: the best of 1..to, moved up into the range, since C is convex. */
function cheapest(
  problem: CrawlerCountProblem,
  counts: LimitedCounts,
  evaluate: Interruptible,
  budget: Budget,
): CrawlerCountAnswer {
  const free = optimalCount(problem, counts.to, budget, evaluate);
  const best = free.best.crawlers < counts.from ? evaluate(counts.from) : free.best;
  if (best === null) throw new NothingToReturn('no count that keeps the limits had been evaluated');
  const optimum: CountOptimum = { ...free, best, bound: free.proved ? best.cost : free.bound };
  const limited = counts.each.length > 0;
  return {
    status: optimum.proved ? 'optimal' : 'feasible',
    objective: objectiveOf(optimum),
    solution: solutionOf(optimum),
    beside: limited
      ? { dualPrices: limitPrices(counts, { best, available: availableCrawlers(problem) }, evaluate) }
      : {},
    warnings: limited ? [] : remarksOn(problem, optimum, evaluate),
    statistics: statisticsOf(optimum),
  };
}

/** The counts asked for, as far as the time goes. */
function evaluationOf(asked: number | CountRange | undefined, evaluate: Interruptible, budget: Budget) {
  if (asked === undefined) return undefined;
  const { from, to } = typeof asked === 'number' ? { from: asked, to: asked } : asked;
  const counts: CountEvaluation[] = [];
  for (let n = from; n <= to && !budget.stopRequested(); n++) {
    const point = evaluate(n);
    if (point === null) break;
    counts.push(point);
  }
  return { counts, warnings: remarksOnEvaluation(to - from + 1, counts.length) };
}
