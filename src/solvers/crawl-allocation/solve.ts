/** The answer of `crawl-allocation` as the contract has it: the best counts, or how few crawls keep targets. */
import { type Warning, warning } from '../answer.ts';
import { type Budget, unlessStopped } from '../budget.ts';
import {
  type AskedTarget,
  askingLess,
  type BindingLimit,
  bindingHosts,
  ceilingOf,
  lesserLimits,
  measureOf,
  missedTarget,
  type Repair,
  raisedLimits,
  scaleOf,
  toldCurve,
  toldTargets,
} from '../pages/targets/index.ts';
import { allocateCrawls, type CrawlAllocation } from './allocate-crawls.ts';
import type { Certificate } from './certificate.ts';
import { mostSplits } from './pricing/fewest-at-hosts.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import {
  type AllocationMissed,
  allocationCurve,
  keepsTarget,
  type NeededAllocation,
  solveAllocationTarget,
} from './solve-target.ts';

export interface CrawlAllocationQuestion {
  readonly problem: CrawlAllocationProblem;
  /** What stands in the place of the crawls; null: the problem has them. */
  readonly asked: AskedTarget | null;
  /** Whether to say what more or fewer crawls buy. */
  readonly curve: boolean;
}

/**
 * @throws what `allocateCrawls` and `solveAllocationTarget` do
 * @internal
 */
export function solveCrawlAllocation({ problem, asked, curve }: CrawlAllocationQuestion, budget: Budget) {
  if (asked !== null) return fewestCrawls(problem, asked, curve, budget);
  const allocation = allocateCrawls(problem, budget);
  const statistics = { solver: 'lagrange-multiplier', pages: problem.weight.length };
  if (allocation.status === 'infeasible') return { ...allocation, statistics };
  const { status, objective, baselines, warnings } = allocation;
  return {
    status,
    objective,
    solution: solutionOf(problem, allocation),
    beside: {
      ...(baselines && { baselines }),
      ...(curve && { curve: curveAround(problem, { crawls: problem.crawls, asked: null }, budget) }),
    },
    warnings,
    statistics,
  };
}

function solutionOf(problem: CrawlAllocationProblem, allocation: Omit<CrawlAllocation, 'status'>) {
  const { crawls, staleness, meanDelay, meanAge, idealTimes, shadowPrice, certificate, hosts } = allocation;
  return {
    pages: { crawls, staleness, meanDelay, meanAge, idealTimes },
    shadowPrice,
    certificate: gains(certificate),
    hosts: hosts?.map((host, h) => ({
      host: problem.hosts?.names[h] ?? '',
      crawls: host.crawls,
      full: host.crawls >= (problem.hosts?.maxCrawls[h] ?? 0),
      ...gains(host),
    })),
  };
}

/** How few crawls keep the targets. */
function fewestCrawls(problem: CrawlAllocationProblem, asked: AskedTarget, curve: boolean, budget: Budget) {
  const statistics = { solver: 'clearing-price', pages: problem.weight.length };
  const answer = solveAllocationTarget(problem, asked, budget);
  if (answer.status === 'infeasible') {
    if ('conflict' in answer) return { ...answer, warnings: [], statistics };
    const { status, missed } = answer;
    const conflict = missedHere(problem, asked, missed, budget);
    return { status, conflict, warnings: unproved(missed.untried), statistics };
  }
  const { status, needed, met, warnings } = answer;
  const around = { crawls: needed.value, asked, ceiling: ceilingOf(asked, met) };
  return {
    status,
    objective: needed,
    solution: { ...solutionOf(problem, answer), crawls: needed.value },
    beside: {
      ...(answer.baselines && { baselines: answer.baselines }),
      ...(asked.owns.length > 0 && { targets: reachedByOwn(asked, problem, answer) }),
      ...(curve && needed.value > 0 && { curve: curveAround(problem, around, budget) }),
    },
    warnings,
    statistics,
  };
}

function unproved(untried = Number.POSITIVE_INFINITY): Warning[] {
  if (untried === Number.POSITIVE_INFINITY) return [];
  const tried = untried > 0 ? `only those of fewer than ${untried} crawls` : `at most ${mostSplits}`;
  return [warning('not-proved', `of the ways to share the hosts’ crawls among the targets ${tried} are tried`)];
}

/** What each class or host reaches with whole crawls. */
function reachedByOwn(asked: AskedTarget, { weight }: CrawlAllocationProblem, answer: NeededAllocation) {
  const own = answer.met.own.map((group) => ({ ...group, left: 0, crawls: 0 }));
  for (const [i, g] of asked.own?.of.entries() ?? []) {
    if (g < 0) continue;
    own[g].left += weight[i] * answer.cost[i];
    own[g].crawls += answer.crawls[i];
  }
  return toldTargets(asked, { own }, 1);
}

interface Around {
  readonly crawls: number;
  readonly asked: AskedTarget | null;
  readonly ceiling?: (page: number) => number;
}

function curveAround(problem: CrawlAllocationProblem, { crawls, asked, ceiling }: Around, budget: Budget) {
  const measure = asked?.measure ?? measureOf(problem.objective);
  const rate = problem.updates.meanGap.map((gap) => 1 / gap);
  const scales = scaleOf(measure, { weight: problem.weight, rate });
  let scale = 0;
  for (let i = 0; i < problem.weight.length; i++) scale += scales(i);
  return toldCurve(allocationCurve(problem, crawls, budget, ceiling), { measure, scale, perCrawl: 1 });
}

/** How far beside what can be reached lesser targets are tried. */
const triedBeside = [1, 4, 16, 64, 256];

/** Lesser targets that are easily kept. At hosts with limits whole crawls may reach less than others: they are tried. */
function repairsByLess(
  problem: CrawlAllocationProblem,
  asked: AskedTarget,
  missed: AllocationMissed,
  budget: Budget,
): Repair[] {
  if (asked.own === null || problem.hosts === null) return askingLess(asked, missed);
  const isKept = (beside: number): boolean => {
    const limits = lesserLimits(asked, missed, beside);
    return limits !== null && unlessStopped(false, () => keepsTarget(problem, limits, budget));
  };
  const beside = triedBeside.find(isKept);
  return beside === undefined ? [] : askingLess(asked, missed, beside);
}

/** The target that is missed, with the limits that leave too much, and what raising them brings. */
function missedHere(problem: CrawlAllocationProblem, asked: AskedTarget, missed: AllocationMissed, budget: Budget) {
  const { hosts } = problem;
  const { group, hostPrice, hostsEased, pagePrice, pagesEased } = missed;
  const names = hosts === null ? [] : hosts.names.map((host, h) => ({ host, most: hosts.maxCrawls[h] }));
  const limits = { limit: 'maxCrawls', hosts: names } as const;
  const scale = group < 0 ? asked.scale : asked.owns[group].scale;
  const binding: BindingLimit[] = bindingHosts(limits, hostPrice, (price) => price / scale);
  if (pagePrice > 0) binding.push({ limit: 'maxCrawls', price: pagePrice / scale });
  binding.sort((a, b) => b.price - a.price);
  const repairs = raisedLimits(limits, hostsEased);
  if (pagesEased !== null) {
    // a whole one: numbers of crawls are
    const factor = Math.ceil(pagesEased);
    const detail = `raise maxCrawls of the pages by a factor of ${factor}`;
    repairs.push({ detail, changes: [{ pointer: '/pages/*/maxCrawls', factor }] });
  }
  return missedTarget(asked, missed, binding, [...repairsByLess(problem, asked, missed, budget), ...repairs]);
}

function gains({ maxNextGain, minLastGain }: Certificate) {
  const orNull = (gain: number): number | null => (Number.isNaN(gain) ? null : gain);
  return { maxNextGain: orNull(maxNextGain), minLastGain: orNull(minLastGain) };
}
