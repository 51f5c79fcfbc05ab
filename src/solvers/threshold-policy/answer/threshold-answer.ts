/** Answers for a controller that sees the queue's length alone: the best thresholds, or what a given policy does. */
import { objective } from '../../answer.ts';
import { endingEarlier, NothingToReturn } from '../../budget.ts';
import { costOf, measuresOf } from '../../queue/measures.ts';
import { policyOf, type WrittenPolicy } from '../../queue/policy-input.ts';
import type { ModeByLevel } from '../../queue/queue.ts';
import { search } from '../bound/proved-search.ts';
import { relativeProfit } from '../evaluate/fixed-modes.ts';
import { furtherMeasures, policyByLevel } from '../evaluate/further-measures.ts';
import type { SearchResult, SearchSetting } from '../search/setting.ts';
import { type BesidePolicy, reached, type ThresholdPolicyAnswer } from './answer.ts';
import { conflictOf } from './conflict.ts';
import { policySolution } from './policy-solution.ts';
import { fixedModesOf, type Question } from './question.ts';
import { remarksOnOptimum, remarksOnPolicy } from './remarks.ts';
import { subsetTable } from './subsets.ts';

/** The subsets table has 2^N − N − 1 rows; it is given up to this many modes. */
const maxSubsetModes = 12;
/** Elementary steps in a millisecond. */
const stepsPerMs = 1e6;

/** What a policy of the caller's does. */
export function evaluatedPolicy(question: Question, written: WrittenPolicy): ThresholdPolicyAnswer {
  const { queue, evaluator, constraints, warnings } = question;
  const byLevel = policyOf(queue, written);
  const { cost, plain, further } = measured(question, byLevel);
  const fixedModes = fixedModesOf(question);
  return {
    status: 'evaluated',
    objective: objective(cost, null),
    beside: {
      evaluation: policySolution(queue, byLevel, { ...plain, ...further.measures }),
      fixedModes,
      relativeProfit: relativeProfit(cost, fixedModes, constraints),
    },
    warnings: [...warnings, ...remarksOnPolicy(queue, byLevel, plain, constraints), ...further.warnings],
    statistics: { solver: evaluator.name, evaluation: evaluator.name, states: evaluator.states },
  };
}

/** The best thresholds, with their proof; or the conflict where no policy keeps the limits. */
export function bestThresholds(question: Question): ThresholdPolicyAnswer {
  const { queue, evaluator, work, budget, warnings } = question;
  const setting = searchSetting(question);
  // What was found is measured once more after the search: the time for that is kept back.
  const found = search({ ...setting, budget: endingEarlier(budget, (2 * work) / stepsPerMs) }, work);
  const statistics = {
    solver: found.solver,
    evaluation: evaluator.name,
    states: evaluator.states,
    ...found.statistics,
  };
  const { byLevel } = found;
  if (byLevel === null) return noThresholds(question, found, statistics);
  const { cost, plain, further } = measured(question, byLevel);
  const beside = besideThresholds(question, found, cost);
  return {
    ...reached(cost, found.bound),
    solution: policySolution(queue, byLevel, { ...plain, ...further.measures }),
    beside,
    warnings: [...warnings, ...further.warnings, ...remarksOnOptimum(queue, byLevel, found.tally.ties)],
    statistics,
  };
}

function searchSetting({ problem, queue, evaluator, memoryless, constraints, budget }: Question): SearchSetting {
  return { queue, evaluator, prepared: memoryless, costs: problem.costs, constraints, budget };
}

function measured(question: Question, byLevel: ModeByLevel) {
  const { problem, evaluator, budget } = question;
  const totals = evaluator.evaluate(byLevel);
  const further = furtherMeasures(question, policyByLevel(evaluator, byLevel, budget));
  return { cost: costOf(totals, problem.costs), plain: measuresOf(totals), further };
}

function noThresholds(
  question: Question,
  found: SearchResult,
  statistics: ThresholdPolicyAnswer['statistics'],
): ThresholdPolicyAnswer {
  const { queue, constraints, warnings } = question;
  if (!found.enumerated && found.bound !== Number.POSITIVE_INFINITY) {
    throw new NothingToReturn('no policy that keeps the limits had been found, nor a proof that there is none');
  }
  const conflict = conflictOf(queue, constraints ?? {}, found.tally, found.enumerated);
  return { status: 'infeasible', beside: { fixedModes: fixedModesOf(question) }, conflict, warnings, statistics };
}

/** Every count alone, and the best of every subset. */
function besideThresholds(question: Question, found: SearchResult, cost: number): BesidePolicy {
  const { queue, constraints } = question;
  const fixedModes = fixedModesOf(question);
  const subsets = found.enumerated && queue.modes.length <= maxSubsetModes;
  return {
    fixedModes,
    subsets: subsets ? subsetTable(queue, found.tally.byModes) : undefined,
    relativeProfit: relativeProfit(cost, fixedModes, constraints),
  };
}
