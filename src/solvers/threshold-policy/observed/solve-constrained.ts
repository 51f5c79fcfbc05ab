/**
 * Answers for a controller that sees phases and has limits to keep: tables mixed in time, and what is left to chance.
 */
import { objective } from '../../answer.ts';
import { NothingToReturn } from '../../budget.ts';
import type { DrawnState, SharedTable, ThresholdPolicyAnswer } from '../answer.ts';
import { clashInWords, reachedLimits, type ThresholdPolicyConflict } from '../conflict.ts';
import { type Constraints, costOf, measuresOf, type Totals } from '../model/measures.ts';
import { writtenPhases } from '../model/phase-type.ts';
import type { ModeByLevel } from '../model/queue.ts';
import { bestUnderLimits, type ConstrainedPolicy } from './constrained-policy.ts';
import { leastMeasure } from './least-measure.ts';
import { type MeasuredTable, type MixedTable, measuredTables, type ObservedSetting } from './measured-tables.ts';
import { type MixedState, mixedState } from './mixed-state.ts';
import { bestByPhases, type Start } from './observed-policy.ts';
import { groupsOf, type Sight } from './partial-policy.ts';
import { bestByOnePhase } from './searched-policy.ts';
import { crawlersByState, modeByStateOf } from './state-policy.ts';
import { searchedPricing } from './table-pricing.ts';

/** A gap of this size counts as proved. */
const provedGap = 1e-6;
/** The most that a mixture in one state may cost beyond the best mixture. */
const mixingTolerance = 1e-9;

type Constrained = Omit<ThresholdPolicyAnswer, 'fixedModes'>;

/**
 * @param start the best thresholds known, whether or not they keep the limits
 * @throws NothingToReturn when the budget ends before limits that clash are proved to, or are kept
 */
export function solveConstrained(setting: ObservedSetting, constraints: Constraints, start: Start): Constrained {
  const { problem, evaluator, memoryless: prepared, budget } = setting;
  const { costs } = problem;
  const free = bestByPhases(prepared, costs, start, budget);
  const found = bestUnderLimits({ prepared, costs, constraints, start: [free.modes], budget });
  const { name, states } = evaluator;
  const statistics = { solver: 'policy-iteration', evaluation: name, states, ...found.statistics };
  if (!found.kept) {
    const conflict = conflictOf(setting, constraints);
    // A search that the time limit cut short proves no conflict.
    if (budget.stopRequested())
      throw new NothingToReturn('no table by the phases that keeps the limits had been found');
    return { status: 'infeasible', conflict, warnings: [], statistics };
  }
  const drawn = drawnState(setting, found);
  const { totals, ...answer } = mixed(setting, drawn?.mixture ?? found.mixture, found.bound);
  return {
    ...answer,
    ...(drawn === null ? {} : { drawnState: drawnInWords(setting, drawn) }),
    dualPrices: dualPrices(found, totals),
    statistics,
  };
}

/** With one phase in sight: a mixture that local search finds, and what seeing both phases would cost. */
export function solveByOnePhase({
  setting,
  constraints,
  start,
  sees,
  byLevel,
}: {
  readonly setting: ObservedSetting;
  readonly constraints: Constraints;
  /** The best thresholds known, whether or not they keep the limits. */
  readonly start: Start;
  readonly sees: Sight;
  /** Thresholds that keep the limits, where some are known. */
  readonly byLevel: ModeByLevel | null;
}): Constrained {
  const { problem, queue, evaluator, memoryless: prepared, budget } = setting;
  const { costs } = problem;
  const both = solveConstrained(setting, constraints, start);
  if (both.status === 'infeasible') return both;
  const groups = groupsOf(queue, sees);
  const found = bestUnderLimits({
    prepared,
    costs,
    constraints,
    start: [
      bestByOnePhase(prepared, costs, sees, start, budget).modes,
      ...(byLevel === null ? [] : [modeByStateOf(queue, byLevel)]),
    ],
    budget,
    searched: searchedPricing(prepared, groups, budget),
  });
  if (!found.kept) throw new NothingToReturn(`no table by the ${sees} that keeps the limits had been found`);
  const { totals: _, ...answer } = mixed(setting, found.mixture, both.objective?.bound ?? null);
  const { name, states } = evaluator;
  return {
    ...answer,
    fullInformationCost: both.objective?.value ?? null,
    statistics: { solver: 'local-search', evaluation: name, states, ...found.statistics },
  };
}

/** A mixture, measured, with the bound that is known of it. */
function mixed(setting: ObservedSetting, mixture: readonly MixedTable[], bound: number | null) {
  const { tables, totals, solution, warnings } = measuredTables(setting, mixture);
  const cost = costOf(totals, setting.problem.costs);
  const reached = objective(cost, bound === null ? null : Math.min(bound, cost));
  const status: Constrained['status'] = reached.gap !== null && reached.gap <= provedGap ? 'optimal' : 'feasible';
  return {
    status,
    objective: reached,
    solution,
    ...(tables.length > 1 ? { mixture: tables.map((one) => sharedTable(setting, one)) } : {}),
    warnings,
    totals,
  };
}

function sharedTable({ problem, queue }: ObservedSetting, { share, modes, totals }: MeasuredTable): SharedTable {
  const { table } = crawlersByState(queue, problem.service, modes);
  return { share, table, cost: costOf(totals, problem.costs), measures: measuresOf(totals) };
}

/** The mixture with one state left to chance, where that costs no more. */
function drawnState(setting: ObservedSetting, { mixture, limits, cost }: ConstrainedPolicy): MixedState | null {
  const [one, other, ...more] = mixture;
  const binding = limits.filter(({ multiplier }) => multiplier > 0);
  if (other === undefined || more.length > 0 || binding.length !== 1) return null;
  const [{ constraint }] = binding;
  const drawn = mixedState(setting.queue, [one, other], (modes) =>
    constraint.relaxation.evaluate(constraint.weights, modes),
  );
  if (drawn === null) return null;
  const { totals } = measuredTables(setting, drawn.mixture);
  return costOf(totals, setting.problem.costs) <= cost + mixingTolerance * Math.abs(cost) ? drawn : null;
}

function drawnInWords({ problem, queue }: ObservedSetting, drawn: MixedState): DrawnState {
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

function conflictOf({ memoryless, budget }: ObservedSetting, constraints: Constraints): ThresholdPolicyConflict {
  const limits = reachedLimits(constraints, (name, limit) => leastMeasure(memoryless, name, limit, budget));
  const detail = clashInWords(limits, { policies: 'modes, phases in sight,', looked: '' });
  return { detail, limits, nearest: null };
}
