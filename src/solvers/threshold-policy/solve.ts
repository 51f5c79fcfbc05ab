/**
 * Threshold policy: how many crawlers should be active at each length of the queue in front of the indexing engine.
 *
 * Model: see queue/queue.ts (batch Markovian arrivals by mode, phase-type service and obsolescence, finite buffer) and
 * queue/measures.ts (cost). The optimum is over all policies whose activity does not rise with the queue length, for
 * all subsets of the modes, proved as bound/proved-search.ts says. Or it is over tables by phases
 * (answer/table-answer.ts), or the caller's own policy is evaluated.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), with the corrections listed in docs/errata.md.
 */
import type { Budget } from '../budget.ts';
import { assembleQueue } from '../queue/assemble.ts';
import { limitsIn } from '../queue/measures.ts';
import { checkCosts } from '../queue/ranges.ts';
import type { ThresholdPolicyAnswer } from './answer/answer.ts';
import { tableAnswer } from './answer/table-answer.ts';
import { bestThresholds, evaluatedPolicy } from './answer/threshold-answer.ts';
import { checkConditions, seesPhases } from './conditions.ts';
import { remembering } from './evaluate/chain/evaluator.ts';
import { chooseEvaluator } from './evaluate/choose-evaluator.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/**
 * Solves, or evaluates, one problem.
 *
 * @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends before any policy is
 * measured
 */
export function solveThresholdPolicy(problem: ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  checkCosts(problem.costs);
  const { queue, warnings } = assembleQueue(problem);
  const { evaluator, size, prepared: memoryless } = chooseEvaluator(queue, budget);
  checkConditions(problem, queue);
  const question = {
    problem,
    queue,
    evaluator: remembering(evaluator),
    work: size.work,
    memoryless,
    constraints: limitsIn(problem.constraints),
    warnings,
    budget,
  };
  if (memoryless !== null && seesPhases(problem)) return tableAnswer({ ...question, memoryless });
  const { evaluate } = problem;
  if (evaluate !== undefined && !('crawlersByState' in evaluate)) return evaluatedPolicy(question, evaluate);
  return bestThresholds(question);
}
