/** Answers for a controller that sees the phases and has limits to keep: a table, and what is left to chance. */
import { objective } from '../../answer.ts';
import type { DrawnState, SharedTable, ThresholdPolicyAnswer } from '../answer.ts';
import { clashInWords, reachedLimits, type ThresholdPolicyConflict } from '../conflict.ts';
import { type Constraints, costOf, measuresOf, type Totals } from '../model/measures.ts';
import { writtenPhases } from '../model/phase-type.ts';
import { bestUnderLimits, type ConstrainedPolicy } from './constrained-policy.ts';
import { leastMeasure } from './least-measure.ts';
import { type MeasuredTable, measuredTables, type ObservedSetting } from './measured-tables.ts';
import { type MixedState, mixedState } from './mixed-state.ts';
import { bestByPhases, type Start } from './observed-policy.ts';
import { crawlersByState } from './state-policy.ts';

/** A gap of this size counts as proved. */
const provedGap = 1e-6;
/** The most that a mixture in one state may cost beyond the best mixture. */
const mixingTolerance = 1e-9;

type Constrained = Omit<ThresholdPolicyAnswer, 'fixedModes'>;

/** @param start the best thresholds known, whether or not they keep the limits */
export function solveConstrained(setting: ObservedSetting, constraints: Constraints, start: Start): Constrained {
  const { problem, evaluator, memoryless: prepared, budget } = setting;
  const { costs } = problem;
  const free = bestByPhases(prepared, costs, start, budget);
  const found = bestUnderLimits({ prepared, costs, constraints, start: free.modes, budget });
  const { name, states } = evaluator;
  const statistics = { solver: 'policy-iteration', evaluation: name, states, ...found.statistics };
  if (!found.kept) {
    return { status: 'infeasible', conflict: conflictOf(setting, constraints), warnings: [], statistics };
  }
  const drawn = drawnState(setting, found);
  const { tables, totals, solution, warnings } = measuredTables(setting, drawn?.mixture ?? found.mixture);
  const cost = costOf(totals, costs);
  const reached = objective(cost, found.bound === null ? null : Math.min(found.bound, cost));
  return {
    status: reached.gap !== null && reached.gap <= provedGap ? 'optimal' : 'feasible',
    objective: reached,
    solution,
    ...(tables.length > 1 ? { mixture: tables.map((one) => sharedTable(setting, one)) } : {}),
    ...(drawn === null ? {} : { drawnState: drawnInWords(setting, drawn) }),
    dualPrices: dualPrices(found, totals),
    warnings,
    statistics,
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
