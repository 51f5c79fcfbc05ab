/**
 * Checks an answer against the model without the code that found it: its invariants and the balance of pages. Where the
 * chain is small enough it computes the averages in a chain of its own (naive-chain.ts). It does so for a front, a
 * mixture and what the answer is compared with too.
 */

import { activationRequest } from '../schemas/activation-policy/index.ts';
import { inContract } from './contract-form.ts';
import { close, faultList } from './faults.ts';
import { isMixed, limitFaults, mixtureFaults } from './queue/activation-mixture.ts';
import {
  type AskedActivation,
  type CheckedActivation,
  costOf,
  type PricedClass,
  toldActivation,
} from './queue/checked-activation.ts';
import { frontFaults, pointsIn } from './queue/front-faults.ts';
import { type ControlledQueue, type NaiveAverages, naiveAverages } from './queue/naive-chain.ts';
import { phasedFaults, writtenOut } from './queue/phased-activation.ts';
import { objectiveOf, textIn, type WireObject } from './wire.ts';

/** Numbers of a band of the chain up to which averages are computed again. */
const mostBandNumbers = 2e5;

const differ = (a: number, b: number): boolean => Math.abs(a - b) > 1e-8 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/**
 * What is wrong with an answer; empty where nothing is. O(K + N), and O(N·K·min(N, K)²) for the averages when the band
 * of the chain is small.
 */
export function verifyActivationPolicy(request: WireObject, answer: WireObject): string[] {
  const asked = inContract(activationRequest, request, 'the request');
  const told = inContract(toldActivation, answer, 'the answer');
  const policy = told.solution ?? told.evaluation;
  if (policy === undefined) return [];
  const { value, bound } = objectiveOf(answer);
  const [mostExpensive, ...others] = (told.evaluation?.recurrentClasses ?? [{ ...policy, cost: value }]).map(classOf);
  const classes = [mostExpensive, ...others] as const;
  const own = classOf({ ...policy, cost: mostExpensive.cost });
  const apart = Object.entries(own).some(([name, average]) => average !== Reflect.get(mostExpensive, name));
  const checked = { ...told, policy, classes, value, bound, status: textIn(answer, 'status') };
  const queue = plainQueue(asked);
  return [
    ...(apart ? ['the averages are not those of the most expensive class'] : []),
    ...(bound !== null && bound > value ? [`the bound ${bound} exceeds the cost ${value}`] : []),
    ...(value === mostExpensive.cost ? [] : ['the cost is not that of the most expensive class']),
    ...targetFaults(asked, policy),
    ...(queue === null ? phasedFaults(asked, checked) : plainFaults(asked, queue, checked)),
    ...comparedFaults(asked, checked),
  ];
}

type Told = NonNullable<CheckedActivation['evaluation']>['recurrentClasses'][number];

function classOf({ activeCrawlers: { min, mean, max }, ...each }: Told): PricedClass {
  const { starvationProbability, lossRate, meanQueueLength, cost } = each;
  return { starvationProbability, lossRate, meanQueueLength, cost, minActive: min, meanActive: mean, maxActive: max };
}

/** The queue by its two rates; null where phases, batches or matrices are given. */
function plainQueue({ capacity, crawlerRate, service, arrivals, batchSizes }: AskedActivation): ControlledQueue | null {
  const isPlain = service.type === 'exponential' && arrivals === undefined && batchSizes === undefined;
  return isPlain && crawlerRate !== undefined ? { capacity, crawlerRate, indexingRate: service.rate } : null;
}

function targetFaults({ capacity: K }: AskedActivation, { targets, crawlers }: CheckedActivation['policy']): string[] {
  const outside = targets.findIndex((target, q) => !(target >= (q === 0 ? 1 : 0) && target <= crawlers));
  return [
    ...(targets.length === K + 1 ? [] : [`there are ${targets.length} targets, not ${K + 1}`]),
    ...(outside < 0 ? [] : [`target ${targets[outside]} at ${outside} is out of range`]),
  ];
}

function plainFaults(asked: AskedActivation, queue: ControlledQueue, answer: CheckedActivation): string[] {
  const { faults, expect } = faultList();
  const { classes, policy, front = [] } = answer;
  const { targets, crawlers, switchingCurve: curves } = policy;
  const { capacity: K, crawlerRate, indexingRate } = queue;
  for (const c of classes) {
    const parts = costOf(asked, c);
    expect(close(c.cost, parts, 1e-12), `the cost ${c.cost} is not the sum of its parts ${parts}`);
    // Every page that enters is indexed: λ·E[r] = loss + μ·P(not empty); written without a subtraction.
    const entering = crawlerRate * c.meanActive + indexingRate * c.starvationProbability;
    expect(close(entering, indexingRate + c.lossRate, 1e-10), `pages entering and leaving differ: ${entering}`);
    expect(c.minActive <= c.meanActive * (1 + 1e-12), `mean active ${c.meanActive} below the least ${c.minActive}`);
    expect(c.meanActive <= c.maxActive * (1 + 1e-12), `mean active ${c.meanActive} above the most ${c.maxActive}`);
    expect(c.meanQueueLength >= 0 && c.meanQueueLength <= K, `mean queue length ${c.meanQueueLength}`);
  }
  const most = Math.max(...targets) - 1;
  const { maxActivating } = policy.activeCrawlers;
  expect(maxActivating === most, `departures activate from ${most} at most, not ${maxActivating}`);
  const activates = (q: number, b: number): boolean => b < crawlers && b < targets[q];
  const ends = [curves.afterArrival, curves.afterDeparture].every((curve) => curve.length === crawlers + 1);
  expect(ends, `the curves do not end at ${crawlers} crawlers`);
  for (let r = 0; r <= crawlers; r++) {
    const arrival = curves.afterArrival[r];
    const departure = curves.afterDeparture[r];
    expect(
      r === 0 ? arrival === null : isLargest(arrival, 0, K, (q) => activates(Math.min(q + 1, K), r - 1)),
      `the curve after an arrival says ${arrival} at ${r} active crawlers`,
    );
    expect(
      isLargest(departure, 1, K, (q) => activates(q - 1, r)),
      `the curve after a departure says ${departure} at ${r} active crawlers`,
    );
  }
  if (stateBand(K, crawlers) > mostBandNumbers) return faults;
  faults.push(...limitFaults(asked, queue, answer));
  if (isMixed(answer)) return [...faults, ...mixtureFaults(asked, queue, answer)];
  const again = naiveAverages(queue, crawlers, targets)
    .map((c) => ({ ...c, cost: costOf(asked, c) }))
    .sort((a, b) => b.cost - a.cost);
  expect(again.length === classes.length, `there are ${again.length} recurrent classes, not ${classes.length}`);
  for (const [index, c] of again.entries()) faults.push(...differences(classes[index], c));
  const criteriaOf = (index: number) => {
    const found = naiveAverages(queue, crawlers, front[index].policy.targets);
    if (found.length !== 1) return null;
    const [{ lossRate, starvationProbability, meanActive, meanQueueLength }] = found;
    return { loss: lossRate, starvation: starvationProbability, crawlers: meanActive, queueLength: meanQueueLength };
  };
  return [...faults, ...frontFaults(pointsIn(front), criteriaOf)];
}

/** What targets cost in their most expensive class, measured again; null where the chain is too large for that. */
function costOfTargets(asked: AskedActivation, crawlers: number, targets: readonly number[]): number | null {
  const queue = plainQueue(asked);
  if (queue === null) {
    const found = writtenOut(asked, { crawlers, targets: [...targets] });
    return found === null ? null : costOf(asked, found);
  }
  if (stateBand(asked.capacity, crawlers) > mostBandNumbers) return null;
  return Math.max(...naiveAverages(queue, crawlers, targets).map((each) => costOf(asked, each)));
}

/** What crawlers always active cost, what a policy by the queue's length costs, and what is said to be saved. */
function comparedFaults(
  asked: AskedActivation,
  { baseline, relativeImprovement, byQueueLength, fullInformation, value, policy }: CheckedActivation,
): string[] {
  const faults: string[] = [];
  const measure = (who: string, most: number, targets: readonly number[], cost: number): void => {
    const again = costOfTargets(asked, most, targets);
    if (again !== null && differ(again, cost)) faults.push(`${who} cost ${again}, not ${cost}`);
  };
  if (baseline !== undefined) {
    const always = new Array<number>(asked.capacity + 1).fill(baseline.crawlers);
    measure(`${baseline.crawlers} crawlers always active`, baseline.crawlers, always, baseline.cost);
    const saved = (baseline.cost - value) / value;
    if (typeof relativeImprovement === 'number' && differ(saved, relativeImprovement))
      faults.push(`the improvement on the baseline is ${saved}, not ${relativeImprovement}`);
  }
  if (byQueueLength !== undefined)
    measure('targets by the queue’s length alone', policy.crawlers, byQueueLength.targets, byQueueLength.cost);
  if (fullInformation !== undefined && differ(1 - fullInformation.cost / value, fullInformation.relativeImprovement))
    faults.push(`seeing the phases does not save ${fullInformation.relativeImprovement}`);
  return faults;
}

/** Whether `value` is the largest q in from..to that satisfies the condition, −1 when none does. */
function isLargest(value: number | null, from: number, to: number, condition: (q: number) => boolean): boolean {
  for (let q = to; q >= from; q--) if (condition(q)) return value === q;
  return value === -1;
}

function stateBand(capacity: number, crawlers: number): number {
  return (capacity + 1) * (crawlers + 1) * (2 * Math.min(capacity, crawlers) + 3);
}

function differences(stated: NaiveAverages | undefined, found: NaiveAverages): string[] {
  if (stated === undefined) return ['a recurrent class is missing'];
  const names = [
    'starvationProbability',
    'lossRate',
    'meanActive',
    'meanQueueLength',
    'minActive',
    'maxActive',
  ] as const;
  return names
    .filter((name) => !close(stated[name], found[name], 1e-9))
    .map((name) => `${name} is stated as ${stated[name]} and found to be ${found[name]}`);
}
