/**
 * The activation policy of the model of phased-model.ts: for a controller that sees the phases by policy iteration,
 * with proof. For one that sees the queue's length alone it is found by local search, with the bound of seeing the
 * phases. The caller's own targets are evaluated instead where given.
 */
import { relativeGap } from '../../answer.ts';
import { type Budget, NothingToReturn, unlessStopped } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { writtenPhases } from '../../queue/index.ts';
import { defaultTolerance, type Solved } from '../answer.ts';
import { configurationCount } from '../evaluate/chain/configurations.ts';
import { estimateBand, type PhasedChain, phasedChain } from '../evaluate/chain/phased-chain.ts';
import { ChainEvaluator, type PhasedDecisions, type PhasedEvaluation } from '../evaluate/chain/phased-evaluation.ts';
import { decisionsOfTargets, targetsOfDecisions } from '../evaluate/chain/plain-chain.ts';
import { type GeneralOutcome, iterateDecisions } from '../iterate/general-policy-iteration.ts';
import { staticCurve, straightLine } from '../iterate/optimal-activation.ts';
import type { OpenModel } from '../model/activation-model.ts';
import { maxBandEntries, maxPhasedStates } from '../model/model-limits.ts';
import { assemblePhased, isPhased, type PhasedModel } from '../model/phased-model.ts';
import { type ActivationProblem, givenCrawlers, modelOf, phasedOf, targetsOf } from '../problem.ts';
import { shownDecisions, shownTargets } from './state-tables.ts';
import { bestPhasedCount, type StaticCount } from './static-count.ts';
import { type EvaluatedTargets, improveTargets, nearestTargets } from './targets-search.ts';

/** Evaluations of a search among targets, at most: where targets are the answer, and where they stand beside it. */
const mostEvaluations = 100;
const mostBeside = 30;
/** Costs that differ by less than this share are the same to rounding. */
const sameCost = 1e-11;

/** The model in phases, or by two rates. */
type ReadModel =
  | { readonly phased: PhasedModel; readonly plain?: undefined }
  | { readonly phased?: undefined; readonly plain: OpenModel };

/**
 * The model of a problem: that by two rates also where it is so under another name (exponential times, single pages).
 *
 * @throws ConditionNotMet for what is no law or process, where crawlers are missing, and where the chain is too large
 */
export function readModel(problem: ActivationProblem): ReadModel {
  const plain = modelOf(problem);
  const described = phasedOf(problem);
  if (described === null) return { plain };
  const crawlers = givenCrawlers(problem);
  const model = assemblePhased({ ...plain, crawlers: crawlers ?? 1 }, described);
  if (!isPhased(model)) {
    return { plain: { ...plain, crawlerRate: model.process.pageRate, indexingRate: model.serviceRate } };
  }
  if (crawlers === undefined) {
    const message =
      'is missing: with indexing in phases, batches or correlated arrivals give how many crawlers there are';
    throw new ConditionNotMet(['crawlers'], 'crawlers-missing', message);
  }
  checkAlone(problem);
  const states = (model.capacity + 1) * configurationCount(crawlers, model.process.phases) * model.service.phases;
  if (states > maxPhasedStates || estimateBand(model) > maxBandEntries) {
    const message =
      `${crawlers} crawlers, capacity ${model.capacity}, ${model.process.phases} phases of a crawler and ` +
      `${model.service.phases} of indexing make a chain of ${states} states with a band of ${estimateBand(model)} numbers; ` +
      `at most ${maxPhasedStates} and ${maxBandEntries} are accepted. Give fewer crawlers, less capacity or fewer phases`;
    throw new ConditionNotMet(['crawlers'], 'too-large', message);
  }
  return { phased: model };
}

/** Why these stay with the plain model. */
const plainAlone = {
  constraints:
    'what keeps limits best is a mixture of two tables, or one decision of a table left to chance, which is not searched ' +
    'for: sweep the price of what is limited, and take the policy that keeps the limit',
  front:
    'its policies would be tables, of which neighbours differ in a decision or two: sweep starvationWeight or crawlerCost, ' +
    'which answers the policies of the front at the prices that are given',
} as const;

/** @throws ConditionNotMet for what is solved for the plain model alone */
function checkAlone({ constraints, front }: ActivationProblem): void {
  const foreign = constraints !== undefined ? 'constraints' : front !== undefined ? 'front' : null;
  if (foreign === null) return;
  const message = `does not go with indexing in phases, batches or correlated arrivals: ${plainAlone[foreign]}`;
  throw new ConditionNotMet([foreign], 'not-applicable', message);
}

/** Elementary steps: a dozen evaluations of the chain, and those of the search among targets. */
export function estimatePhasedWork(model: PhasedModel, observe: ActivationProblem['observe']): number {
  const states = (model.capacity + 1) * configurationCount(model.crawlers, model.process.phases) * model.service.phases;
  const bandwidth = estimateBand(model) / states / 2;
  const evaluations = 12 + (observe === 'phases' ? mostBeside : mostEvaluations);
  return evaluations * (states * bandwidth ** 2 + 100 * states);
}

/** @throws NothingToReturn when the budget ended before one policy was evaluated */
export function solvePhased(problem: ActivationProblem, model: PhasedModel, budget: Budget): Solved {
  const baseline = bestPhasedCount(model, budget);
  if (baseline === null) throw new NothingToReturn('no policy had been evaluated');
  const chain = phasedChain(model, { fewest: 0, most: model.crawlers });
  const seen = { problem, chain, evaluator: new ChainEvaluator(chain), baseline };
  const targets = targetsOf(problem);
  if (targets !== undefined) return evaluated(seen, targets, budget);
  const line = straightLine(asPlain(model), baseline.crawlers);
  const optimum = iterateDecisions(chain, decisionsOfTargets(chain, line), budget);
  const { phases } = model.service;
  // Where nothing but the queue and the active crawlers can be seen, both controllers see everything.
  const hidden = phases > 1 || model.process.phases > 1;
  if (problem.observe === 'phases' && hidden) return byPhases(seen, optimum, budget);
  return byQueueLength(seen, optimum, budget);
}

interface Setting {
  readonly problem: ActivationProblem;
  readonly chain: PhasedChain;
  readonly evaluator: ChainEvaluator;
  readonly baseline: StaticCount;
}

/** What every answer says. */
const common = ({ chain, baseline }: Setting, { bound, iterations }: GeneralOutcome) => ({
  bound,
  iterations,
  crawlers: chain.model.crawlers,
  baseline: { crawlers: baseline.crawlers, cost: baseline.averages.cost },
  states: chain.present.reduce((count, one) => count + one, 0),
});

function asPlain({ capacity, crawlers, starvationWeight, crawlerCost, process, serviceRate }: PhasedModel) {
  const rates = { crawlerRate: process.pageRate, indexingRate: serviceRate };
  return { capacity, crawlers, starvationWeight, crawlerCost, ...rates };
}

function evaluated(setting: Setting, targets: Int32Array, budget: Budget): Solved {
  const { chain, evaluator } = setting;
  const decisions = decisionsOfTargets(chain, targets);
  const classes = evaluator.classesOf(decisions, budget);
  const optimum = iterateDecisions(chain, decisions, budget);
  const solver = 'banded-elimination';
  return { ...common(setting, optimum), targets, classes, judged: 'evaluated', solver };
}

/**
 * The best targets found, from those nearest to the best policy with phases in sight and from the best static count.
 */
function byQueueLength(setting: Setting, optimum: GeneralOutcome, budget: Budget): Solved {
  const { best, evaluations } = bestTargets(setting, optimum, mostEvaluations, budget);
  const { averages } = best?.evaluation ?? setting.baseline;
  const informed = optimum.evaluation?.cost;
  return {
    ...common(setting, optimum),
    targets: best?.targets ?? staticTargets(setting),
    classes: [averages],
    judged: defaultTolerance,
    solver: 'local-search',
    iterations: optimum.iterations + evaluations,
    ...(informed !== undefined && { fullInformation: informationOf(averages.cost, Math.min(informed, averages.cost)) }),
  };
}

/** @param most evaluations of all searches together */
function bestTargets(setting: Setting, optimum: GeneralOutcome, most: number, budget: Budget) {
  const { evaluator } = setting;
  const starts = [
    ...(optimum.evaluation === null ? [] : [nearestTargets(evaluator, optimum.decisions, optimum.evaluation)]),
    staticTargets(setting),
  ];
  let best: EvaluatedTargets | null = null;
  let evaluations = 0;
  for (const start of starts) {
    if (best !== null && relativeGap(best.evaluation.cost, optimum.bound) <= defaultTolerance) break;
    if (evaluations >= most) break;
    const found = improveTargets(evaluator, { start, mostEvaluations: most - evaluations }, budget);
    if (found === null) continue;
    evaluations += found.evaluations;
    if (best === null || found.best.evaluation.cost < best.evaluation.cost) best = found.best;
  }
  return { best, evaluations };
}

const staticTargets = ({ chain, baseline }: Setting): Int32Array =>
  staticCurve(chain.model.capacity, baseline.crawlers);

/** The best policy with phases in sight, as targets where it is that. */
function byPhases(setting: Setting, optimum: GeneralOutcome, budget: Budget): Solved {
  const { chain, evaluator, baseline, problem } = setting;
  if (optimum.evaluation === null) return byQueueLength(setting, optimum, budget);
  const { service } = phasedOf(problem) ?? {};
  const written = service === undefined ? [0] : writtenPhases(service);
  const shown = asTargets(evaluator, optimum.decisions, optimum.evaluation, budget);
  const evaluation = shown?.evaluation ?? optimum.evaluation;
  const decisions = shown?.decisions ?? optimum.decisions;
  const { best } = bestTargets(setting, optimum, mostBeside, budget);
  const blind = best ?? { targets: staticTargets(setting), evaluation: baseline.averages };
  return {
    ...common(setting, optimum),
    targets: nearestTargets(evaluator, decisions, evaluation),
    classes: [evaluation.averages],
    judged: defaultTolerance,
    solver: 'general-policy-iteration',
    byQueueLength: { targets: blind.targets, cost: blind.evaluation.cost },
    ...(shown === null
      ? { decisionsByState: shownDecisions(chain, decisions, written) }
      : { targetsByState: shownTargets(shown.targets, written) }),
  };
}

/** The policy as targets by queue length and phase of indexing, where those cost the same. */
function asTargets(
  evaluator: ChainEvaluator,
  optimal: PhasedDecisions,
  { cost }: PhasedEvaluation,
  budget: Budget,
): { readonly targets: Int32Array; readonly decisions: PhasedDecisions; readonly evaluation: PhasedEvaluation } | null {
  const { chain } = evaluator;
  if (chain.kinds > 1) return null;
  const targets = targetsOfDecisions(chain, optimal);
  const decisions = decisionsOfTargets(chain, targets);
  const evaluation = unlessStopped(null, () => evaluator.evaluate(decisions, budget));
  return evaluation === null || evaluation.cost > cost * (1 + sameCost) ? null : { targets, decisions, evaluation };
}

const informationOf = (cost: number, informed: number) => ({
  cost: informed,
  relativeImprovement: cost > 0 ? 1 - informed / cost : 0,
});
