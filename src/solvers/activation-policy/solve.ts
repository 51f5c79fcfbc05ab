/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in activation-model.ts, the methods in policy-iteration.ts and, where the optimum is no
 * switching curve, general-policy-iteration.ts.
 */
import { type Budget, NothingToReturn, unlessStopped, unlimitedBudget } from '../budget.ts';
import { type ActivationPolicyAnswer, activationAnswer, defaultTolerance, type Solved } from './answer.ts';
import { checkProblem } from './checks.ts';
import { evaluateTargets } from './evaluate/policy-evaluation.ts';
import { optimiseCurve, optimiseUnlimited, staticCurve } from './iterate/optimal-activation.ts';
import { mixedAverages, optimiseConstrained } from './limits/constrained-activation.ts';
import { excessOf, isLimited, weightedLimits } from './limits/limits.ts';
import { mixedDecision } from './limits/mixed-decision.ts';
import { type ActivationModel, isNonIncreasing, type OpenModel } from './model/activation-model.ts';
import { type DividedBudget, divideBudget } from './model/finishing-reserve.ts';
import { stateCount } from './model/model-limits.ts';
import { bestStaticCount, measureStatic } from './model/static-baseline.ts';
import { type ActivationProblem, modelOf, targetsOf } from './problem.ts';
import { guessCrawlers } from './work.ts';

/**
 * The best policy, or what the caller's own does; numbers are in range (positive rates, K ≥ 1, N ≥ 1).
 *
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ended the evaluation of given targets
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget): ActivationPolicyAnswer {
  return activationAnswer(solved(problem, modelOf(problem), budget), problem.costs.loss);
}

/** What a mode finds: what is the same in all of them is added from the model. */
type ModeAnswer = Omit<Solved, 'baseline' | 'crawlers' | 'states'> & { readonly model: ActivationModel };

function solved(problem: ActivationProblem, open: OpenModel, budget: Budget): Solved {
  const { capacity } = problem;
  const given = checkProblem(problem, open);
  const targets = targetsOf(problem);
  const budgets = divideBudget(budget, capacity, given ?? guessCrawlers(open));
  const { model, ...found } = isLimited(problem)
    ? constrained(problem, open, given, budgets)
    : targets !== undefined && given !== undefined
      ? evaluated({ ...open, crawlers: given }, targets, budgets)
      : optimised(open, given, budgets);
  return {
    ...found,
    crawlers: model.crawlers,
    baseline: bestStaticCount(open, given === undefined ? undefined : model.crawlers),
    states: stateCount(capacity, model.crawlers),
  };
}

/** The best policy under limits: a mixture, brought into one policy where it is one of two. */
function constrained(
  { constraints = {} }: ActivationProblem,
  open: OpenModel,
  given: number | undefined,
  budget: DividedBudget,
): ModeAnswer {
  const optimum = optimiseConstrained({ ...open, crawlers: given }, constraints, budget.iterating);
  const { mixture, cost, bound, crawlers, dualPrices, conflict, iterations } = optimum;
  const model = { ...open, crawlers };
  const binding = weightedLimits(constraints, open.indexingRate).find(({ name }) => (dualPrices[name] ?? 0) > 0);
  const found =
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
  const { targets, ...decision } = found ?? mixture[0];
  return {
    model,
    targets,
    classes: [mixedAverages(mixture, cost)],
    bound,
    judged: conflict === null ? 1e-8 : 'infeasible',
    solver: 'column-generation',
    iterations,
    ...(mixture.length > 1 ? { mixture } : {}),
    ...('probability' in decision && { mixedDecision: decision }),
    ...(conflict === null ? {} : { conflict }),
  };
}

function optimised(open: OpenModel, given: number | undefined, budget: DividedBudget): ModeAnswer {
  const optimum =
    given === undefined
      ? optimiseUnlimited(open, defaultTolerance, budget.iterating)
      : optimiseCurve({ ...open, crawlers: given }, { tolerance: defaultTolerance }, budget.iterating);
  const { model, curve, converged, bound, method, iterations } = optimum;
  const measured = measureIncumbent(model, curve, converged, budget);
  return { model, ...measured, bound, judged: defaultTolerance, solver: method, iterations };
}

function evaluated(model: ActivationModel, targets: Int32Array, budget: DividedBudget): ModeAnswer {
  const falling = isNonIncreasing(targets);
  try {
    const classes = evaluateTargets(model, targets, budget.finishing);
    // What the best policy would cost says how much there is to gain.
    const search = { tolerance: defaultTolerance, start: falling ? targets : undefined };
    const { bound, iterations } = optimiseCurve(model, search, budget.iterating);
    const solver = falling ? 'row-elimination' : 'banded-elimination';
    return { model, targets, classes, bound, judged: 'evaluated', solver, iterations };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    throw new NothingToReturn('the targets had not been evaluated');
  }
}

/**
 * The averages of the policy found. The reserve usually covers this last pass; it is then made whatever the clock says.
 * Where it does not, a stop leaves the best static policy, whose averages are known in closed form.
 */
function measureIncumbent(
  model: ActivationModel,
  targets: Int32Array,
  converged: boolean,
  { finishing, coversLastPass }: DividedBudget,
): Pick<Solved, 'targets' | 'classes'> {
  const best = bestStaticCount(model, model.crawlers);
  const unstopped = coversLastPass && isNonIncreasing(targets);
  if (converged || unstopped) {
    try {
      const classes = evaluateTargets(model, targets, unstopped ? unlimitedBudget(finishing.seed) : finishing);
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
