/**
 * Which counts keep upper limits on the measures.
 *
 * With the count, P(empty) falls and the loss rate, the loss probability and the mean number in system rise. The queue
 * with more arrivals has more pages in it at every moment, and serves a smaller share of them. So each limit is kept by
 * the counts up to one, or from one on. The ends of this range are found by doubling and halving, O(log N) evaluations.
 * The cost is convex, hence the cheapest count of the range is the best that keeps them all.
 */
import type { Conflict } from '../answer.ts';
import { describeClash, type ReachedLimit } from '../queue/clash.ts';
import { firstFailure } from './optimum.ts';
import {
  type CountEvaluation,
  type CountEvaluator,
  type CrawlerCountProblem,
  type LimitedMeasure,
  limitedMeasures,
} from './problem.ts';

export interface CountConflict extends Conflict {
  /** Each limit, the least value any count reaches, and the counts that keep it alone; null: none. */
  readonly limits: readonly (ReachedLimit<LimitedMeasure> & {
    readonly from: number | null;
    readonly to: number | null;
  })[];
  /** The count, of those at the ends of the ranges, that exceeds the limits least. */
  readonly nearest: CountEvaluation;
}

/** The counts that keep one limit: from..to; none where from > to. */
interface FeasibleRange {
  readonly name: LimitedMeasure;
  readonly limit: number;
  readonly from: number;
  readonly to: number;
}

export interface LimitedCounts {
  readonly from: number;
  readonly to: number;
  readonly ranges: readonly FeasibleRange[];
}

/** The counts of 1..maxCount that keep the limits; all of them where there is none. */
export function feasibleCounts(
  { constraints = {} }: CrawlerCountProblem,
  maxCount: number,
  evaluate: CountEvaluator,
): LimitedCounts {
  const ranges = limitedMeasures.flatMap((name): FeasibleRange[] => {
    const limit = constraints[name];
    if (limit === undefined) return [];
    const isFeasible = (crawlers: number): boolean => evaluate(crawlers)[name] <= limit;
    const counts = { from: 1, to: maxCount + 1 };
    return name === 'starvationProbability'
      ? [{ name, limit, from: firstFailure((crawlers) => !isFeasible(crawlers), counts), to: maxCount }]
      : [{ name, limit, from: 1, to: firstFailure(isFeasible, counts) - 1 }];
  });
  return {
    from: ranges.reduce((from, range) => Math.max(from, range.from), 1),
    to: ranges.reduce((to, range) => Math.min(to, range.to), maxCount),
    ranges,
  };
}

/** Why no count keeps every limit. */
export function countConflict(
  { from, to, ranges }: LimitedCounts,
  maxCount: number,
  evaluate: CountEvaluator,
): CountConflict {
  const limits = ranges.map((range) => {
    const isFeasible = range.from <= range.to;
    return {
      constraint: range.name,
      limit: range.limit,
      smallest: evaluate(range.name === 'starvationProbability' ? maxCount : 1)[range.name],
      from: isFeasible ? range.from : null,
      to: isFeasible ? range.to : null,
    };
  });
  const infeasible = limits.filter((limit) => limit.from === null);
  const clash = describeClash(limits, infeasible, ['count'], ({ constraint, from: first, to: last }) =>
    constraint === 'starvationProbability' ? `${first} crawlers or more` : `${last} crawlers or fewer`,
  );
  const excess = (measures: CountEvaluation): number =>
    ranges.reduce((sum, { name, limit }) => sum + Math.max(0, measures[name] / Math.max(limit, 1e-12) - 1), 0);
  const [smallerCount, largerCount] = [to, from].map((end) => evaluate(Math.max(1, Math.min(end, maxCount))));
  return {
    detail: `${clash}; raise a limit or change the capacity`,
    limits,
    nearest: excess(smallerCount) <= excess(largerCount) ? smallerCount : largerCount,
  };
}
