/**
 * The fewest crawls that keep a target in an interval: crawls are added in order of gain until the target is met
 * (counts.ts). The answer then describes their counts as that of any allocation.
 *
 * The objective is the number of crawls R. Bound: counts with k crawls fewer cost at least Σ w·A + k·g, g the least last
 * gain (evaluate-counts.ts). So at least R − (target − Σ w·A)/g crawls are needed, rounded up.
 */
import { type Objective, objective } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { type CurvePoint, tradeOff } from '../market/index.ts';
import { type BindingLimit, bindingHosts, type MeasureTarget, targetConflict } from '../pages/targets/index.ts';
import { type CrawlAllocation, describeAllocation, usesGreedyRule } from './allocate-crawls.ts';
import { fewestCounts, marketOf } from './counts.ts';
import { evaluateCounts } from './evaluate-counts.ts';
import { type AllocationConflict, findConflict } from './feasibility.ts';
import { gainOfNext, type ScaledPages } from './gains/page-gain.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { scalePages } from './scale-pages.ts';

interface FewestCrawls extends Omit<CrawlAllocation, 'status'> {
  readonly status: 'optimal' | 'feasible';
  /** The number of crawls, with its lower bound. */
  readonly crawlObjective: Objective;
}

type FewestCrawlsAnswer =
  | FewestCrawls
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict | ReturnType<typeof targetConflict> };

/** Upper end of the search for the number of crawls. */
const maxCrawlCount = 1e9;
/** A bound this far above a whole number counts as that number. */
const wholeTolerance = 1e-7;

/**
 * Solves for the fewest crawls that meet a target.
 *
 * @param problem its number of crawls is not read
 * @throws NothingToReturn when the budget ends first; ConditionNotMet where a law is too variable for double precision
 */
export function solveAllocationTarget(
  problem: CrawlAllocationProblem,
  target: MeasureTarget,
  budget: Budget,
): FewestCrawlsAnswer {
  let minimum = 0;
  for (const count of problem.minCrawls) minimum += count;
  const conflict = findConflict({ ...problem, crawls: minimum });
  if (conflict !== null) return { status: 'infeasible', conflict };
  const pages = scalePages({ ...problem, crawls: maxCrawlCount }, usesGreedyRule(problem), budget);
  const { weight, hosts } = problem;
  const crawls = fewestCounts({ pages, weight, hosts }, target.maxResidual, budget);
  if ('minCost' in crawls) {
    const limits = bindingLimits(problem, pages, crawls.hostPrice);
    return { status: 'infeasible', conflict: targetConflict(target, crawls.minCost, limits) };
  }
  const evaluation = evaluateCounts(pages, weight, hosts, crawls, budget);
  const { value, certificate } = evaluation;
  const total = crawls.reduce((sum, x) => sum + x, 0);
  // NaN where every page has its minimum of crawls: then none can be spared
  const spare = Math.max(0, (target.maxResidual - value) / certificate.minLastGain) || 0;
  const bound = Math.max(0, Math.ceil(total - spare - wholeTolerance));
  const allocation = describeAllocation(
    { ...problem, crawls: total },
    pages,
    { crawls, evaluation, bound: value },
    budget,
  );
  // the greedy rule for given times is not proved to be the best
  const crawlObjective = objective(total, usesGreedyRule(problem) ? null : bound);
  return { ...allocation, status: crawlObjective.gap === 0 ? 'optimal' : 'feasible', crawlObjective };
}

/** The limits that keep a target out of reach, each with its price: what one more crawl under it would save. */
function bindingLimits(
  { hosts, maxCrawls }: CrawlAllocationProblem,
  pages: ScaledPages,
  hostPrice: Float64Array,
): BindingLimit[] {
  const limits = bindingHosts('maxCrawls', hosts?.names ?? [], hostPrice);
  let price = 0;
  for (const [i, limit] of maxCrawls.entries()) if (limit >= 0) price = Math.max(price, gainOfNext(pages, i, limit));
  if (price > 0) limits.push({ limit: 'maxCrawls', price });
  return limits.sort((a, b) => b.price - a.price);
}

/** The trade-off between the number of crawls and Σ w·A, at whole counts around `centre`. */
export function allocationCurve(problem: CrawlAllocationProblem, centre: number, budget: Budget): CurvePoint[] {
  const { weight, hosts } = problem;
  const pages = scalePages({ ...problem, crawls: maxCrawlCount }, usesGreedyRule(problem), budget);
  return tradeOff(marketOf({ pages, weight, hosts }, budget), centre);
}
