/** The answer of `crawl-allocation` as the contract has it: the best counts, or how few crawls keep a target. */
import type { Budget } from '../budget.ts';
import { type MeasureTarget, measuredCurve, measureOf, scaleOf } from '../pages/targets/index.ts';
import { allocateCrawls, type CrawlAllocation } from './allocate-crawls.ts';
import type { Certificate } from './evaluate-counts.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { allocationCurve, solveAllocationTarget } from './solve-target.ts';

export interface CrawlAllocationRequest {
  readonly problem: CrawlAllocationProblem;
  /** The target to meet with the fewest crawls; null: the number of crawls is given. */
  readonly target: MeasureTarget | null;
  /** Whether the answer has the trade-off curve of crawls against the measure. */
  readonly curve: boolean;
}

/**
 * @throws what `allocateCrawls` and `solveAllocationTarget` do
 * @internal
 */
export function solveCrawlAllocation({ problem, target, curve }: CrawlAllocationRequest, budget: Budget) {
  if (target !== null) return fewestCrawls(problem, target, curve, budget);
  const allocation = allocateCrawls(problem, budget);
  const statistics = { solver: 'lagrange-multiplier', pages: problem.weight.length };
  if (allocation.status === 'infeasible') return { ...allocation, warnings: [], statistics };
  const { status, objective, baselines } = allocation;
  return {
    status,
    objective,
    solution: solutionOf(problem, allocation),
    supplement: {
      ...(baselines && { baselines }),
      ...(curve && { curve: curveAround(problem, problem.crawls, null, budget) }),
    },
    warnings: [],
    statistics,
  };
}

function solutionOf(problem: CrawlAllocationProblem, allocation: Omit<CrawlAllocation, 'status'>) {
  const { crawls, staleness, meanDelay, idealTimes, shadowPrice, certificate, hosts } = allocation;
  return {
    pages: { crawls, staleness, meanDelay, idealTimes },
    shadowPrice,
    certificate: gainsOf(certificate),
    hosts: hosts?.map((host, h) => ({
      host: problem.hosts?.names[h] ?? '',
      crawls: host.crawls,
      full: host.crawls >= (problem.hosts?.maxCrawls[h] ?? 0),
      ...gainsOf(host),
    })),
  };
}

/** The answer with the fewest crawls that keep the target. */
function fewestCrawls(problem: CrawlAllocationProblem, target: MeasureTarget, curve: boolean, budget: Budget) {
  const statistics = { solver: 'clearing-price', pages: problem.weight.length };
  const answer = solveAllocationTarget(problem, target, budget);
  if (answer.status === 'infeasible') return { ...answer, warnings: [], statistics };
  const { status, crawlObjective } = answer;
  return {
    status,
    objective: crawlObjective,
    solution: { ...solutionOf(problem, answer), crawls: crawlObjective.value },
    supplement: {
      ...(answer.baselines && { baselines: answer.baselines }),
      ...(curve && crawlObjective.value > 0 && { curve: curveAround(problem, crawlObjective.value, target, budget) }),
    },
    warnings: [],
    statistics,
  };
}

/** The trade-off curve of crawls against a measure, around a number of crawls. */
function curveAround(problem: CrawlAllocationProblem, crawls: number, target: MeasureTarget | null, budget: Budget) {
  const measure = target?.measure ?? measureOf(problem.objective);
  const rate = problem.updates.meanGap.map((gap) => 1 / gap);
  const scales = scaleOf(measure, { weight: problem.weight, rate });
  let scale = 0;
  for (let i = 0; i < problem.weight.length; i++) scale += scales(i);
  return measuredCurve(allocationCurve(problem, crawls, budget), { measure, scale, perCrawl: 1 });
}

function gainsOf({ maxNextGain, minLastGain }: Certificate) {
  const orNull = (gain: number): number | null => (Number.isNaN(gain) ? null : gain);
  return { maxNextGain: orNull(maxNextGain), minLastGain: orNull(minLastGain) };
}
