/**
 * Answers for a controller that sees phases: a table of crawlers by queue length and phases, its measures and its
 * proof, beside the best thresholds, which need no phases.
 *
 * Where it applies: exponential or no obsolescence. Under random pick-up a page's time depends on the pages that come
 * later, thus on what the controller will do: where it has a price and pages expire, tables are found by local search.
 * (Where none expires, Little's law makes the mean response time that of first in first out.) With obsolescence phases
 * the state that all measures depend on is not the state that is observed. Tables are measured under both disciplines.
 */
import { objective } from '../../answer.ts';
import { unlessStopped } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { ThresholdPolicyAnswer } from '../answer.ts';
import type { ThroughputIntervals } from '../bounds/throughput-bound.ts';
import { checkTableFront } from '../front/table-front.ts';
import { type Constraints, costOf, limitsIn, measuresOf } from '../model/measures.ts';
import { type ModeByLevel, memorylessObsolescence, obsolescenceRate, type Queue } from '../model/queue.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';
import { remarksOnLimits } from '../remarks.ts';
import { localOptimum } from '../search/evaluation-search.ts';
import { Tally } from '../search/tally.ts';
import { measuredTables, type ObservedSetting } from './measured-tables.ts';
import { bestByPhases, type ObservedPolicy, type Start } from './observed-policy.ts';
import type { Sight } from './partial-policy.ts';
import { phaseFilter } from './phase-filter.ts';
import { bestAtRandom, bestByOnePhase } from './searched-policy.ts';
import { solveByOnePhase, solveConstrained } from './solve-constrained.ts';
import { distributionOfStates, totalsOfStates } from './state-distribution.ts';
import { type CrawlersByState, type ModeByState, modeByStateOf, modesOfTable } from './state-policy.ts';

/** Whether the problem is about what a controller sees beside the queue's length. */
export function seesPhases({ observe, policy }: ThresholdPolicyProblem): boolean {
  return (observe !== undefined && observe !== 'queue-length') || (policy !== undefined && 'crawlersByState' in policy);
}

/** @throws ConditionNotMet when the problem asks for what is not computed with phases in sight */
export function checkObservation(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { observe, policy } = problem;
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
  if (!memorylessObsolescence(queue)) refuseObsolescencePhases(byState);
  if (!byState) {
    checkSearched(problem, queue);
    checkTableFront(problem, overtakes(queue));
  }
  if (policy !== undefined && 'crawlersByState' in policy) modesOfTable(queue, problem.service, policy.crawlersByState);
}

function refuseObsolescencePhases(byState: boolean): never {
  throw new ConditionNotMet(
    byState ? ['policy', 'crawlersByState'] : ['observe'],
    'not-applicable',
    'does not go with an obsolescence law of several phases: how soon pages expire then depends on the phase of every waiting ' +
      'page, which no controller sees, so that policy iteration over what it does see is not exact. Give an exponential law ' +
      'with the same mean, or null, and play the table that is answered under the law of several phases at simulations/queue',
  );
}

/** What a search for a table does not go with. */
function checkSearched(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { constraints, filter } = problem;
  const refuse = (place: string[], detail: string): never => {
    throw new ConditionNotMet(place, 'not-applicable', detail);
  };
  const limited = limitsIn(constraints) !== null;
  if (limited && filter !== undefined) {
    refuse(
      ['filter'],
      'does not go with constraints: what a controller that acts on a belief does is known by simulation alone, so that it ' +
        'could not be said to keep a limit; leave out one of them',
    );
  }
  if (!overtakes(queue)) return;
  const why =
    'under random pick-up, where pages expire: there it depends on the pages that come later, and no limit on it, nor a ' +
    'multiplier of another limit beside it, can be kept state by state';
  const instead = 'use discipline "fifo", or observe "queue-length"';
  if (constraints?.responseTime !== undefined) {
    refuse(['constraints', 'responseTime'], `does not go with observe ${why}; ${instead}`);
  }
  if (problem.costs.response === 0) return;
  const priced = `a price on the response time ${why}`;
  if (limited) refuse(['constraints'], `does not go with observe and ${priced}; ${instead}, or leave out the price`);
  if (filter !== undefined) {
    refuse(
      ['filter'],
      'does not go with a price on the response time under random pick-up, where pages expire: the expected values it acts on ' +
        'are those of first in first out; use discipline "fifo", or leave out the price',
    );
  }
}

/** Whether the mean response time depends on the pages that come later. */
function overtakes(queue: Queue): boolean {
  return queue.discipline !== 'fifo' && obsolescenceRate(queue) > 0;
}

type Observed = Omit<ThresholdPolicyAnswer, 'fixedModes'> & {
  /** How the bound was proved, for a problem much like this one. */
  readonly parted?: ThroughputIntervals | undefined;
};

/** What was best for a problem much like this one, and how it was proved. */
export interface Neighbour {
  readonly modes: ModeByState;
  readonly parted: ThroughputIntervals | undefined;
}

/** A gap of this size counts as proved. */
const provedGap = 1e-6;

/**
 * @param neighbour with both phases in sight: a table that may be near the best, to begin with instead of the best
 * thresholds;
 *   the answer is then without `byQueueLength`, unless the proof does not close from there
 */
export function solveObserved(setting: ObservedSetting, neighbour?: Neighbour): Observed {
  const { problem, queue, evaluator, memoryless, constraints: limits, budget } = setting;
  const { costs, observe } = problem;
  const searches = overtakes(queue) && costs.response > 0;
  if (neighbour !== undefined && limits === null && !searches) {
    const answer = solveFrom(setting, neighbour);
    if (answer.status === 'optimal') return answer;
  }
  const local = localOptimum(
    { queue, evaluator, prepared: memoryless, costs, constraints: null, kind: 'local', budget },
    new Tally(costs, null),
  );
  const { responseTime } = measuresOf(evaluator.evaluate(local.byLevel));
  const start = { modes: modeByStateOf(queue, local.byLevel), cost: local.cost, responseTime };
  const sees = observe === 'arrival-phase' || observe === 'service-phase' ? observe : 'phases';
  if (limits !== null) return solveLimited(setting, limits, start, sees);
  const byQueueLength = shownThresholds(queue, local.byLevel, local.cost);
  if (searches) {
    const found = bestAtRandom(memoryless, costs, sees, start, budget);
    return { ...proved(setting, found, 'local-search'), byQueueLength };
  }
  if (sees !== 'phases') {
    const found = bestByOnePhase(memoryless, costs, sees, start, budget);
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

/** With limits to keep, beside the best policy by queue length that keeps them, as far as a local search finds one. */
function solveLimited(setting: ObservedSetting, constraints: Constraints, start: Start, sees: Sight): Observed {
  const { problem, queue, evaluator, memoryless, budget } = setting;
  const { costs } = problem;
  const both = sees === 'phases' ? solveConstrained(setting, constraints, start) : null;
  const tally = new Tally(costs, constraints);
  unlessStopped(null, () =>
    localOptimum({ queue, evaluator, prepared: memoryless, costs, constraints, kind: 'local', budget }, tally),
  );
  const byLevel = tally.bestPolicy(queue);
  const answer = both ?? solveByOnePhase({ setting, constraints, start, sees, byLevel });
  return byLevel === null ? answer : { ...answer, byQueueLength: shownThresholds(queue, byLevel, tally.best) };
}

function shownThresholds(queue: Queue, byLevel: ModeByLevel, cost: number): NonNullable<Observed['byQueueLength']> {
  const levels = byLevel.subarray(0, queue.capacity + 1);
  return { crawlersByQueueLength: Array.from(levels, (mode) => queue.modes[mode].crawlers), cost };
}

function solveFrom(setting: ObservedSetting, { modes, parted }: Neighbour): Observed {
  const { problem, queue, memoryless, budget } = setting;
  const totals = totalsOfStates(memoryless, problem.costs, modes, distributionOfStates(queue, modes));
  const start = { modes, cost: costOf(totals, problem.costs), responseTime: measuresOf(totals).responseTime };
  return proved(setting, bestByPhases(memoryless, problem.costs, start, budget, { parted }), 'policy-iteration');
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
    parted: found.parted,
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
