/**
 * Threshold policy: how many crawlers should be active at each length of the queue in front of the indexing engine.
 *
 * Model: see queue.ts (batch Markovian arrivals by mode, phase-type service and obsolescence, finite buffer) and
 * measures.ts (cost). The optimum is over all policies whose activity does not rise with the queue length, for all
 * subsets of the modes, proved as search.ts says; or the caller's own policy is evaluated.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), with the corrections listed in docs/threshold-policy.md.
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { type FixedMode, type PolicySolution, policySolution, type Subset, subsetTable } from './answer.ts';
import { fullInformationCost } from './bounds/relaxation-bound.ts';
import { type Conflict, conflictOf } from './conflict.ts';
import { chooseEvaluator } from './evaluation/choose-evaluator.ts';
import { type Evaluator, remembering } from './evaluation/evaluator.ts';
import { assembleQueue } from './model/assemble.ts';
import {
  type Constraints,
  type CostWeights,
  constraintNames,
  costOf,
  measuresOf,
  type ResponseQuantile,
  violations,
} from './model/measures.ts';
import { policyOf, type WrittenPolicy } from './model/policy-input.ts';
import {
  fixedMode,
  isMonotone,
  type ModeByLevel,
  type Notice,
  type Queue,
  type QueueDescription,
} from './model/queue.ts';
import { type SearchKind, type SearchResult, search } from './search/search.ts';

export interface ThresholdPolicyProblem extends QueueDescription {
  readonly costs: CostWeights;
  readonly constraints?: Constraints | undefined;
  /** Evaluate this policy instead of searching. */
  readonly policy?: WrittenPolicy | undefined;
  /** Probabilities at which quantiles of the response time are wanted, each in (0, 1). */
  readonly quantiles?: readonly number[] | undefined;
  readonly search?: SearchKind | undefined;
}

export interface ThresholdPolicyAnswer {
  readonly status: 'optimal' | 'feasible' | 'infeasible' | 'evaluated';
  readonly cost?: number;
  readonly bound?: number | null;
  readonly solution?: PolicySolution;
  readonly fixedModes: readonly FixedMode[];
  readonly subsets?: readonly Subset[];
  /** 1 − C* / (best fixed mode that keeps the limits); null when no fixed mode does. */
  readonly relativeProfit?: number | null;
  /** Cost of the best policy that may see the phases too; null where it is not computed. */
  readonly fullInformationCost?: number | null;
  readonly conflict?: Conflict;
  readonly notices: readonly Notice[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, number | string>>;
}

/** A gap of this size counts as proved. */
export const provedGap = 1e-6;
/** The subsets table has 2^N − N − 1 rows; it is given up to this many modes. */
const mostSubsetModes = 12;

/**
 * Solves, or evaluates, one problem.
 *
 * @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends before any policy is measured
 */
export function solveThresholdPolicy(problem: ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  const { queue, notices } = assembleQueue(problem);
  const { evaluator: fresh, prepared } = chooseEvaluator(queue, budget);
  const evaluator = remembering(fresh);
  const constraints = limitsOf(problem.constraints);
  if (problem.policy !== undefined) return evaluated(problem, queue, evaluator, constraints, notices, budget);
  const found = search({
    queue,
    evaluator,
    prepared,
    costs: problem.costs,
    constraints,
    kind: problem.search ?? 'auto',
    budget,
  });
  const fixedModes = measureFixedModes(queue, evaluator, problem.costs);
  const statistics = {
    solver: found.solver,
    evaluation: evaluator.name,
    states: evaluator.states,
    ...found.statistics,
  };
  if (found.byLevel === null) {
    if (!found.enumerated && found.bound !== Number.POSITIVE_INFINITY) {
      throw new NothingToReturn('no policy that keeps the limits had been found, nor a proof that there is none');
    }
    return {
      status: 'infeasible',
      fixedModes,
      conflict: conflictOf(queue, constraints ?? {}, found.tally, found.enumerated),
      notices,
      statistics,
    };
  }
  const totals = evaluator.evaluate(found.byLevel);
  const cost = costOf(totals, problem.costs);
  const quantiles = quantilesOf(evaluator, found.byLevel, problem, budget, notices);
  const proved = found.bound !== null && relativeGap(cost, found.bound) <= provedGap;
  notices.push(...remarks(queue, found, found.byLevel));
  const measures = { ...measuresOf(totals), ...quantiles };
  const informed = prepared !== null && queue.discipline === 'fifo' && constraints === null;
  return {
    status: proved ? 'optimal' : 'feasible',
    cost,
    // Enumeration and evaluation round differently in the last bits: a bound never stands above the value it bounds.
    bound: found.bound === null ? null : Math.min(found.bound, cost),
    solution: policySolution(queue, found.byLevel, measures),
    fixedModes,
    ...(found.enumerated && queue.modes.length <= mostSubsetModes
      ? { subsets: subsetTable(queue, found.tally.byModes) }
      : {}),
    relativeProfit: relativeProfit(cost, fixedModes, constraints),
    fullInformationCost:
      informed && !budget.stopRequested() ? fullInformationCost(prepared, problem.costs, budget) : null,
    notices,
    statistics,
  };
}

function limitsOf(constraints: Constraints | undefined): Constraints | null {
  if (constraints === undefined) return null;
  return constraintNames.some((name) => constraints[name] !== undefined) ? constraints : null;
}

function evaluated(
  problem: ThresholdPolicyProblem,
  queue: Queue,
  evaluator: Evaluator,
  constraints: Constraints | null,
  notices: Notice[],
  budget: Budget,
): ThresholdPolicyAnswer {
  const byLevel = policyOf(queue, problem.policy ?? { thresholds: [] });
  if (!isMonotone(queue, byLevel)) {
    notices.push({
      code: 'policy-not-monotone',
      detail: 'more crawlers are active at some longer queue: the policy has no thresholds; it was evaluated as it is',
      path: ['policy', 'crawlersByQueueLength'],
    });
  }
  const totals = evaluator.evaluate(byLevel);
  const plain = measuresOf(totals);
  for (const { name } of violations(plain, constraints ?? {})) {
    notices.push({
      code: 'limit-exceeded',
      detail: `the policy has ${name} ${plain[name]}, above the limit ${constraints?.[name]}`,
      path: ['constraints', name],
    });
  }
  const measures = { ...plain, ...quantilesOf(evaluator, byLevel, problem, budget, notices) };
  const cost = costOf(totals, problem.costs);
  const fixedModes = measureFixedModes(queue, evaluator, problem.costs);
  return {
    status: 'evaluated',
    cost,
    bound: null,
    solution: policySolution(queue, byLevel, measures),
    fixedModes,
    relativeProfit: relativeProfit(cost, fixedModes, constraints),
    notices,
    statistics: { solver: evaluator.name, evaluation: evaluator.name, states: evaluator.states },
  };
}

/** The quantiles asked for; a notice instead when the budget ends first. */
function quantilesOf(
  evaluator: Evaluator,
  byLevel: ModeByLevel,
  { quantiles }: ThresholdPolicyProblem,
  budget: Budget,
  notices: Notice[],
): { readonly responseQuantiles?: readonly ResponseQuantile[] } {
  if (quantiles === undefined) return {};
  try {
    return { responseQuantiles: evaluator.quantiles(byLevel, quantiles, budget) };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    notices.push({
      code: 'quantiles-not-computed',
      detail:
        'the time limit ended before the quantiles of the response time were computed; the rest of the answer is complete',
      path: ['quantiles'],
    });
    return {};
  }
}

/** Cost and measures with one mode always on. Stops with the budget: what was not measured is left out. */
function measureFixedModes(queue: Queue, evaluator: Evaluator, costs: CostWeights): FixedMode[] {
  const fixed: FixedMode[] = [];
  for (const [mode, { crawlers }] of queue.modes.entries()) {
    try {
      const totals = evaluator.evaluate(fixedMode(queue, mode));
      fixed.push({ crawlers, cost: costOf(totals, costs), measures: measuresOf(totals) });
    } catch (error) {
      if (error instanceof NothingToReturn) break;
      throw error;
    }
  }
  return fixed;
}

function relativeProfit(cost: number, fixed: readonly FixedMode[], constraints: Constraints | null): number | null {
  const keeping = fixed.filter(({ measures }) => violations(measures, constraints ?? {}).length === 0);
  if (keeping.length === 0) return null;
  const best = Math.min(...keeping.map((mode) => mode.cost));
  return best > 0 ? 1 - cost / best : 0;
}

/** Ties, and an optimum on the edge of what was searched. */
function remarks(queue: Queue, found: SearchResult, byLevel: ModeByLevel): Notice[] {
  const notices: Notice[] = [];
  const { capacity, modes } = queue;
  if (found.tally.ties > 1) {
    notices.push({
      code: 'ties',
      detail: `${found.tally.ties} policies cost the same to 12 digits; one of them is returned`,
    });
  }
  const [first, last] = [byLevel[0], byLevel[capacity]];
  if (modes.length > 1 && last === modes.length - 1) {
    notices.push({
      code: 'optimum-on-edge',
      detail: `all ${modes[last].crawlers} crawlers, the most offered, stay active whatever the queue length: more crawlers may do better still`,
      path: ['arrivals'],
    });
  } else if (modes.length > 1 && first === 0) {
    notices.push({
      code: 'optimum-on-edge',
      detail: `${modes[0].crawlers} crawlers, the fewest offered, are active whatever the queue length: fewer may do better still`,
      path: ['arrivals'],
    });
  }
  if (first !== last && byLevel[capacity - 1] !== last) {
    notices.push({
      code: 'optimum-on-edge',
      detail: `crawlers are still switched off at the last queue length, ${capacity}: a larger capacity may do better`,
      path: ['capacity'],
    });
  }
  return notices;
}
