/**
 * Whether the spending can pay for the longest intervals at all: a necessary condition, so that a conflict is a proof.
 *
 * Where no gap is longer than M (one slot of grace included), all but the last M seconds of the interval, and the age
 * before them, lie between fetches. A fetch after a gap g costs k₀ + k₁(1 − e^{−λg}), which is concave in g, so that
 * gaps that sum to S cost least when all but one are M: n = ⌈S/M⌉ fetches. A page never fetched or overdue begins with
 * its first fetch, within M of now. O(pages). λ is taken as estimated.
 */

import type { CrawlPlanProblem, FetchCosts, PlanConflict } from '../problem.ts';
import { type CrawlSlots, longestStep } from './crawl-slots.ts';
import { expectedCost } from './fetch-costs.ts';

interface LeastSpending {
  readonly fetches: number;
  readonly cost: number;
}

/** The conflict of a sum that the longest intervals exceed; null where they do not, or where fetches have no cost. */
export function spendingConflict(
  problem: CrawlPlanProblem,
  rate: Float64Array,
  slots: CrawlSlots,
  age: Float64Array,
): PlanConflict | null {
  const { costs, maxInterval, now, interval } = problem;
  if (costs === undefined) return null;
  const grace = longestStep(slots, interval);
  const spending = Array.from(maxInterval, (longest, i) =>
    longest < Number.POSITIVE_INFINITY
      ? leastSpending(problem, costs, { page: i, rate: rate[i], age: age[i], longest: longest + grace, grace })
      : { fetches: 0, cost: 0 },
  );
  const needed = spending.reduce((sum, { cost }) => sum + cost, 0);
  if (!(needed > costs.spending * (1 + 1e-9))) return null;
  const concerned = [...spending.keys()].filter((i) => spending[i].fetches > 0);
  const fetches = spending.reduce((sum, own) => sum + own.fetches, 0);
  const dearest = concerned.toSorted((a, b) => spending[b].cost - spending[a].cost).slice(0, 100);
  return {
    detail:
      `the ${fetches} fetches that maxInterval asks for cost at least ${Number(needed.toPrecision(6))} together, ` +
      `and spending is ${costs.spending}`,
    pages: dearest.sort((a, b) => a - b),
    host: null,
    crawlsNeeded: fetches,
    slots: payable(
      concerned.map((i) => spending[i]),
      costs.spending,
    ),
    by: now + interval,
    page: null,
    possibleBy: null,
    costNeeded: needed,
    repair: '',
    repairs: [],
  };
}

interface Deadlines {
  readonly page: number;
  readonly rate: number;
  /** Infinity for a page never fetched. */
  readonly age: number;
  /** M, the grace included. */
  readonly longest: number;
  readonly grace: number;
}

/** The fetches within the interval that keep every gap at most M, and their least expected cost. */
function leastSpending(
  { interval, availability }: CrawlPlanProblem,
  costs: FetchCosts,
  { page, rate, age, longest, grace }: Deadlines,
): LeastSpending {
  const costAt = (gap: number): number => expectedCost(costs, page, rate, gap);
  const covering = (span: number): LeastSpending => {
    if (!(span > 0)) return { fetches: 0, cost: 0 };
    const fetches = Math.max(1, Math.ceil(span / longest - 1e-9));
    return { fetches, cost: (fetches - 1) * costAt(longest) + costAt(span - (fetches - 1) * longest) };
  };
  const from = availability?.pageFrom[page] ?? 0;
  if (age <= longest && from === 0) return covering(age + interval - longest);
  // the first fetch, at its latest
  const first = Math.max(age <= longest ? longest - age : longest, from + grace);
  if (first >= interval) return { fetches: 0, cost: 0 };
  const rest = covering(interval - first - longest);
  return { fetches: 1 + rest.fetches, cost: costAt(age + from) + rest.cost };
}

/** How many fetches a sum pays for, those of the cheapest pages first. */
function payable(spending: readonly LeastSpending[], sum: number): number {
  let left = sum;
  let count = 0;
  const each = ({ fetches, cost }: LeastSpending): number => cost / fetches;
  for (const own of spending.toSorted((a, b) => each(a) - each(b))) {
    const paid = Math.min(own.fetches, Math.floor(left / each(own)));
    count += paid;
    if (paid < own.fetches) break;
    left -= own.cost;
  }
  return count;
}
