/**
 * Threshold policy: how many crawlers should be active at each length of the queue in front of the indexing engine.
 *
 * Model: see queue.ts (batch Markovian arrivals by mode, phase-type service and obsolescence, finite buffer) and
 * measures.ts (cost). The optimum is over all policies whose activity does not rise with the queue length, for all
 * subsets of the modes, proved as search.ts says; or the caller's own policy is evaluated.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), with the corrections listed in docs/threshold-policy.md.
 */
import { objective, type Warning } from '../answer.ts';
import { type Budget, endingEarlier, NothingToReturn } from '../budget.ts';
import { policySolution, subsetTable, type ThresholdPolicyAnswer } from './answer.ts';
import { fullInformationCost } from './bounds/relaxation-bound.ts';
import { conflictOf } from './conflict.ts';
import { chooseEvaluator } from './evaluation/choose-evaluator.ts';
import { type Evaluator, type MeasuredPolicies, remembering } from './evaluation/evaluator.ts';
import type { MemorylessQueue } from './evaluation/memoryless/evaluate-memoryless.ts';
import { type FixedMode, measureFixedModes, relativeProfit } from './fixed-modes.ts';
import { checkFront } from './front/front-between.ts';
import { tableFront } from './front/table-front.ts';
import { thresholdFront } from './front/threshold-front.ts';
import { checkMeasures, furtherMeasures, policyByLevel } from './further-measures.ts';
import { assembleQueue } from './model/assemble.ts';
import { type Constraints, costOf, limitsIn, measuresOf } from './model/measures.ts';
import { policyOf, type WrittenPolicy } from './model/policy-input.ts';
import type { ModeByLevel, Queue } from './model/queue.ts';
import { checkCosts } from './model/ranges.ts';
import { checkObservation, evaluateObserved, seesPhases, solveObserved } from './observed/solve-observed.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { remarksOnOptimum, remarksOnPolicy } from './remarks.ts';
import { search } from './search/search.ts';
import type { SearchResult } from './search/setting.ts';

/** A gap of this size counts as proved. */
export const provedGap = 1e-6;
/** The subsets table has 2^N − N − 1 rows; it is given up to this many modes. */
const maxSubsetModes = 12;
/** Elementary steps in a millisecond. */
const stepsPerMs = 1e6;

/** A problem made ready: its queue, what measures a policy, and what is to be kept. */
export interface Prepared {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  /** What the evaluator remembers. */
  readonly measured: MeasuredPolicies;
  /** Elementary steps of measuring one policy. */
  readonly work: number;
  /** Present when obsolescence is exponential or absent. */
  readonly memoryless: MemorylessQueue | null;
  readonly constraints: Constraints | null;
  readonly warnings: readonly Warning[];
  readonly budget: Budget;
}

/**
 * Solves, or evaluates, one problem.
 *
 * @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends before any policy is
 * measured
 */
export function solveThresholdPolicy(problem: ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  return solvePrepared(prepare(problem, budget));
}

/**
 * @param known the queue of this problem and what was measured of it, where it was made for other prices and limits
 * @throws ConditionNotMet for conditions of the model
 */
export function prepare(
  problem: ThresholdPolicyProblem,
  budget: Budget,
  known?: Pick<Prepared, 'queue' | 'warnings' | 'measured'>,
): Prepared {
  checkCosts(problem.costs);
  checkFront(problem);
  checkMeasures(problem);
  const { queue, warnings } = known ?? assembleQueue(problem);
  const { evaluator, size, prepared: memoryless } = chooseEvaluator(queue, budget);
  checkObservation(problem, queue);
  const measured = known?.measured ?? new Map();
  return {
    problem,
    queue,
    evaluator: remembering(evaluator, measured),
    measured,
    work: size.work,
    memoryless,
    constraints: limitsIn(problem.constraints),
    warnings,
    budget,
  };
}

export function solvePrepared(prepared: Prepared): ThresholdPolicyAnswer {
  const { problem, memoryless } = prepared;
  if (memoryless !== null && seesPhases(problem)) return observed({ ...prepared, memoryless });
  const { policy } = problem;
  if (policy !== undefined && !('crawlersByState' in policy)) return evaluated(prepared, policy);
  const found = searched(prepared);
  return withFront(prepared, { ...foundAnswer(prepared, found), ...besideFound(prepared, found) });
}

/** The answer with the front that was asked for beside it. */
function withFront(prepared: Prepared, answer: ThresholdPolicyAnswer): ThresholdPolicyAnswer {
  const { problem, queue, evaluator, memoryless, constraints, budget } = prepared;
  if (problem.front === undefined || answer.solution === undefined) return answer;
  const setting = { queue, evaluator, prepared: memoryless, constraints, kind: problem.search ?? 'auto', budget };
  const { front, warnings } = thresholdFront(setting, problem.front.criteria, budget);
  return { ...answer, front, warnings: [...answer.warnings, ...warnings] };
}

/** The controller sees phases too. */
function observed(prepared: Prepared & { readonly memoryless: MemorylessQueue }): ThresholdPolicyAnswer {
  const { policy } = prepared.problem;
  const answer =
    policy !== undefined && 'crawlersByState' in policy
      ? evaluateObserved(prepared, policy.crawlersByState)
      : solveObserved(prepared);
  const fixedModes = fixedModesOf(prepared);
  const cost = answer.objective?.value;
  const { front } = prepared.problem;
  const along = front === undefined ? null : tableFront(prepared, front.criteria, prepared.budget);
  return {
    ...answer,
    fixedModes,
    ...(cost === undefined ? {} : { relativeProfit: relativeProfit(cost, fixedModes, prepared.constraints) }),
    ...(along === null ? {} : { front: along.front }),
    warnings: [...prepared.warnings, ...answer.warnings, ...(along?.warnings ?? [])],
  };
}

/**
 * What was found is measured once more after the search: the time for that is kept back.
 *
 * @param start a policy that may be near the best, for branch and bound to begin with
 */
export function searched(prepared: Prepared, start: ModeByLevel | null = null): SearchResult {
  const { problem, queue, evaluator, work, memoryless, constraints, budget } = prepared;
  return search({
    queue,
    evaluator,
    prepared: memoryless,
    costs: problem.costs,
    constraints,
    kind: problem.search ?? 'auto',
    budget: endingEarlier(budget, (2 * work) / stepsPerMs),
    start,
  });
}

/** The policy that a search found, measured, with its proof; or the conflict where there is none. */
export function foundAnswer(prepared: Prepared, found: SearchResult): ThresholdPolicyAnswer {
  const { problem, queue, evaluator, constraints, warnings, budget } = prepared;
  const { name, states } = evaluator;
  const statistics = { solver: found.solver, evaluation: name, states, ...found.statistics };
  if (found.byLevel === null) {
    if (!found.enumerated && found.bound !== Number.POSITIVE_INFINITY) {
      throw new NothingToReturn('no policy that keeps the limits had been found, nor a proof that there is none');
    }
    const conflict = conflictOf(queue, constraints ?? {}, found.tally, found.enumerated);
    return { status: 'infeasible', fixedModes: [], conflict, warnings, statistics };
  }
  const totals = evaluator.evaluate(found.byLevel);
  const cost = costOf(totals, problem.costs);
  // Enumeration and evaluation round differently in the last bits: a bound never stands above the value it bounds.
  const reached = objective(cost, found.bound === null ? null : Math.min(found.bound, cost));
  const further = furtherMeasures(prepared, policyByLevel(evaluator, found.byLevel, budget));
  return {
    status: reached.gap !== null && reached.gap <= provedGap ? 'optimal' : 'feasible',
    objective: reached,
    solution: policySolution(queue, found.byLevel, { ...measuresOf(totals), ...further.measures }),
    fixedModes: [],
    warnings: [...warnings, ...further.warnings, ...remarksOnOptimum(queue, found.byLevel, found.tally.ties)],
    statistics,
  };
}

/**
 * What stands beside the optimum: every count alone, the best of every subset, prices, and what seeing phases would
 * save.
 */
function besideFound(prepared: Prepared, found: SearchResult): Partial<ThresholdPolicyAnswer> {
  const { problem, queue, evaluator, memoryless, constraints, budget } = prepared;
  const { costs } = problem;
  const fixedModes = fixedModesOf(prepared);
  if (found.byLevel === null) return { fixedModes };
  const cost = costOf(evaluator.evaluate(found.byLevel), costs);
  const subsets = found.enumerated && queue.modes.length <= maxSubsetModes;
  const informed = memoryless !== null && queue.discipline === 'fifo' && constraints === null;
  return {
    fixedModes,
    ...(subsets ? { subsets: subsetTable(queue, found.tally.byModes) } : {}),
    relativeProfit: relativeProfit(cost, fixedModes, constraints),
    ...(constraints !== null && found.enumerated ? { dualPrices: found.tally.pricesAt(cost) } : {}),
    fullInformationCost: informed && !budget.stopRequested() ? fullInformationCost(memoryless, costs, budget) : null,
  };
}

function evaluated(prepared: Prepared, policy: WrittenPolicy): ThresholdPolicyAnswer {
  const { problem, queue, evaluator, constraints, warnings, budget } = prepared;
  const byLevel = policyOf(queue, policy);
  const totals = evaluator.evaluate(byLevel);
  const plain = measuresOf(totals);
  const further = furtherMeasures(prepared, policyByLevel(evaluator, byLevel, budget));
  const cost = costOf(totals, problem.costs);
  const fixedModes = fixedModesOf(prepared);
  const { name, states } = evaluator;
  return {
    status: 'evaluated',
    objective: objective(cost, null),
    solution: policySolution(queue, byLevel, { ...plain, ...further.measures }),
    fixedModes,
    relativeProfit: relativeProfit(cost, fixedModes, constraints),
    warnings: [...warnings, ...remarksOnPolicy(queue, byLevel, plain, constraints), ...further.warnings],
    statistics: { solver: name, evaluation: name, states },
  };
}

function fixedModesOf({ problem, queue, evaluator, work, budget }: Prepared): FixedMode[] {
  return measureFixedModes({ queue, evaluator, work, costs: problem.costs, budget });
}
