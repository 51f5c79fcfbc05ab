/**
 * Checks an answer of activation-policy as the contract has it. It turns the answer into what its certificate takes,
 * with costs in units of a lost page. It measures again what the answer is compared with.
 */
import * as z from 'zod';
import { activationBeside, activationRequest, activationSolution } from '../schemas/activation-policy/index.ts';
import type { ActivationTask } from '../solvers/activation-policy/task.ts';
import { createLaw } from '../solvers/laws/index.ts';
import { certifyActivation, costOfTargets } from './activation-policy.ts';
import { inContract } from './contract-form.ts';
import type { CheckedActivation } from './queue/checked-activation.ts';
import { pointsIn } from './queue/front-faults.ts';
import { objectiveOf, textIn, type WireObject } from './wire.ts';

const answered = z.object({ solution: activationSolution.optional(), ...z.object(activationBeside).partial().shape });

type Told = z.output<typeof answered>;

const differ = (a: number, b: number): boolean => Math.abs(a - b) > 1e-8 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/** What is wrong with an answer; empty where nothing is. */
export function verifyActivationPolicy(request: WireObject, answer: WireObject): string[] {
  const asked = inContract(activationRequest, request, 'the request');
  const told = inContract(answered, answer, 'the answer');
  const { solution, evaluation, mixture, mixedDecision, front, dualPrices } = told;
  const policy = solution ?? evaluation;
  if (policy === undefined) return [];
  const { value, bound } = objectiveOf(answer);
  const unit = asked.costs.loss;
  const status = textIn(answer, 'status');
  const classes = evaluation?.recurrentClasses ?? [{ ...policy, cost: value }];
  const [mostExpensive, ...others] = classes.map((each) => averagesIn(each, each.cost / unit));
  const checked: CheckedActivation = {
    ...policy,
    status: status === 'optimal' || status === 'evaluated' ? status : 'feasible',
    cost: value / unit,
    bound: bound === null ? null : bound / unit,
    maxActivating: policy.activeCrawlers.maxActivating,
    classes: [mostExpensive, ...others],
    curves: policy.switchingCurve,
    mixedDecision,
    mixture: mixture?.map(({ share, targets, cost, ...averages }) => ({
      share,
      targets,
      averages: { ...averages, cost: cost / unit },
    })),
    dualPrices: dualPrices && Object.fromEntries(Object.entries(dualPrices).map(([name, one]) => [name, one / unit])),
    front: front && pointsIn(front).map((point, i) => ({ ...point, policy: front[i].policy })),
  };
  const task = taskOf(asked);
  const own = averagesIn(policy, mostExpensive.cost);
  const apart = Object.entries(own).some(([name, average]) => average !== Reflect.get(mostExpensive, name));
  return [
    ...(apart ? ['the averages are not those of the most expensive class'] : []),
    ...certifyActivation(task, checked),
    ...comparedFaults(task, told, { unit, value, crawlers: policy.crawlers }),
  ];
}

type Class = Omit<NonNullable<Told['evaluation']>['recurrentClasses'][number], 'cost'>;

function averagesIn({ activeCrawlers: { min, mean, max }, ...each }: Class, cost: number) {
  const { starvationProbability, lossRate, meanQueueLength } = each;
  const averages = { starvationProbability, lossRate, meanQueueLength };
  return { ...averages, cost, minActive: min, meanActive: mean, maxActive: max };
}

/** The task: exponential times and single pages by their two rates, anything else in phases. */
function taskOf(asked: z.output<typeof activationRequest>): ActivationTask {
  const { capacity, crawlerRate, arrivals, batchSizes, service, costs, constraints } = asked;
  const isExponential = service.type === 'exponential';
  const largest = batchSizes === undefined ? 0 : Math.max(...batchSizes.map(({ size }) => size));
  const shareOf = (size: number): number => batchSizes?.find((each) => each.size === size)?.probability ?? 0;
  return {
    capacity,
    crawlerRate: crawlerRate ?? Number.NaN,
    indexingRate: isExponential ? service.rate : Number.NaN,
    starvationWeight: costs.starvation / costs.loss,
    crawlerCost: costs.crawler / costs.loss,
    ...(constraints && { constraints }),
    ...((!isExponential || arrivals !== undefined || batchSizes !== undefined) && {
      phased: {
        service: isExponential ? undefined : (createLaw(service).phaseType() ?? undefined),
        arrivals: arrivals?.matrices,
        batchShares: batchSizes && Array.from({ length: largest }, (_, k) => shareOf(k + 1)),
      },
    }),
  };
}

/** What crawlers always active cost, what a policy by the queue's length costs, and what is said to be saved. */
function comparedFaults(
  task: ActivationTask,
  { baseline, relativeImprovement, byQueueLength, fullInformation }: Told,
  { unit, value, crawlers }: { readonly unit: number; readonly value: number; readonly crawlers: number },
): string[] {
  const faults: string[] = [];
  const measure = (who: string, most: number, targets: readonly number[], cost: number): void => {
    const again = costOfTargets(task, most, targets);
    if (again !== null && differ(unit * again, cost)) faults.push(`${who} cost ${unit * again}, not ${cost}`);
  };
  if (baseline !== undefined) {
    const always = new Array<number>(task.capacity + 1).fill(baseline.crawlers);
    measure(`${baseline.crawlers} crawlers always active`, baseline.crawlers, always, baseline.cost);
    const saved = (baseline.cost - value) / value;
    if (typeof relativeImprovement === 'number' && differ(saved, relativeImprovement))
      faults.push(`the improvement on the baseline is ${saved}, not ${relativeImprovement}`);
  }
  if (byQueueLength !== undefined)
    measure('targets by the queue’s length alone', crawlers, byQueueLength.targets, byQueueLength.cost);
  if (fullInformation !== undefined && differ(1 - fullInformation.cost / value, fullInformation.relativeImprovement))
    faults.push(`seeing the phases does not save ${fullInformation.relativeImprovement}`);
  return faults;
}
