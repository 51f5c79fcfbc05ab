/**
 * Which counts keep upper limits on the measures, and what the limits cost.
 *
 * With the count, P(empty) falls and the loss rate, the loss probability and the mean number in system rise. The queue
 * with more arrivals has more pages in it at every moment, and serves a smaller share of them. So each limit is kept by
 * the counts up to one, or from one on. The ends of this range are found by doubling and halving, O(log N) evaluations.
 * The cost is convex, hence the cheapest count of the range is the best of all, moved into it.
 */
import type { Conflict } from '../answer.ts';
import { NothingToReturn } from '../budget.ts';
import { clashInWords, type ReachedLimit } from '../queue/clashing-limits.ts';
import {
  availableCrawlers,
  type CountEvaluation,
  type CrawlerCountProblem,
  type Interruptible,
  type LimitedMeasure,
  limitedMeasures,
} from './problem.ts';

export interface CountConflict extends Conflict {
  /** Each limit, the least value any count reaches, and the counts that keep it alone: at least, at most. */
  readonly limits: readonly (ReachedLimit<LimitedMeasure> & {
    readonly from: number | null;
    readonly to: number | null;
  })[];
  /** The count, of those at the ends of the ranges, that exceeds the limits least. */
  readonly nearest: { readonly crawlers: number };
}

/** The counts that keep one limit: from..to, none where from > to. */
interface KeptBy {
  readonly name: LimitedMeasure;
  readonly limit: number;
  readonly from: number;
  readonly to: number;
}

export interface LimitedCounts {
  readonly from: number;
  readonly to: number;
  readonly each: readonly KeptBy[];
}

/**
 * The counts that keep the limits; all there are where there is none.
 *
 * @throws NothingToReturn when an evaluation was stopped: the range is then not known
 */
export function countsKeeping(problem: CrawlerCountProblem, evaluator: Interruptible): LimitedCounts {
  const { constraints = {} } = problem;
  const most = availableCrawlers(problem);
  const evaluate = finished(evaluator, 'the counts that keep the limits were not known');
  const each = limitedMeasures.flatMap((name): KeptBy[] => {
    const limit = constraints[name];
    if (limit === undefined) return [];
    const keeps = (crawlers: number): boolean => evaluate(crawlers)[name] <= limit;
    if (name === 'starvationProbability') {
      const last = lastOf((crawlers) => !keeps(crawlers), most);
      return [{ name, limit, from: last + 1, to: most }];
    }
    return [{ name, limit, from: 1, to: lastOf(keeps, most) }];
  });
  return {
    from: each.reduce((from, kept) => Math.max(from, kept.from), 1),
    to: each.reduce((to, kept) => Math.min(to, kept.to), most),
    each,
  };
}

/** @throws NothingToReturn when an evaluation was stopped */
function finished(evaluator: Interruptible, unfinished: string): (crawlers: number) => CountEvaluation {
  return (crawlers) => {
    const evaluation = evaluator(crawlers);
    if (evaluation === null) throw new NothingToReturn(unfinished);
    return evaluation;
  };
}

/** The last of 1..max for which something holds that holds up to some count and not beyond; 0 where it never does. */
export function lastOf(holds: (crawlers: number) => boolean, max: number): number {
  let low = 0;
  let high = 1;
  while (high <= max && holds(high)) {
    low = high;
    if (low === max) return max;
    high = Math.min(max, 2 * high);
  }
  while (high - low > 1) {
    const middle = Math.floor(low + (high - low) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Why no count keeps every limit. @throws NothingToReturn when an evaluation was stopped */
export function countConflict(
  { from, to, each }: LimitedCounts,
  available: number,
  evaluator: Interruptible,
): CountConflict {
  const evaluate = finished(evaluator, 'how near the limits can be kept was not known');
  const limits = each.map((kept) => {
    const best = kept.name === 'starvationProbability' ? available : 1;
    return {
      constraint: kept.name,
      limit: kept.limit,
      smallest: evaluate(best)[kept.name],
      from: kept.from <= kept.to ? kept.from : null,
      to: kept.from <= kept.to ? kept.to : null,
    };
  });
  const alone = limits.filter((limit) => limit.from === null);
  const clash = clashInWords(limits, alone, ['count'], ({ constraint, from: least, to: most }) =>
    constraint === 'starvationProbability' ? `${least} crawlers or more` : `${most} crawlers or fewer`,
  );
  const excess = (crawlers: number): number => {
    const evaluation = evaluate(crawlers);
    return each.reduce((sum, { name, limit }) => sum + Math.max(0, evaluation[name] / Math.max(limit, 1e-12) - 1), 0);
  };
  const ends = [Math.max(1, Math.min(to, available)), Math.max(1, Math.min(from, available))];
  const [few, many] = ends.map(excess);
  return {
    detail: `${clash}; raise a limit or change the capacity`,
    limits,
    nearest: { crawlers: few <= many ? ends[0] : ends[1] },
  };
}

/** What a unit more of each limit would save. */
export type LimitPrices = Partial<Record<LimitedMeasure, number>>;

/**
 * The price of each limit. At the end of the range, it is the saving of the next count by how much more of the measure
 * it has. It is 0 for limits that do not bind, and where there is no further crawler.
 */
export function limitPrices(
  { each }: LimitedCounts,
  { best, available }: { readonly best: CountEvaluation; readonly available: number },
  evaluator: Interruptible,
): LimitPrices {
  return Object.fromEntries(
    each.map(({ name, from, to }): [LimitedMeasure, number] => {
      const beyond = name === 'starvationProbability' ? from - 1 : to + 1;
      if (Math.abs(best.crawlers - beyond) !== 1 || beyond < 1 || beyond > available) return [name, 0];
      const next = evaluator(beyond);
      if (next === null) return [name, 0];
      const saving = best.cost - next.cost;
      if (!(saving > 0)) return [name, 0];
      // a probability below what doubles hold is bought at a price beyond what they hold
      return [name, Math.max(0, Math.min(Number.MAX_VALUE, saving / (next[name] - best[name])))];
    }),
  );
}
