/**
 * How few crawls keep a target in an interval: counts by gain per crawl until it is met (counts.ts), then described as
 * any allocation.
 *
 * The objective is the number of crawls. Bound: what counts leave falls by no more than the least last gain g with each
 * crawl more (certificate.ts), so that R − (target − left)/g crawls at least are needed, rounded up.
 */
import { type Objective, objective } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { type CurvePoint, tradeOff } from '../market/index.ts';
import { type BindingLimit, bindingHosts, type MeasureTarget, targetConflict } from '../pages/targets/index.ts';
import { type CrawlAllocation, describe, takesGreedily } from './allocate-crawls.ts';
import { evaluate } from './certificate.ts';
import { fewestCounts, marketOf } from './counts.ts';
import { type AllocationConflict, findConflict } from './feasibility.ts';
import { gainOfNext, type Pages } from './gains/page-gain.ts';
import { scalePages } from './pages.ts';
import type { CrawlAllocationProblem } from './problem.ts';

interface NeededAllocation extends Omit<CrawlAllocation, 'status'> {
  readonly status: 'optimal' | 'feasible';
  /** The crawls, and what fewer cannot do. */
  readonly needed: Objective;
}

type NeededAllocationAnswer =
  | NeededAllocation
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict | ReturnType<typeof targetConflict> };

/** The largest number of crawls that is looked for. */
const mostCrawls = 1e9;
/** A whole number but for rounding. */
const nearlyWhole = 1e-7;

/**
 * @param problem its crawls are not read
 * @throws NothingToReturn when the budget ends first; ConditionNotMet where a law is too variable for double precision
 */
export function solveAllocationTarget(
  problem: CrawlAllocationProblem,
  asked: MeasureTarget,
  budget: Budget,
): NeededAllocationAnswer {
  let least = 0;
  for (const each of problem.minCrawls) least += each;
  const conflict = findConflict({ ...problem, crawls: least });
  if (conflict !== null) return { status: 'infeasible', conflict };
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  const { weight, hosts } = problem;
  const crawls = fewestCounts({ pages, weight, hosts }, asked.whole, budget);
  if ('minLeft' in crawls) {
    const limits = bindingLimits(problem, pages, crawls.hostPrice);
    return { status: 'infeasible', conflict: targetConflict(asked, crawls.minLeft, limits) };
  }
  const evaluation = evaluate(pages, weight, hosts, crawls, budget);
  const { value, certificate } = evaluation;
  const total = crawls.reduce((sum, x) => sum + x, 0);
  // NaN where no page has a crawl to spare: then all are needed
  const spare = Math.max(0, (asked.whole - value) / certificate.minLastGain) || 0;
  const bound = Math.max(0, Math.ceil(total - spare - nearlyWhole));
  const described = describe({ ...problem, crawls: total }, pages, { crawls, evaluation, bound: value }, budget);
  // the greedy rule for given times is not proved to be the best
  const needed = objective(total, takesGreedily(problem) ? null : bound);
  return { ...described, status: needed.gap === 0 ? 'optimal' : 'feasible', needed };
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
  return tradeOff(marketOf({ pages, weight, hosts }, budget), around);
}
