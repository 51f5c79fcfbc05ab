/**
 * How few crawls keep a target in an interval: counts by gain per crawl until it is met (pricing/needed-crawls.ts),
 * then described as any allocation.
 *
 * The objective is the number of crawls; its bound is that of the dual at the price, rounded up.
 */
import { type Objective, objective } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { type CurvePoint, tradeOff } from '../market/index.ts';
import { type AskedTarget, type BindingLimit, bindingHosts, missedTarget } from '../pages/targets/index.ts';
import { type CrawlAllocation, describe, takesGreedily } from './allocate-crawls.ts';
import { evaluate } from './certificate.ts';
import { gainOfNext } from './gains/page-gain.ts';
import type { Pages } from './gains/pages.ts';
import { type AllocationConflict, findConflict } from './model/feasibility.ts';
import { scalePages } from './model/scaled-pages.ts';
import { marketOf, neededCrawls } from './pricing/needed-crawls.ts';
import type { CrawlAllocationProblem } from './problem.ts';

interface NeededAllocation extends Omit<CrawlAllocation, 'status'> {
  readonly status: 'optimal' | 'feasible';
  /** The crawls, and what fewer cannot do. */
  readonly needed: Objective;
}

type NeededAllocationAnswer =
  | NeededAllocation
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict | ReturnType<typeof missedTarget> };

/** The largest number of crawls that is looked for. */
const mostCrawls = 1e9;

/**
 * @param problem its crawls are not read
 * @throws NothingToReturn when the budget ends first; ConditionNotMet where a law is too variable for double precision
 */
export function solveAllocationTarget(
  problem: CrawlAllocationProblem,
  asked: AskedTarget,
  budget: Budget,
): NeededAllocationAnswer {
  let least = 0;
  for (const each of problem.minCrawls) least += each;
  const conflict = findConflict({ ...problem, crawls: least });
  if (conflict !== null) return { status: 'infeasible', conflict };
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  const { weight, hosts } = problem;
  const needed = neededCrawls({ pages, weight, hosts, whole: asked.whole }, budget);
  if ('least' in needed) {
    const limits = bindingLimits(problem, pages, needed.hostPrice);
    return { status: 'infeasible', conflict: missedTarget(asked, needed.least, limits) };
  }
  const { crawls, total, bound } = needed;
  const { evaluation = evaluate(pages, weight, hosts, crawls, budget) } = needed;
  const solved = { crawls, evaluation, bound: evaluation.value };
  const described = describe({ ...problem, crawls: total }, pages, solved, budget);
  // the greedy rule for given times is not proved to be the best
  const value = objective(total, takesGreedily(problem) ? null : bound);
  return { ...described, status: value.gap === 0 ? 'optimal' : 'feasible', needed: value };
}

/** The limits that a missed target hangs on, and what one more crawl there would save. */
function bindingLimits(
  { hosts, maxCrawls }: CrawlAllocationProblem,
  pages: Pages,
  hostPrice: Float64Array,
): BindingLimit[] {
  const limits = bindingHosts('maxCrawls', hosts?.names ?? [], hostPrice);
  let price = 0;
  for (const [i, most] of maxCrawls.entries()) if (most >= 0) price = Math.max(price, gainOfNext(pages, i, most));
  if (price > 0) limits.push({ limit: 'maxCrawls', price });
  return limits.sort((a, b) => b.price - a.price);
}

/** What crawls buy, at whole counts. */
export function allocationCurve(problem: CrawlAllocationProblem, around: number, budget: Budget): CurvePoint[] {
  const { weight, hosts } = problem;
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  return tradeOff(marketOf(pages, weight, hosts, budget), around);
}
