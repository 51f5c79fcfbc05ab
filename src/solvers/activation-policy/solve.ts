/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in activation-model.ts, the methods in policy-iteration.ts (default),
 * general-policy-iteration.ts (fall-back) and relative-value-iteration.ts (the paper's own).
 */
import { type Budget, keepingShare, NothingToReturn, unlessStopped, unlimitedBudget } from '../budget.ts';
import { checkProblem } from './checks.ts';
import { type MixedPolicy, optimiseConstrained } from './constrained/constrained-activation.ts';
import { excessOf, isLimited, weightedLimits } from './constrained/limits.ts';
import { mixedDecision } from './constrained/mixed-decision.ts';
import type { ClassMeasures } from './decisions/decision-evaluation.ts';
import { activationFront } from './front.ts';
import {
  optimiseCurve,
  optimiseUnlimited,
  type Proof,
  type Start,
  staticCurve,
} from './iteration/optimal-activation.ts';
import { evaluateTargets } from './iteration/policy-evaluation.ts';
import { iterateRelativeValues } from './iteration/relative-value-iteration.ts';
import { type ActivationModel, isNonIncreasing } from './model/activation-model.ts';
import { type DividedBudget, divideBudget } from './model/finishing-reserve.ts';
import { stateCount } from './model/model-limits.ts';
import { bestStaticCount, measureStatic } from './model/static-baseline.ts';
import { switchingCurves } from './model/switching-curve.ts';
import { readPhased, solvePhased } from './phased/solve-phased.ts';
import type { ActivationAnswer, ActivationProblem } from './problem.ts';
import { defaultTolerance, proved } from './proved.ts';
import { remarksOn } from './remarks.ts';
import { guessCrawlers } from './work.ts';

/** The paper's stopping rule and its τ. */
export const paperTolerance = 1e-5;
export const paperRelaxation = 0.99999;

/**
 * Solves or evaluates an activation problem whose numbers are in range (positive rates, K ≥ 1, N ≥ 1).
 *
 * @param near a policy for this K that is likely to be near the best, where one is known: the search begins there
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ended the evaluation of given targets
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget, near?: Start): ActivationAnswer {
  const { front, phased } = problem;
  if (phased !== undefined) {
    const read = readPhased({ ...problem, phased });
    if (read.model === null) return solveActivationPolicy(read.plain, budget, near);
    const answer = solvePhased({ ...problem, phased }, read.model, budget);
    return { ...answer, warnings: remarksOn(problem, answer) };
  }
  if (front === undefined) {
    const answer = answerOf(problem, budget, near);
    return { ...answer, warnings: remarksOn(problem, answer) };
  }
  // Half of the time for the answer, what is left for the front.
  const answer = answerOf(problem, keepingShare(budget, 1 / 2), near);
  const { points, warnings } = activationFront(modelOf(problem, answer.crawlers), front.criteria, budget);
  return { ...answer, front: points, warnings: [...remarksOn(problem, answer), ...warnings] };
}

type Found = Omit<ActivationAnswer, 'warnings'>;

function answerOf(problem: ActivationProblem, budget: Budget, near: Start | undefined): Found {
  const { capacity, targets } = problem;
  const given = checkProblem(problem);
  const tolerance = problem.algorithm === 'policy-iteration' ? problem.tolerance : undefined;
  const proof = {
    tolerance: tolerance ?? defaultTolerance,
    early: tolerance !== undefined && tolerance > defaultTolerance,
  };
  const budgets = divideBudget(budget, capacity, given ?? guessCrawlers(problem));
  if (isLimited(problem)) return constrained(problem, given, budgets);
  if (targets !== undefined && given !== undefined) return evaluated(problem, given, targets, proof, budgets);
  if (problem.algorithm === 'relative-value-iteration') return byValueIteration(problem, given, proof, budgets);
  return optimised(problem, given, { ...proof, near }, budgets);
}

/** The best policy under limits: a mixture, brought into one policy where it is one of two. */
function constrained(problem: ActivationProblem, given: number | undefined, budget: DividedBudget): Found {
  const { constraints = {}, indexingRate } = problem;
  const optimum = optimiseConstrained({ ...problem, crawlers: given }, constraints, budget.iterating);
  const { mixture, cost, bound, crawlers, dualPrices, conflict, iterations } = optimum;
  const model = modelOf(problem, crawlers);
  const binding = weightedLimits(constraints, indexingRate).find(({ name }) => (dualPrices[name] ?? 0) > 0);
  const decision =
    binding === undefined || mixture.length !== 2
      ? null
      : unlessStopped(null, () =>
          mixedDecision(
            model,
            { from: mixture[0].targets, to: mixture[1].targets },
            (averages) => excessOf(binding, averages),
            budget.finishing,
          ),
        );
  const averages = mixedAverages(mixture, cost);
  return {
    ...describe(
      problem,
      model,
      { targets: decision?.targets ?? mixture[0].targets, classes: [averages] },
      bound,
      given === undefined,
    ),
    status: conflict === null ? proved(averages.cost, bound, 1e-8) : 'infeasible',
    solver: 'column-generation',
    iterations,
    ...(mixture.length > 1 ? { mixture } : {}),
    ...(decision === null
      ? {}
      : {
          mixedDecision: {
            queueLength: decision.queueLength,
            activeCrawlers: decision.activeCrawlers,
            probability: decision.probability,
          },
        }),
    ...(conflict === null ? { dualPrices } : { conflict }),
  };
}

function mixedAverages(mixture: readonly MixedPolicy[], cost: number): ClassMeasures {
  const mean = (name: 'starvationProbability' | 'lossRate' | 'meanActive' | 'meanQueueLength'): number =>
    mixture.reduce((sum, { share, averages }) => sum + share * averages[name], 0);
  return {
    cost,
    starvationProbability: mean('starvationProbability'),
    lossRate: mean('lossRate'),
    meanActive: mean('meanActive'),
    meanQueueLength: mean('meanQueueLength'),
    minActive: Math.min(...mixture.map(({ averages }) => averages.minActive)),
    maxActive: Math.max(...mixture.map(({ averages }) => averages.maxActive)),
  };
}

function modelOf(problem: ActivationProblem, crawlers: number): ActivationModel {
  const { crawlerRate, indexingRate, capacity, starvationWeight, crawlerCost } = problem;
  return { crawlerRate, indexingRate, capacity, crawlers, starvationWeight, crawlerCost };
}

/**
 * Of a problem near one that was solved, no more is proved than is asked for; half of it, for the rounding of the
 * averages.
 */
function nearby({ tolerance }: Proof): Proof {
  return { tolerance: tolerance / 2, early: true, sharp: tolerance / 2 };
}

function optimised(
  problem: ActivationProblem,
  given: number | undefined,
  { near, ...proof }: Proof & { readonly near: Start | undefined },
  budget: DividedBudget,
): Found {
  const optimum =
    given === undefined
      ? optimiseUnlimited(problem, proof.tolerance, budget.iterating, near)
      : optimiseCurve(
          modelOf(problem, given),
          near === undefined ? proof : nearby(proof),
          budget.iterating,
          near && { ...near, curve: near.curve.map((target) => Math.min(target, given)) },
        );
  const { model } = optimum;
  const measured = measureIncumbent(model, optimum.curve, optimum.converged, budget);
  const bound = Number.isFinite(optimum.bound) ? Math.min(optimum.bound, measured.classes[0].cost) : null;
  return {
    ...describe(problem, model, measured, bound, given === undefined),
    status: proved(measured.classes[0].cost, bound, proof.tolerance),
    ...(optimum.switchPoints && { switchPoints: optimum.switchPoints }),
    ...(optimum.allowance && { allowance: optimum.allowance }),
    solver: optimum.method,
    iterations: optimum.iterations,
  };
}

function byValueIteration(
  problem: ActivationProblem,
  given: number | undefined,
  proof: Proof,
  budget: DividedBudget,
): Found {
  const crawlers = given ?? optimiseUnlimited(problem, proof.tolerance, budget.iterating).model.crawlers;
  const model = modelOf(problem, crawlers);
  const tolerance = problem.tolerance ?? paperTolerance;
  const outcome = iterateRelativeValues(model, tolerance, problem.relaxation ?? paperRelaxation, budget.iterating);
  const measured = measureIncumbent(model, outcome.targets, outcome.converged, budget);
  const cost = measured.classes[0].cost;
  const { lower, upper } = outcome.bounds;
  const bound = Number.isFinite(lower) ? Math.min(Math.max(0, lower), cost) : null;
  return {
    ...describe(problem, model, measured, bound, given === undefined),
    status: proved(cost, bound, tolerance),
    solver: 'relative-value-iteration',
    iterations: outcome.iterations,
    valueIteration: {
      estimate: outcome.estimate,
      upperBound: Number.isFinite(upper) ? upper : null,
      ruleMet: outcome.converged,
    },
  };
}

function evaluated(
  problem: ActivationProblem,
  crawlers: number,
  targets: Int32Array,
  proof: Proof,
  budget: DividedBudget,
): Found {
  const model = modelOf(problem, crawlers);
  try {
    const { classes } = evaluateTargets(model, targets, budget.finishing);
    // What the best policy would cost says how much there is to gain.
    const start = isNonIncreasing(targets) ? { curve: targets } : undefined;
    const optimum = optimiseCurve(model, proof, budget.iterating, start);
    const bound = Number.isFinite(optimum.bound) ? Math.min(optimum.bound, classes[0].cost) : null;
    return {
      ...describe(problem, model, { targets, classes }, bound, false),
      status: 'evaluated',
      solver: isNonIncreasing(targets) ? 'row-elimination' : 'banded-elimination',
      iterations: optimum.iterations,
    };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    throw new NothingToReturn('the targets had not been evaluated');
  }
}

interface Measured {
  readonly targets: Int32Array;
  readonly classes: readonly [ClassMeasures, ...ClassMeasures[]];
}

/**
 * The averages of the policy found. The reserve usually covers this last pass, which is then made whatever the clock
 * says; where it does not, a stop leaves the best static policy, whose averages are known in closed form.
 */
function measureIncumbent(
  model: ActivationModel,
  targets: Int32Array,
  converged: boolean,
  { finishing, coversLastPass }: DividedBudget,
): Measured {
  const best = bestStaticCount(model, model.crawlers);
  const unstopped = coversLastPass && isNonIncreasing(targets);
  if (converged || unstopped) {
    try {
      const { classes } = evaluateTargets(model, targets, unstopped ? unlimitedBudget(finishing.seed) : finishing);
      if (converged || classes[0].cost <= best.cost) return { targets, classes };
    } catch (error) {
      if (!(error instanceof NothingToReturn)) throw error;
    }
  }
  const measures = measureStatic(model, best.crawlers);
  return {
    targets: staticCurve(model.capacity, best.crawlers),
    classes: [{ ...measures, minActive: best.crawlers, maxActive: best.crawlers }],
  };
}

function describe(
  problem: ActivationProblem,
  model: ActivationModel,
  { targets, classes }: Measured,
  bound: number | null,
  unlimited: boolean,
): Omit<Found, 'status' | 'solver' | 'iterations'> {
  const { cost } = classes[0];
  const baseline = bestStaticCount(problem, unlimited ? undefined : model.crawlers);
  const improvement = (baseline.cost - cost) / cost;
  return {
    cost,
    bound,
    crawlers: model.crawlers,
    targets,
    maxActivating: targets.reduce((a, b) => Math.max(a, b)) - 1,
    classes,
    curves: switchingCurves(targets, model.crawlers),
    baseline,
    relativeImprovement: Number.isFinite(improvement) ? improvement : null,
    states: stateCount(model.capacity, model.crawlers),
  };
}
