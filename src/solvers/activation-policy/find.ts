/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in activation-model.ts, the methods in policy-iteration.ts and, where the optimum is no
 * switching curve, general-policy-iteration.ts.
 */
import { type Budget, keepingShare, NothingToReturn, unlessStopped, unlimitedBudget } from '../budget.ts';
import { checkProblem } from './checks.ts';
import { evaluateTargets } from './evaluate/policy-evaluation.ts';
import { optimiseCurve, optimiseUnlimited, staticCurve } from './iterate/optimal-activation.ts';
import { mixedAverages, optimiseConstrained } from './limits/constrained-activation.ts';
import { activationFront } from './limits/front.ts';
import { excessOf, isLimited, weightedLimits } from './limits/limits.ts';
import { mixedDecision } from './limits/mixed-decision.ts';
import { type ActivationModel, type ClassMeasures, isNonIncreasing } from './model/activation-model.ts';
import { type DividedBudget, divideBudget } from './model/finishing-reserve.ts';
import { stateCount } from './model/model-limits.ts';
import { bestStaticCount, measureStatic } from './model/static-baseline.ts';
import { switchingCurves } from './model/switching-curve.ts';
import { readPhased, solvePhased } from './observed/solve-phased.ts';
import { defaultTolerance, proved } from './proved.ts';
import { remarksOn } from './remarks.ts';
import type { ActivationOutcome, ActivationTask } from './task.ts';
import { guessCrawlers } from './work.ts';

/**
 * Solves or evaluates an activation problem whose numbers are in range (positive rates, K ≥ 1, N ≥ 1).
 *
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ended the evaluation of given targets
 */
export function findActivation(problem: ActivationTask, budget: Budget): ActivationOutcome {
  const { front, phased } = problem;
  if (phased !== undefined) {
    const read = readPhased({ ...problem, phased });
    if (read.model === null) return findActivation(read.plain, budget);
    const answer = solvePhased({ ...problem, phased }, read.model, budget);
    return { ...answer, warnings: remarksOn(answer) };
  }
  if (front === undefined) {
    const answer = answerOf(problem, budget);
    return { ...answer, warnings: remarksOn(answer) };
  }
  // Half of the time for the answer, what is left for the front.
  const answer = answerOf(problem, keepingShare(budget, 1 / 2));
  const { points, warnings } = activationFront(modelOf(problem, answer.crawlers), front.criteria, budget);
  return { ...answer, front: points, warnings: [...remarksOn(answer), ...warnings] };
}

type Found = Omit<ActivationOutcome, 'warnings'>;

function answerOf(problem: ActivationTask, budget: Budget): Found {
  const { capacity, targets } = problem;
  const given = checkProblem(problem);
  const budgets = divideBudget(budget, capacity, given ?? guessCrawlers(problem));
  if (isLimited(problem)) return constrained(problem, given, budgets);
  if (targets !== undefined && given !== undefined) return evaluated(problem, given, targets, budgets);
  return optimised(problem, given, budgets);
}

/** The best policy under limits: a mixture, brought into one policy where it is one of two. */
function constrained(problem: ActivationTask, given: number | undefined, budget: DividedBudget): Found {
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

function modelOf(problem: ActivationTask, crawlers: number): ActivationModel {
  const { crawlerRate, indexingRate, capacity, starvationWeight, crawlerCost } = problem;
  return { crawlerRate, indexingRate, capacity, crawlers, starvationWeight, crawlerCost };
}

function optimised(problem: ActivationTask, given: number | undefined, budget: DividedBudget): Found {
  const optimum =
    given === undefined
      ? optimiseUnlimited(problem, defaultTolerance, budget.iterating)
      : optimiseCurve(modelOf(problem, given), { tolerance: defaultTolerance }, budget.iterating);
  const { model } = optimum;
  const measured = measureIncumbent(model, optimum.curve, optimum.converged, budget);
  const bound = Number.isFinite(optimum.bound) ? Math.min(optimum.bound, measured.classes[0].cost) : null;
  return {
    ...describe(problem, model, measured, bound, given === undefined),
    status: proved(measured.classes[0].cost, bound, defaultTolerance),
    solver: optimum.method,
    iterations: optimum.iterations,
  };
}

function evaluated(problem: ActivationTask, crawlers: number, targets: Int32Array, budget: DividedBudget): Found {
  const model = modelOf(problem, crawlers);
  try {
    const { classes } = evaluateTargets(model, targets, budget.finishing);
    // What the best policy would cost says how much there is to gain.
    const start = isNonIncreasing(targets) ? targets : undefined;
    const optimum = optimiseCurve(model, { tolerance: defaultTolerance, start }, budget.iterating);
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
 * says. Where it does not, a stop leaves the best static policy, whose averages are known in closed form.
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
  problem: ActivationTask,
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
