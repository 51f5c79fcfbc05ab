/**
 * Threshold policy: how many crawlers should be active at each length of the queue in front of the indexing engine.
 *
 * Model: see queue/queue.ts (batch Markovian arrivals by mode, phase-type service and obsolescence, finite buffer) and
 * queue/measures.ts (cost). The optimum is over all policies whose activity does not rise with the queue length, for
 * all subsets of the modes, proved as search.ts says. Or it is over tables by phases (best-table.ts), or the caller's
 * own policy is evaluated.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), with the corrections listed in docs/errata.md.
 */
import { objective } from '../answer.ts';
import { type Budget, endingEarlier, NothingToReturn } from '../budget.ts';
import { costOf, measuresOf } from '../queue/measures.ts';
import { policyOf, type WrittenPolicy } from '../queue/policy-input.ts';
import type { ModeByLevel } from '../queue/queue.ts';
import {
  conflictOf,
  measureFixedModes,
  objectiveWithBound,
  policySolution,
  relativeProfit,
  remarksOnOptimum,
  remarksOnPolicy,
  subsetTable,
  type ThresholdPolicyAnswer,
} from './answer.ts';
import { evaluateTable, findBestTable } from './best-table.ts';
import { furtherMeasures } from './evaluate/measures.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { checkedQueue, type Question, questionOf, seesPhases, stepsPerMs } from './question.ts';
import { countThresholdVectors, search } from './search.ts';
import { Tally } from './tally.ts';

/** Searches stop at the time limit with what they have, so that no search counts for more steps than this. */
const longestSearch = 1e12;
/** Evaluations that a search with a proof by branch and bound takes, roughly. */
const branchingEvaluations = 20_000;
/** Evaluations that the best table takes for each mode, roughly. */
const tableEvaluations = 500;

/**
 * Solves, or evaluates, one problem.
 *
 * @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends before any policy is
 * measured
 */
export function solveThresholdPolicy(problem: ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  const question = questionOf(problem, budget);
  const { chain } = question;
  const { evaluate } = problem;
  if (evaluate !== undefined && !('crawlersByState' in evaluate)) return evaluatePolicy(question, evaluate);
  if (chain === null || !seesPhases(problem)) return findBestThresholds(question);
  return evaluate === undefined
    ? findBestTable(question, chain)
    : evaluateTable(question, chain, evaluate.crawlersByState);
}

/**
 * How much work a problem is, in elementary steps of about a nanosecond. Checks every condition of the model on the
 * way, so that a bad request is refused before it is queued.
 *
 * @throws ConditionNotMet for every condition of the model that is not met
 */
export function estimateThresholdPolicyWork(problem: ThresholdPolicyProblem): number {
  const { queue, work } = checkedQueue(problem);
  const modes = queue.modes.length;
  const preparation = queue.topLevel * queue.service.phases ** 3;
  const measured = preparation + (modes + 2) * work * (problem.measures === undefined ? 1 : 50);
  const { evaluate } = problem;
  if (evaluate !== undefined) {
    if (!('crawlersByState' in evaluate)) policyOf(queue, evaluate);
    return measured;
  }
  if (seesPhases(problem)) return measured + Math.min(tableEvaluations * modes * work, longestSearch);
  const vectors = countThresholdVectors(queue.capacity, modes);
  return measured + Math.min(work * Math.min(vectors, branchingEvaluations), longestSearch);
}

/** What a policy of the caller's does. */
function evaluatePolicy(question: Question, written: WrittenPolicy): ThresholdPolicyAnswer {
  const { problem, queue, levels, work, constraints, warnings, budget } = question;
  const byLevel = policyOf(queue, written);
  const { cost, measures, further } = measured(question, byLevel);
  const fixedModes = measureFixedModes(levels, problem.costs, work, budget);
  return {
    status: 'evaluated',
    objective: objective(cost, null),
    beside: {
      evaluation: policySolution(queue, byLevel, { ...measures, ...further.measures }),
      fixedModes,
      relativeProfit: relativeProfit(cost, fixedModes, constraints),
    },
    warnings: [...warnings, ...remarksOnPolicy(queue, byLevel, measures, constraints), ...further.warnings],
    statistics: { solver: 'level-elimination', states: levels.states },
  };
}

/** The best thresholds, with their proof; or the conflict where no policy keeps the limits. */
function findBestThresholds(question: Question): ThresholdPolicyAnswer {
  const { problem, queue, levels, work, constraints, warnings, budget } = question;
  const tally = new Tally(problem.costs, constraints, queue.modes.length);
  // What was found is measured once more after the search: the time for that is kept back.
  const searching = endingEarlier(budget, (2 * work) / stepsPerMs);
  const { solver, bound, enumerated, statistics } = search({
    ...question,
    costs: problem.costs,
    tally,
    budget: searching,
  });
  const statisticsOfSearch = { solver, states: levels.states, ...statistics };
  const fixedModes = measureFixedModes(levels, problem.costs, work, budget);
  if (tally.best === null) {
    if (!enumerated && bound !== Number.POSITIVE_INFINITY) {
      throw new NothingToReturn('no policy that keeps the limits had been found, nor a proof that there is none');
    }
    const conflict = conflictOf(queue, constraints ?? {}, tally, enumerated);
    return { status: 'infeasible', beside: { fixedModes }, conflict, warnings, statistics: statisticsOfSearch };
  }
  const { byLevel } = tally.best;
  const { cost, measures, further } = measured(question, byLevel);
  return {
    ...objectiveWithBound(cost, bound),
    solution: policySolution(queue, byLevel, { ...measures, ...further.measures }),
    beside: {
      fixedModes,
      subsets: enumerated && tally.hasSets ? subsetTable(queue, tally.byModes) : undefined,
      relativeProfit: relativeProfit(cost, fixedModes, constraints),
    },
    warnings: [...warnings, ...further.warnings, ...remarksOnOptimum(queue, byLevel, tally.ties)],
    statistics: statisticsOfSearch,
  };
}

function measured({ problem, queue, levels, budget }: Question, byLevel: ModeByLevel) {
  const totals = levels.evaluate(byLevel);
  const sharesOf = () => levels.distribution(byLevel);
  const further = furtherMeasures(problem, queue, (level) => byLevel[level], sharesOf, budget);
  return { cost: costOf(totals, problem.costs), measures: measuresOf(totals), further };
}
