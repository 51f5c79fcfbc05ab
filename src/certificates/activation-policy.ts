/** Checks an answer of activation-policy through its own numbers: targets and curves, costs, flows, limits. */
import * as z from 'zod';
import { activationBeside, activationRequest, activationSolution } from '../schemas/activation-policy/index.ts';
import { inContract } from './contract-form.ts';
import { close, type Expect, faultList } from './faults.ts';
import { objectiveOf, textIn, type WireObject } from './wire.ts';

const answered = z.object({
  solution: activationSolution.optional(),
  ...z.object(activationBeside).partial().shape,
});

type Problem = z.output<typeof activationRequest>;
type Policy = z.output<typeof activationSolution>;

/**
 * What is wrong with an answer; empty where nothing is. The cost is that of its averages. Every page that enters is
 * indexed: λ·E[r] = loss + μ·P(not empty). The switching curves are the targets'. O(N·K).
 */
export function verifyActivationPolicy(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(activationRequest, request, 'the request');
  const { solution, evaluation, baseline, relativeImprovement } = inContract(answered, answer, 'the answer');
  const policy = solution ?? evaluation;
  if (policy === undefined) return [];
  const { value } = objectiveOf(answer);
  const { faults, expect } = faultList();
  const classes = evaluation?.recurrentClasses ?? [{ ...policy, cost: value }];
  for (const one of classes) faults.push(...averageFaults(problem, one));
  const [{ cost }] = classes;
  expect(close(cost, value, 1e-12), `the cost is not that of the most expensive class, ${cost}`);
  expect(
    classes.every((one) => one.cost <= cost * (1 + 1e-12)),
    'a recurrent class costs more than the first',
  );
  expect(sameAverages(policy, classes[0]), 'the averages are not those of the most expensive class');
  if (textIn(answer, 'status') !== 'evaluated') limitFaults(problem, policy, expect);
  targetFaults(problem, policy, expect);
  if (baseline !== undefined && typeof relativeImprovement === 'number') {
    const saved = (baseline.cost - value) / value;
    expect(close(saved, relativeImprovement, 1e-8, 1e-12), `the improvement on the baseline is ${saved}`);
  }
  return faults;
}

type Averages = Pick<Policy, 'starvationProbability' | 'lossRate' | 'meanQueueLength'> & {
  readonly activeCrawlers: { readonly min: number; readonly mean: number; readonly max: number };
};

function sameAverages(a: Averages, b: Averages): boolean {
  const names = ['starvationProbability', 'lossRate', 'meanQueueLength'] as const;
  const counts = ['min', 'mean', 'max'] as const;
  return (
    names.every((name) => a[name] === b[name]) &&
    counts.every((name) => a.activeCrawlers[name] === b.activeCrawlers[name])
  );
}

function averageFaults(problem: Problem, told: Averages & { readonly cost: number }): string[] {
  const { faults, expect } = faultList();
  const { capacity, costs, crawlerRate, service } = problem;
  const { starvationProbability, lossRate, meanQueueLength, activeCrawlers } = told;
  const { min, mean, max } = activeCrawlers;
  const parts = costs.starvation * starvationProbability + costs.loss * lossRate + costs.crawler * mean;
  expect(close(told.cost, parts, 1e-9), `the cost ${told.cost} is not the sum of its parts ${parts}`);
  // Written without a subtraction.
  const [entering, leaving] = [crawlerRate * mean + service.rate * starvationProbability, service.rate + lossRate];
  expect(close(entering, leaving, 1e-9), `pages entering and leaving differ: ${entering} and ${leaving}`);
  expect(min <= mean * (1 + 1e-9) && mean <= max * (1 + 1e-9), `mean active ${mean} is not from ${min} to ${max}`);
  expect(meanQueueLength >= 0 && meanQueueLength <= capacity, `mean queue length ${meanQueueLength}`);
  return faults;
}

function limitFaults({ constraints = {}, crawlerRate }: Problem, policy: Policy, expect: Expect): void {
  const { starvationProbability, lossRate, meanQueueLength, activeCrawlers } = policy;
  const measures = {
    lossRate,
    lossProbability: lossRate / (crawlerRate * activeCrawlers.mean),
    starvationProbability,
    activeCrawlers: activeCrawlers.mean,
    meanQueueLength,
  };
  for (const name of Object.keys(measures) as (keyof typeof measures)[]) {
    const limit = constraints[name] ?? Number.POSITIVE_INFINITY;
    expect(measures[name] <= limit * (1 + 1e-9), `${name} ${measures[name]} is above its limit ${limit}`);
  }
}

/** Targets in range, and the two curves that are their shifts. */
function targetFaults({ capacity: K }: Problem, policy: Policy, expect: Expect): void {
  const { targets, crawlers, switchingCurve: curves, activeCrawlers } = policy;
  expect(targets.length === K + 1, `there are ${targets.length} targets, not ${K + 1}`);
  const outside = targets.findIndex((target, q) => !(target >= (q === 0 ? 1 : 0) && target <= crawlers));
  expect(outside < 0, `target ${targets[outside]} at ${outside} is out of range`);
  const most = targets.reduce((a, b) => Math.max(a, b)) - 1;
  const { maxActivating } = activeCrawlers;
  expect(maxActivating === most, `departures activate from ${most} at most, not ${maxActivating}`);
  const ends = [curves.afterArrival, curves.afterDeparture].every((curve) => curve.length === crawlers + 1);
  expect(ends, `the curves do not end at ${crawlers} crawlers`);
  const activates = (q: number, b: number): boolean => b < crawlers && b < targets[q];
  for (let r = 0; r <= crawlers; r++) {
    const [arrival, departure] = [curves.afterArrival[r], curves.afterDeparture[r]];
    const right = r === 0 ? arrival === null : isLargest(arrival, 0, K, (q) => activates(Math.min(q + 1, K), r - 1));
    expect(right, `the curve after an arrival says ${arrival} at ${r} active crawlers`);
    const activating = isLargest(departure, 1, K, (q) => activates(q - 1, r));
    expect(activating, `the curve after a departure says ${departure} at ${r} active crawlers`);
  }
}

/** Whether `value` is the largest q in from..to that satisfies the condition, −1 when none does. */
function isLargest(value: number | null, from: number, to: number, condition: (q: number) => boolean): boolean {
  for (let q = to; q >= from; q--) if (condition(q)) return value === q;
  return value === -1;
}
