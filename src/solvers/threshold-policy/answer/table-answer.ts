/**
 * Answers for a controller that sees phases: a table of crawlers by queue length and phases, its measures and its
 * proof. The best thresholds, which need no phases, stand beside it.
 *
 * Where it applies: exponential or no obsolescence. Under random pick-up a page's time depends on the pages that come
 * later, thus on what the controller will do. Where it has a price and pages expire, tables are found by local search.
 * (Where none expires, Little's law makes the mean response time that of first in first out.) With obsolescence phases
 * the observed state is not the one that all measures depend on. Tables are measured under both disciplines.
 */
import { objective } from '../../answer.ts';
import { costOf, measuresOf } from '../../queue/measures.ts';
import { overtakes } from '../../queue/queue.ts';
import { type CrawlersByState, modeByStateOf, modesOfTable } from '../../queue/state-policy.ts';
import { bestByPhases, type ObservedPolicy } from '../bound/best-table.ts';
import { relativeProfit } from '../evaluate/fixed-modes.ts';
import type { PhaseObservation } from '../observed/partial-policy.ts';
import { bestAtRandom, bestByOnePhase } from '../observed/searched-policy.ts';
import { localOptimum } from '../search/local-optimum.ts';
import { Tally } from '../search/tally.ts';
import { fullInformationOf, reached, type ThresholdPolicyAnswer } from './answer.ts';
import { limitedTables } from './limited-answer.ts';
import { measuredTables, type TableFound } from './measured-tables.ts';
import { playedFilter } from './played-filter.ts';
import { countsOf } from './policy-solution.ts';
import { fixedModesOf, type TableQuestion } from './question.ts';
import { remarksOnLimits } from './remarks.ts';
import { tableFront } from './table-front.ts';

export function tableAnswer(question: TableQuestion): ThresholdPolicyAnswer {
  const { evaluate, front } = question.problem;
  const found =
    evaluate !== undefined && 'crawlersByState' in evaluate
      ? evaluatedTable(question, evaluate.crawlersByState)
      : bestTable(question);
  const fixedModes = fixedModesOf(question);
  const cost = found.objective?.value;
  const along = front === undefined ? null : tableFront(question, front.criteria);
  return {
    ...found,
    beside: {
      fixedModes,
      relativeProfit: cost === undefined ? undefined : relativeProfit(cost, fixedModes, question.constraints),
      ...found.beside,
      front: along?.front,
    },
    warnings: [...question.warnings, ...found.warnings, ...(along?.warnings ?? [])],
  };
}

/** A table of the caller's. */
function evaluatedTable(question: TableQuestion, written: CrawlersByState): TableFound {
  const { problem, queue, evaluator } = question;
  const modes = modesOfTable(queue, problem.service, written);
  const { totals, solution, warnings } = measuredTables(question, [{ share: 1, modes }]);
  return {
    status: 'evaluated',
    objective: objective(costOf(totals, problem.costs), null),
    beside: { evaluation: solution },
    warnings: [...remarksOnLimits(solution.measures, question.constraints), ...warnings],
    statistics: { solver: evaluator.name, evaluation: evaluator.name, states: evaluator.states },
  };
}

/** The best table, or the best policy that sees one phase, with its proof. */
function bestTable(question: TableQuestion): TableFound {
  const { problem, queue, evaluator, memoryless, constraints: limits, budget } = question;
  const { costs, observe } = problem;
  const local = localOptimum(
    { queue, evaluator, prepared: memoryless, costs, constraints: null, kind: 'local', budget },
    new Tally(costs, null),
  );
  const { responseTime } = measuresOf(evaluator.evaluate(local.byLevel));
  const start = { modes: modeByStateOf(queue, local.byLevel), cost: local.cost, responseTime };
  const sees: PhaseObservation = observe === 'arrival-phase' || observe === 'service-phase' ? observe : 'phases';
  if (limits !== null) return limitedTables({ question, constraints: limits, start, sees });
  const byQueueLength = { crawlersByQueueLength: countsOf(queue, local.byLevel), cost: local.cost };
  if (overtakes(queue) && costs.response > 0) {
    const answer = measured(question, bestAtRandom(memoryless, costs, sees, start, budget), 'local-search');
    return { ...answer, beside: { byQueueLength } };
  }
  if (sees !== 'phases') {
    const found = bestByOnePhase(memoryless, costs, sees, start, budget);
    const answer = measured(question, found, 'local-search');
    const fullInformation = fullInformationOf(answer.objective.value, found.informed);
    return { ...answer, beside: { byQueueLength, fullInformation } };
  }
  const { modes, ...found } = bestByPhases(memoryless, costs, start, budget);
  const answer = measured(question, { modes, ...found }, 'policy-iteration');
  const { measures } = answer.solution;
  const filter =
    problem.filter === undefined ? undefined : playedFilter(question, { modes, measures, blind: local.cost });
  return { ...answer, beside: { byQueueLength, filter } };
}

/** What was found, measured, with its proof. */
function measured(question: TableQuestion, found: ObservedPolicy, solver: string) {
  const { problem, evaluator } = question;
  const { totals, solution, warnings } = measuredTables(question, [{ share: 1, modes: found.modes }]);
  return {
    ...reached(costOf(totals, problem.costs), found.bound),
    solution,
    warnings,
    statistics: { solver, evaluation: evaluator.name, states: evaluator.states, ...found.statistics },
  };
}
