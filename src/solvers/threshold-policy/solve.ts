/**
 * Threshold policy: how many crawlers should be active at each length of the queue in front of the indexing engine.
 *
 * Model: see queue/queue.ts (batch Markovian arrivals by mode, phase-type service and obsolescence, finite buffer) and
 * queue/measures.ts (cost). The optimum is over all policies whose activity does not rise with the queue length, for
 * all subsets of the modes, proved as search.ts says. Or it is over tables of crawlers by queue length and phases, for a
 * controller that sees them (ratio-bound.ts), or the caller's own policy is evaluated.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), with the corrections listed in docs/errata.md.
 */
import { objective } from '../answer.ts';
import { type Budget, NothingToReturn, reserveShare, reserveTime } from '../budget.ts';
import { costOf, measuresOf } from '../queue/measures.ts';
import { modesOfTable, policyOf } from '../queue/policies.ts';
import type { ModeByLevel } from '../queue/queue.ts';
import {
  conflictOf,
  countsOf,
  measureFixedModes,
  objectiveWithBound,
  type PolicySolution,
  relativeProfit,
  remarksOnForm,
  remarksOnLimits,
  remarksOnOptimum,
  subsetTable,
  type ThresholdPolicyAnswer,
  toTablePolicy,
  toThresholdPolicy,
} from './answer.ts';
import { furtherMeasures } from './further-measures.ts';
import { Incumbent, maxModesOfSubsets } from './incumbent.ts';
import { checkTotals, type ModeByPhase } from './phase-chain.ts';
import { checkQueue, type PreparedProblem, prepareProblem, seesPhases } from './prepared-problem.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { RatioBounds } from './ratio-bound.ts';
import { countThresholdVectors, search } from './search.ts';

/** Elementary steps in a millisecond. */
const stepsPerMs = 1e6;
/** Searches stop at the time limit with what they have, so that no search counts for more steps than this. */
const maxSearchWork = 1e12;
/** Evaluations that a proof by branch and bound, or of a table, takes, roughly. */
const branchingEvaluations = 20_000;

/**
 * Solves, or evaluates, one problem.
 *
 * @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends before any policy is
 * measured
 */
export function solveThresholdPolicy(problem: ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  const preparedProblem = prepareProblem(problem, budget);
  if (problem.evaluate !== undefined) return evaluatePolicy(preparedProblem, problem.evaluate);
  return problem.observe === 'phases' ? findBestTable(preparedProblem) : findBestThresholds(preparedProblem);
}

/**
 * How much work a problem is, in elementary steps of about a nanosecond. Checks every condition of the model on the
 * way, so that a bad request is refused before it is queued.
 *
 * @throws ConditionNotMet for every condition of the model that is not met
 */
export function estimateThresholdPolicyWork(problem: ThresholdPolicyProblem): number {
  const { queue, work } = checkQueue(problem);
  const modes = queue.modes.length;
  const preparation = queue.topLevel * queue.service.phases ** 3;
  const measurementWork = preparation + (modes + 2) * work * (problem.measures === undefined ? 1 : 50);
  const { evaluate } = problem;
  if (evaluate !== undefined) {
    if (!('crawlersByState' in evaluate)) policyOf(queue, evaluate);
    return measurementWork;
  }
  const vectors = countThresholdVectors(queue.capacity, modes);
  const evaluations = seesPhases(problem) ? branchingEvaluations : Math.min(vectors, branchingEvaluations);
  return measurementWork + Math.min(work * evaluations, maxSearchWork);
}

/** Evaluates the caller's own policy. */
function evaluatePolicy(
  preparedProblem: PreparedProblem,
  callersPolicy: NonNullable<ThresholdPolicyProblem['evaluate']>,
): ThresholdPolicyAnswer {
  const { problem, queue, chain, levels, constraints, warnings } = preparedProblem;
  const policy =
    'crawlersByState' in callersPolicy
      ? { modes: modesOfTable(queue, problem.service, callersPolicy.crawlersByState) }
      : { byLevel: policyOf(queue, callersPolicy) };
  const { cost, solution, remarks } = measurePolicy(preparedProblem, policy);
  const fixedModes = measureFixedModes(queue, new Incumbent(levels, problem.costs, constraints));
  return {
    status: 'evaluated',
    objective: objective(cost, null),
    supplement: { evaluation: solution, fixedModes, relativeProfit: relativeProfit(cost, fixedModes, constraints) },
    warnings: [
      ...warnings,
      ...(policy.byLevel === undefined ? [] : remarksOnForm(policy.byLevel)),
      ...remarksOnLimits(solution.measures, constraints),
      ...remarks,
    ],
    statistics: { solver: 'state-reduction', states: chain.controlledChain.states },
  };
}

/** The best thresholds, with their proof; or the conflict where no policy keeps the limits. */
function findBestThresholds(preparedProblem: PreparedProblem): ThresholdPolicyAnswer {
  const { problem, queue, chain, work, constraints, warnings } = preparedProblem;
  const { costs } = problem;
  const { incumbent, fixedModes } = beginSearch(preparedProblem);
  const budget = searchBudget(preparedProblem);
  const { solver, bound, isComplete, ...proof } = search({ chain, costs, constraints, incumbent, work, budget });
  const statistics = { solver, states: chain.controlledChain.states, ...proof.statistics };
  if (incumbent.best === null) {
    if (!isComplete && bound !== Number.POSITIVE_INFINITY) {
      throw new NothingToReturn('no policy that keeps the limits had been found, nor a proof that there is none');
    }
    const conflict = conflictOf(queue, constraints, incumbent, isComplete);
    return { status: 'infeasible', supplement: { fixedModes }, conflict, warnings, statistics };
  }
  const { byLevel } = incumbent.best;
  const { cost, solution, remarks } = measurePolicy(preparedProblem, { byLevel });
  return {
    ...objectiveWithBound(cost, bound),
    solution,
    supplement: {
      fixedModes,
      relativeProfit: relativeProfit(cost, fixedModes, constraints),
      subsets:
        isComplete && queue.modes.length <= maxModesOfSubsets ? subsetTable(queue, incumbent.byModes) : undefined,
    },
    warnings: [...warnings, ...remarks, ...remarksOnOptimum(queue, byLevel, incumbent.hasTie)],
    statistics,
  };
}

/** The best table, with its proof, and the best thresholds found in half of the time. */
function findBestTable(preparedProblem: PreparedProblem): ThresholdPolicyAnswer {
  const { problem, queue, chain, work, warnings } = preparedProblem;
  const { costs } = problem;
  const budget = searchBudget(preparedProblem);
  const { incumbent, fixedModes } = beginSearch(preparedProblem);
  const halfBudget = reserveShare(budget, 1 / 2);
  // The thresholds only serve as a comparison: after one node of branch and bound they are good, not proved.
  search({ chain, costs, constraints: {}, incumbent, work, maxNodes: 1, budget: halfBudget });
  const start = incumbent.best?.byLevel ?? chain.allModes.highest;
  const bounds = new RatioBounds(chain, costs, budget);
  const { best, bound, intervals } = bounds.prove(chain.allModes, chain.fromLevels(start));
  const { cost, solution, remarks } = measurePolicy(preparedProblem, best);
  return {
    ...objectiveWithBound(cost, Number.isFinite(bound) ? bound : null),
    solution,
    supplement: {
      fixedModes,
      relativeProfit: relativeProfit(cost, fixedModes, {}),
      byQueueLength: { crawlersByQueueLength: countsOf(queue, start), cost: incumbent.cost },
    },
    warnings: [...warnings, ...remarks],
    statistics: { solver: 'policy-iteration', states: chain.controlledChain.states, throughputIntervals: intervals },
  };
}

/** The budget of the search, less the time needed to measure the best policy once more. */
const searchBudget = ({ budget, work }: PreparedProblem): Budget => reserveTime(budget, (2 * work) / stepsPerMs);

/** The policies of one mode, and the best of them as the incumbent. @throws NothingToReturn when there is no time for one */
function beginSearch({ problem, queue, levels, constraints }: PreparedProblem) {
  const incumbent = new Incumbent(levels, problem.costs, constraints);
  const fixedModes = measureFixedModes(queue, incumbent);
  if (fixedModes.length === 0) throw new NothingToReturn('not one policy had been measured');
  return { incumbent, fixedModes };
}

type EvaluatedPolicy =
  | { readonly byLevel: ModeByLevel }
  | { readonly modes: ModeByPhase; readonly byLevel?: undefined };

/** Cost, measures and written form of a policy. */
function measurePolicy({ problem, queue, chain, budget }: PreparedProblem, policy: EvaluatedPolicy) {
  const modes = policy.byLevel === undefined ? policy.modes : chain.fromLevels(policy.byLevel);
  const shares = chain.sharesOf(modes);
  const totals = checkTotals(chain.totals());
  const modeOf = (level: number, state: number): number => modes[chain.firstState(level) + state];
  const further = furtherMeasures(problem, queue, modeOf, shares, budget);
  const form =
    policy.byLevel === undefined
      ? toTablePolicy(queue, problem.service, modes, shares)
      : toThresholdPolicy(queue, policy.byLevel);
  const solution: PolicySolution = { ...form, measures: { ...measuresOf(totals), ...further.measures } };
  return { cost: costOf(totals, problem.costs), solution, remarks: further.warnings };
}
