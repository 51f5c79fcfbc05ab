/**
 * Answers for a controller that sees phases: a table of crawlers by queue length and phases, its measures and its proof,
 * beside the best thresholds, which need no phases.
 *
 * Where it applies: exponential or no obsolescence; random pick-up where the response time has no price, since it depends
 * there on what comes later. With obsolescence phases the state that all measures depend on is not the state that is
 * observed. Tables are measured under both disciplines.
 */
import { objective } from '../../answer.ts';
import { unlessStopped } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { ThresholdPolicyAnswer } from '../answer.ts';
import { type Constraints, costOf, limitsIn, measuresOf } from '../model/measures.ts';
import { memorylessObsolescence, type Queue } from '../model/queue.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';
import { remarksOnLimits } from '../remarks.ts';
import { localOptimum } from '../search/evaluation-search.ts';
import { Tally } from '../search/tally.ts';
import { measuredTables, type ObservedSetting } from './measured-tables.ts';
import { bestByOnePhase, bestByPhases, type ObservedPolicy } from './observed-policy.ts';
import { phaseFilter } from './phase-filter.ts';
import { solveConstrained } from './solve-constrained.ts';
import { distributionOfStates, totalsOfStates } from './state-distribution.ts';
import { type CrawlersByState, type ModeByState, modeByStateOf, modesOfTable } from './state-policy.ts';

/** Whether the problem is about what a controller sees beside the queue's length. */
export function seesPhases({ observe, policy }: ThresholdPolicyProblem): boolean {
  return (observe !== undefined && observe !== 'queue-length') || (policy !== undefined && 'crawlersByState' in policy);
}

/** @throws ConditionNotMet when the problem asks for what is not computed with phases in sight */
export function checkObservation(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { observe, policy, constraints } = problem;
  const byState = policy !== undefined && 'crawlersByState' in policy;
  if (policy !== undefined && !byState && observe !== undefined && observe !== 'queue-length') {
    const detail = `is ${observe}, and the policy that is given goes by the queue length: leave one of them out`;
    throw new ConditionNotMet(['observe'], 'not-applicable', detail);
  }
  if (problem.filter !== undefined && (observe !== 'phases' || byState)) {
    const detail = 'is what to do where the phases are not seen: it needs observe "phases", and no policy';
    throw new ConditionNotMet(['filter'], 'not-applicable', detail);
  }
  if (!seesPhases(problem)) return;
  const place = byState ? ['policy', 'crawlersByState'] : ['observe'];
  const refuse = (what: string): never => {
    throw new ConditionNotMet(place, 'not-applicable', `does not go with ${what}`);
  };
  if (queue.discipline !== 'fifo' && !byState && problem.costs.response > 0) {
    refuse('a price on the response time under random pick-up: there it depends on the pages that come later');
  }
  if (!memorylessObsolescence(queue)) refuse('an obsolescence law of several phases: give an exponential one, or null');
  const limited = limitsIn(constraints) !== null;
  if (limited && (observe === 'arrival-phase' || observe === 'service-phase')) {
    refuse('constraints: nothing but chance says which of two tables to mix where only one phase is seen; see both');
  }
  if (limited && problem.filter !== undefined) refuse('constraints and a filter: acting on beliefs keeps no limit');
  if (queue.discipline !== 'fifo' && !byState && constraints?.responseTime !== undefined) {
    refuse('a limit on the response time under random pick-up: there it depends on the pages that come later');
  }
  if (policy !== undefined && 'crawlersByState' in policy) modesOfTable(queue, problem.service, policy.crawlersByState);
}

type Observed = Omit<ThresholdPolicyAnswer, 'fixedModes'>;

/** A gap of this size counts as proved. */
const provedGap = 1e-6;

/**
 * @param neighbour with both phases in sight: a table that may be near the best, to begin with instead of the best thresholds;
 *   the answer is then without `byQueueLength`, unless the proof does not close from there
 */
export function solveObserved(setting: ObservedSetting, neighbour?: ModeByState): Observed {
  const { constraints: limits } = setting;
  if (neighbour !== undefined && limits === null) {
    const answer = solveFrom(setting, neighbour);
    if (answer.status === 'optimal') return answer;
  }
  const { problem, queue, evaluator, memoryless, budget } = setting;
  const { costs, observe } = problem;
  const tally = new Tally(costs, null);
  const local = localOptimum(
    { queue, evaluator, prepared: memoryless, costs, constraints: null, kind: 'local', budget },
    tally,
  );
  const { responseTime } = measuresOf(evaluator.evaluate(local.byLevel));
  const start = { modes: modeByStateOf(queue, local.byLevel), cost: local.cost, responseTime };
  if (limits !== null) return { ...solveConstrained(setting, limits, start), ...thresholdsKeeping(setting, limits) };
  const byLength = Array.from(local.byLevel.subarray(0, queue.capacity + 1), (mode) => queue.modes[mode].crawlers);
  const byQueueLength = { crawlersByQueueLength: byLength, cost: local.cost };
  if (observe === 'arrival-phase' || observe === 'service-phase') {
    const found = bestByOnePhase(memoryless, costs, observe, start, budget);
    return { ...proved(setting, found, 'local-search'), byQueueLength, fullInformationCost: found.informed };
  }
  const found = bestByPhases(memoryless, costs, start, budget);
  return {
    ...proved(setting, found, 'policy-iteration'),
    byQueueLength,
    ...(problem.filter === undefined
      ? {}
      : { filter: { queue, filter: phaseFilter(memoryless, costs, found.modes, budget) } }),
  };
}

/** The best policy by queue length, under the limits, that a local search finds. */
function thresholdsKeeping(setting: ObservedSetting, constraints: Constraints): Pick<Observed, 'byQueueLength'> {
  const { problem, queue, evaluator, memoryless, budget } = setting;
  const { costs } = problem;
  const tally = new Tally(costs, constraints);
  unlessStopped(null, () =>
    localOptimum({ queue, evaluator, prepared: memoryless, costs, constraints, kind: 'local', budget }, tally),
  );
  const byLevel = tally.bestPolicy(queue);
  if (byLevel === null) return {};
  const crawlersByQueueLength = Array.from(
    byLevel.subarray(0, queue.capacity + 1),
    (mode) => queue.modes[mode].crawlers,
  );
  return { byQueueLength: { crawlersByQueueLength, cost: tally.best } };
}

function solveFrom(setting: ObservedSetting, modes: ModeByState): Observed {
  const { problem, queue, memoryless, budget } = setting;
  const totals = totalsOfStates(memoryless, problem.costs, modes, distributionOfStates(queue, modes));
  const start = { modes, cost: costOf(totals, problem.costs), responseTime: measuresOf(totals).responseTime };
  return proved(setting, bestByPhases(memoryless, problem.costs, start, budget, true), 'policy-iteration');
}

/** What was found, measured, with its proof. */
function proved(setting: ObservedSetting, found: ObservedPolicy, solver: string): Observed {
  const { problem, evaluator } = setting;
  const { totals, solution, warnings } = measuredTables(setting, [{ share: 1, modes: found.modes }]);
  const cost = costOf(totals, problem.costs);
  const reached = objective(cost, found.bound === null ? null : Math.min(found.bound, cost));
  const { name, states } = evaluator;
  return {
    status: reached.gap !== null && reached.gap <= provedGap ? 'optimal' : 'feasible',
    objective: reached,
    solution,
    warnings,
    statistics: { solver, evaluation: name, states, ...found.statistics },
  };
}

/** Evaluates a table of the caller's. */
export function evaluateObserved(setting: ObservedSetting, written: CrawlersByState): Observed {
  const { problem, queue, evaluator } = setting;
  const modes = modesOfTable(queue, problem.service, written);
  const { totals, solution, warnings } = measuredTables(setting, [{ share: 1, modes }]);
  const { name, states } = evaluator;
  return {
    status: 'evaluated',
    objective: objective(costOf(totals, problem.costs), null),
    solution,
    warnings: [...remarksOnLimits(solution.measures, setting.constraints), ...warnings],
    statistics: { solver: name, evaluation: name, states },
  };
}
