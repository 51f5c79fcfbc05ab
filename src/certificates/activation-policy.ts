/**
 * Checks targets by queue length: the cost follows from the averages, limits are kept, targets are in range. The averages
 * themselves are not computed again, and the bound is not checked.
 */
import * as z from 'zod';
import { activationRequest, activationSolution, activationSupplement } from '../schemas/activation-policy.ts';
import { parseByContract } from './contract-form.ts';
import type { Findings } from './findings.ts';
import { objectiveOf, readText, type WireObject } from './wire.ts';

const answerForm = z.object({ solution: activationSolution, ...activationSupplement }).partial();

type Problem = z.output<typeof activationRequest>;
type Policy = z.output<typeof activationSolution>;

export function checkActivationPolicy(request: WireObject, answer: WireObject, findings: Findings): void {
  const problem = parseByContract(activationRequest, request, 'the request');
  const { solution, evaluation, baseline, relativeImprovement } = parseByContract(answerForm, answer, 'the answer');
  const policy = solution ?? evaluation;
  if (policy === undefined) return;
  const { value } = objectiveOf(answer);
  findings.compare('objective.value', value, checkAverages(problem, policy, findings));
  let previousCost = value;
  for (const [c, one] of (evaluation?.recurrentClasses ?? []).entries()) {
    const cost = checkAverages(problem, one, findings);
    findings.compare('evaluation.recurrentClasses.cost', one.cost, c === 0 ? value : cost, { of: `class ${c}` });
    if (one.cost > previousCost * (1 + 1e-9)) findings.fault(`class ${c} costs more than the one before it`);
    previousCost = one.cost;
  }
  if (readText(answer, 'status') !== 'evaluated') checkLimits(problem, policy, findings);
  checkTargets(problem, policy, findings);
  if (baseline === undefined || typeof relativeImprovement !== 'number') return;
  const improvement = (baseline.cost - value) / value;
  findings.compare('relativeImprovement', relativeImprovement, improvement, { tolerance: 1e-8, size: 1e-4 });
}

type Averages = Pick<Policy, 'starvationProbability' | 'lossRate' | 'meanQueueLength'> & {
  readonly activeCrawlers: { readonly min: number; readonly mean: number; readonly max: number };
};

/** Checks that each average lies in its range. @returns the cost of the averages, per unit time */
function checkAverages({ capacity, costs }: Problem, averages: Averages, findings: Findings): number {
  const { starvationProbability, lossRate, meanQueueLength, activeCrawlers } = averages;
  const { min, mean, max } = activeCrawlers;
  if (!(min <= mean * (1 + 1e-9) && mean <= max * (1 + 1e-9)))
    findings.fault(`the mean of active crawlers, ${mean}, is not from ${min} to ${max}`);
  if (!(meanQueueLength >= 0 && meanQueueLength <= capacity)) findings.fault(`meanQueueLength is ${meanQueueLength}`);
  return costs.starvation * starvationProbability + costs.loss * lossRate + costs.crawler * mean;
}

function checkLimits({ constraints = {}, crawlerRate }: Problem, policy: Policy, findings: Findings): void {
  const { starvationProbability, lossRate, meanQueueLength, activeCrawlers } = policy;
  const measures = {
    lossRate,
    lossProbability: lossRate / (crawlerRate * activeCrawlers.mean),
    starvationProbability,
    activeCrawlers: activeCrawlers.mean,
    meanQueueLength,
  } satisfies Record<keyof typeof constraints, number>;
  for (const name of Object.keys(measures) as (keyof typeof measures)[]) {
    const limit = constraints[name] ?? Number.POSITIVE_INFINITY;
    if (measures[name] > limit * (1 + 1e-9)) findings.fault(`${name} ${measures[name]} is above its limit ${limit}`);
  }
}

/** Checks that there is a target in range for each queue length. */
function checkTargets({ capacity: K }: Problem, { targets, crawlers }: Policy, findings: Findings): void {
  const inRange = targets.every((target, q) => target >= (q === 0 ? 1 : 0) && target <= crawlers);
  if (!inRange || targets.length !== K + 1) findings.fault(`targets are not ${K + 1} of 0..${crawlers}`);
}
