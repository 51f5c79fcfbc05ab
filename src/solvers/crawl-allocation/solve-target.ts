/**
 * How few crawls keep a target in an interval: counts by gain per crawl until it is met (pricing/needed-crawls.ts),
 * then described as any allocation.
 *
 * The objective is the number of crawls; its bound is that of the dual at the price, rounded up.
 */
import { type Objective, objective } from '../answer.ts';
import type { Budget } from '../budget.ts';
import {
  type CurvePoint,
  easedHosts,
  type HostsEased,
  leastFactor,
  type TargetMet,
  type TargetMissed,
  tradeOff,
} from '../pages/targets/index.ts';
import { type CrawlAllocation, describe, takesGreedily } from './allocate-crawls.ts';
import { evaluate } from './certificate.ts';
import { gainOfNext } from './gains/page-gain.ts';
import { type AllocationConflict, findConflict } from './model/feasibility.ts';
import { scalePages } from './model/scaled-pages.ts';
import type { AllocationTarget } from './pricing/fewest-at-hosts.ts';
import { marketOf, neededCrawls } from './pricing/needed-crawls.ts';
import type { CrawlAllocationProblem } from './problem.ts';

export interface NeededAllocation extends Omit<CrawlAllocation, 'status'> {
  readonly status: 'optimal' | 'feasible';
  /** The crawls, and what fewer cannot do. */
  readonly needed: Objective;
  readonly met: Pick<TargetMet, 'own'>;
}

type NeededAllocationAnswer =
  | NeededAllocation
  | { readonly status: 'infeasible'; readonly missed: AllocationMissed }
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict };

/** A target that limits leave out of reach, and by what they would have to be raised. */
export interface AllocationMissed extends TargetMissed {
  readonly hostsEased: readonly HostsEased[];
  /** What one more crawl of a page would save that has all its maxCrawls; 0 where none has. */
  readonly pagePrice: number;
  /** For the maxCrawls of pages; null where it is not them alone. */
  readonly pagesEased: number | null;
}

/** The largest number of crawls that is looked for. */
const mostCrawls = 1e9;

/**
 * @param problem its crawls are not read
 * @throws NothingToReturn when the budget ends first; ConditionNotMet where a law is too variable for double precision
 */
export function solveAllocationTarget(
  problem: CrawlAllocationProblem,
  target: AllocationTarget,
  budget: Budget,
): NeededAllocationAnswer {
  let least = 0;
  for (const each of problem.minCrawls) least += each;
  const conflict = findConflict({ ...problem, crawls: least });
  if (conflict !== null) return { status: 'infeasible', conflict };
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  const { weight, hosts } = problem;
  const needed = neededCrawls({ pages, weight, hosts, ...target }, budget);
  if ('least' in needed) return { status: 'infeasible', missed: missedBy(problem, target, needed, budget) };
  const { crawls, total, bound, met } = needed;
  const { evaluation = evaluate(pages, weight, hosts, crawls, budget) } = needed;
  const solved = { crawls, evaluation, attempts: 1, bound: evaluation.value };
  const told = describe({ ...problem, crawls: total }, pages, solved, budget);
  // the greedy rule for given times is not proved to be the best
  const value = objective(total, takesGreedily(problem) ? null : bound);
  return { ...told, status: value.gap === 0 ? 'optimal' : 'feasible', needed: value, met };
}

/** The limits that a missed target hangs on. */
function missedBy(
  problem: CrawlAllocationProblem,
  target: AllocationTarget,
  missed: TargetMissed,
  budget: Budget,
): AllocationMissed {
  const { hosts, maxCrawls } = problem;
  const reached = (pageFactor: number, hostFactor: (host: number) => number): boolean => {
    const raised = maxCrawls.map((most) => (most < 0 ? most : Math.min(mostCrawls, Math.ceil(most * pageFactor))));
    const limits = hosts && { ...hosts, maxCrawls: hosts.maxCrawls.map((own, h) => Math.ceil(own * hostFactor(h))) };
    return keepsTarget({ ...problem, maxCrawls: raised, hosts: limits }, target, budget);
  };
  const hostsEased = easedHosts(missed.hostPrice, (raised, factor) => reached(1, (h) => (raised.has(h) ? factor : 1)));
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  let pagePrice = 0;
  for (const [i, most] of maxCrawls.entries()) {
    if (most >= 0) pagePrice = Math.max(pagePrice, gainOfNext(pages, i, most));
  }
  const pagesEased = pagePrice > 0 ? leastFactor((factor) => reached(factor, () => 1)) : null;
  return { ...missed, hostsEased, pagePrice, pagesEased };
}

/** Whether whole crawls keep a target. @throws NothingToReturn when the budget ends first */
export function keepsTarget(problem: CrawlAllocationProblem, target: AllocationTarget, budget: Budget): boolean {
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  const { weight, hosts } = problem;
  return !('least' in neededCrawls({ pages, weight, hosts, ...target }, budget));
}

/** What crawls buy, at whole counts. */
export function allocationCurve(
  problem: CrawlAllocationProblem,
  around: number,
  budget: Budget,
  ceiling?: (page: number) => number,
): CurvePoint[] {
  const { weight, hosts } = problem;
  const pages = scalePages({ ...problem, crawls: mostCrawls }, takesGreedily(problem), budget);
  return tradeOff({ ...marketOf(pages, weight, hosts), budget, ceiling }, around);
}
