/**
 * Which counts keep upper limits on the measures.
 *
 * With the count, P(empty) falls and the loss rate, the loss probability and the mean number in system rise: a queue
 * with more arrivals holds more pages at every moment and serves a smaller share of its arrivals. So a limit is kept
 * either by all counts up to some count or by all counts from some count on, which firstFailure finds in O(log N)
 * evaluations. The cost is convex, hence the cheapest count within all these ranges is the best that keeps every limit.
 */
import type { Conflict } from '../answer.ts';
import { describeClash, type ReachedLimit } from '../queue/clash.ts';
import { firstFailure } from './optimum.ts';
import {
  type CountEvaluation,
  type CountEvaluator,
  type CountRange,
  type CrawlerCountProblem,
  type LimitedMeasure,
  limitedMeasures,
} from './problem.ts';

export interface CountConflict extends Conflict {
  /** Each limit, the smallest value that any count reaches, and the counts that keep the limit (null: no count). */
  readonly limits: readonly (ReachedLimit<LimitedMeasure> & {
    readonly from: number | null;
    readonly to: number | null;
  })[];
  /** Of the counts at the ends of the ranges, the one whose relative excesses over the limits have the smallest sum. */
  readonly nearest: CountEvaluation;
}

/** The counts from..to keep one limit; from > to where no count does. */
interface FeasibleRange extends CountRange {
  readonly name: LimitedMeasure;
  readonly limit: number;
}

/** The counts from..to keep every limit; from > to where no count does. */
export interface LimitedCounts extends CountRange {
  readonly ranges: readonly FeasibleRange[];
}

/** The counts of 1..maxCount that keep every limit. */
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
