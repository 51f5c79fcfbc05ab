/**
 * Answers for a controller that sees phases and has limits to keep: tables mixed in time, and what is left to chance.
 */
import { NothingToReturn, unlessStopped } from '../../budget.ts';
import { type Constraints, constraintNames, costOf, measuresOf, type Totals } from '../../queue/measures.ts';
import { writtenPhases } from '../../queue/phase-type.ts';
import type { ModeByLevel } from '../../queue/queue.ts';
import { crawlersByState, modeByStateOf } from '../../queue/state-policy.ts';
import { bestByPhases } from '../bound/best-table.ts';
import type { Informed } from '../bound/relaxation-bound.ts';
import { bestUnderLimits, type ConstrainedPolicy } from '../observed/constrained-policy.ts';
import { leastMeasure } from '../observed/least-measure.ts';
import { type MixedState, type MixedTable, mixedState } from '../observed/mixed-state.ts';
import { groupsOf, type PhaseObservation } from '../observed/partial-policy.ts';
import { bestByOnePhase } from '../observed/searched-policy.ts';
import { searchedPricing } from '../observed/table-pricing.ts';
import { localOptimum } from '../search/local-optimum.ts';
import { Tally } from '../search/tally.ts';
import { type DrawnState, fullInformationOf, reached, type SharedTable } from './answer.ts';
import { clashOfModes, reachedLimits, type ThresholdPolicyConflict } from './conflict.ts';
import { type MeasuredTable, measuredTables, type TableFound } from './measured-tables.ts';
import { countsOf } from './policy-solution.ts';
import type { TableQuestion } from './question.ts';

/** The most that a mixture in one state may cost beyond the best mixture. */
const mixingTolerance = 1e-9;

/** What is asked, and what is known before: thresholds to begin with. */
interface LimitedQuestion {
  readonly question: TableQuestion;
  readonly constraints: Constraints;
  /** The best thresholds known, whether or not they keep the limits. */
  readonly start: Informed;
  readonly sees: PhaseObservation;
}

/**
 * The best mixture, beside the best policy by queue length that keeps the limits as far as a local search finds one.
 *
 * @throws NothingToReturn when the budget ends before limits that clash are proved to, or are kept
 */
export function limitedTables(limited: LimitedQuestion): TableFound {
  const { question, constraints, sees } = limited;
  const { problem, queue, evaluator, memoryless, budget } = question;
  const { costs } = problem;
  const both = byBothPhases(limited);
  const tally = new Tally(costs, constraints);
  unlessStopped(null, () =>
    localOptimum({ queue, evaluator, prepared: memoryless, costs, constraints, kind: 'local', budget }, tally),
  );
  const byLevel = tally.bestPolicy(queue);
  const answer = sees === 'phases' || both.status === 'infeasible' ? both : byOnePhase(limited, both, byLevel);
  if (byLevel === null) return answer;
  const byQueueLength = { crawlersByQueueLength: countsOf(queue, byLevel), cost: tally.best };
  return { ...answer, beside: { byQueueLength, ...answer.beside } };
}

function byBothPhases({ question, constraints, start }: LimitedQuestion): TableFound {
  const { problem, evaluator, memoryless: prepared, budget } = question;
  const { costs } = problem;
  const free = bestByPhases(prepared, costs, start, budget);
  const found = bestUnderLimits({ prepared, costs, constraints, start: [free.modes], budget });
  const { name, states } = evaluator;
  const statistics = { solver: 'policy-iteration', evaluation: name, states, ...found.statistics };
  if (!found.kept) {
    const conflict = conflictOf(question, constraints);
    // A search that the time limit cut short proves no conflict.
    if (budget.stopRequested())
      throw new NothingToReturn('no table by the phases that keeps the limits had been found');
    return { status: 'infeasible', beside: {}, conflict, warnings: [], statistics };
  }
  const drawn = drawnState(question, found);
  const { totals, ...answer } = mixed(question, drawn?.mixture ?? found.mixture, found.bound);
  return {
    ...answer,
    beside: {
      ...answer.beside,
      drawnState: drawn === null ? undefined : drawnInWords(question, drawn),
      dualPrices: dualPrices(found, totals),
    },
    statistics,
  };
}

/**
 * With one phase in sight: a mixture that local search finds, and what seeing both phases would cost.
 *
 * @param byLevel thresholds that keep the limits, where some are known
 */
function byOnePhase(
  { question, constraints, start, sees }: LimitedQuestion,
  both: TableFound,
  byLevel: ModeByLevel | null,
): TableFound {
  const { problem, queue, evaluator, memoryless: prepared, budget } = question;
  const { costs } = problem;
  const groups = groupsOf(queue, sees);
  const found = bestUnderLimits({
    prepared,
    costs,
    constraints,
    start: [
      bestByOnePhase(prepared, costs, sees, start, budget).modes,
      start.modes,
      ...(byLevel === null ? [] : [modeByStateOf(queue, byLevel)]),
    ],
    budget,
    searched: searchedPricing(prepared, groups, budget),
  });
  const statistics = {
    solver: 'local-search',
    evaluation: evaluator.name,
    states: evaluator.states,
    ...found.statistics,
  };
  if (!found.kept) {
    if (budget.stopRequested()) {
      throw new NothingToReturn(`no table by the ${sees} that keeps the limits had been found`);
    }
    const conflict = {
      detail: unseenClash(constraints, sees),
      limits: reachedLimits(constraints, () => null),
      nearest: null,
    };
    return { status: 'infeasible', beside: {}, conflict, warnings: [], statistics };
  }
  const { totals, ...answer } = mixed(question, found.mixture, both.objective?.bound ?? null);
  const { value = Number.NaN, bound = null } = both.objective ?? {};
  const fullInformation = fullInformationOf(costOf(totals, costs), { cost: value, bound });
  return { ...answer, beside: { ...answer.beside, fullInformation }, statistics };
}

/** Limits that a controller which sees both phases keeps, and no mixture that was found of tables that see one. */
function unseenClash(constraints: Constraints, sees: PhaseObservation): string {
  const named = constraintNames.flatMap((name) => {
    const limit = constraints[name];
    return limit === undefined ? [] : [`${name} ≤ ${limit}`];
  });
  return (
    `no mixture of tables by the ${sees} alone was found that keeps ${named.join(', ')}; such tables are found by local ` +
    'search, so that this is not proved. A controller that sees both phases keeps them: observe "phases", or raise a limit'
  );
}

/** A mixture, measured, with the bound that is known of it. */
function mixed(question: TableQuestion, mixture: readonly MixedTable[], bound: number | null) {
  const { tables, totals, solution, warnings } = measuredTables(question, mixture);
  return {
    ...reached(costOf(totals, question.problem.costs), bound),
    solution,
    beside: { mixture: tables.length > 1 ? tables.map((one) => sharedTable(question, one)) : undefined },
    warnings,
    totals,
  };
}

function sharedTable({ problem, queue }: TableQuestion, { share, modes, totals }: MeasuredTable): SharedTable {
  const { table } = crawlersByState(queue, problem.service, modes);
  return { share, table, cost: costOf(totals, problem.costs), measures: measuresOf(totals) };
}

/** The mixture with one state left to chance, where that costs no more. */
function drawnState(question: TableQuestion, { mixture, limits, cost }: ConstrainedPolicy): MixedState | null {
  const [one, other, ...more] = mixture;
  const binding = limits.filter(({ multiplier }) => multiplier > 0);
  if (other === undefined || more.length > 0 || binding.length !== 1) return null;
  const [{ constraint }] = binding;
  const drawn = mixedState(question.queue, [one, other], (modes) =>
    constraint.relaxation.evaluate(constraint.weights, modes),
  );
  if (drawn === null) return null;
  const { totals } = measuredTables(question, drawn.mixture);
  return costOf(totals, question.problem.costs) <= cost + mixingTolerance * Math.abs(cost) ? drawn : null;
}

function drawnInWords({ problem, queue }: TableQuestion, drawn: MixedState): DrawnState {
  const m = drawn.state % queue.service.phases;
  return {
    queueLength: drawn.level,
    phases: [(drawn.state - m) / queue.service.phases, writtenPhases(problem.service)[m]],
    crawlers: queue.modes[drawn.mode].crawlers,
    probability: drawn.probability,
  };
}

/** Multipliers are of the limits' linear forms; a price is of a unit of the measure. */
function dualPrices({ limits }: ConstrainedPolicy, totals: Totals): Partial<Record<keyof Constraints, number>> {
  const arrivals = totals.lossRate + totals.obsolescenceRate + totals.successRate;
  const unitOf = (name: keyof Constraints): number => {
    if (name === 'lossProbability' || name === 'obsolescenceProbability') return arrivals;
    return name === 'responseTime' ? totals.successRate : 1;
  };
  return Object.fromEntries(limits.map(({ constraint: { name }, multiplier }) => [name, multiplier * unitOf(name)]));
}

function conflictOf(question: TableQuestion, constraints: Constraints): ThresholdPolicyConflict {
  const { memoryless, budget } = question;
  const limits = reachedLimits(constraints, (name, limit) => leastMeasure(memoryless, name, limit, budget));
  const detail = clashOfModes(limits, 'modes, phases in sight,');
  return { detail, limits, nearest: null };
}
