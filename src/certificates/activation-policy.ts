/**
 * Checks an answer against the model without the code that found it: its invariants and the balance of pages. Where the
 * chain is small enough it computes the averages in a chain of its own (naive-chain.ts). It does so for a front and a
 * mixture too.
 */

import type { ActivationTask } from '../solvers/activation-policy/task.ts';
import { isMixed, limitFaults, mixtureFaults } from './queue/activation-mixture.ts';
import type { CheckedActivation } from './queue/checked-activation.ts';
import { frontFaults } from './queue/front-faults.ts';
import { type NaiveAverages, naiveAverages } from './queue/naive-chain.ts';
import { certifyPhased, writtenOut } from './queue/phased-activation.ts';

/** Numbers of a band of the chain up to which averages are computed again. */
const mostBandNumbers = 2e5;

const close = (a: number, b: number, relative: number, absolute = 1e-300): boolean =>
  Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)) + absolute;

/**
 * Answers what is wrong with `answer`, one sentence each; an empty list when nothing is. O(K + N), and O(N·K·min(N,
 * K)²) for the averages when the band has at most `mostBandEntries` numbers.
 */
export function certifyActivation(
  problem: ActivationTask,
  answer: CheckedActivation,
  mostBandEntries = mostBandNumbers,
): string[] {
  if (problem.phased !== undefined) return certifyPhased(problem, answer);
  const faults: string[] = [];
  const require = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const { targets, crawlers, cost, bound, classes, curves } = answer;
  const { capacity: K, crawlerRate, indexingRate } = problem;
  require(targets.length === K + 1, `there are ${targets.length} targets, not ${K + 1}`);
  require(targets[0] >= 1, `the first target is ${targets[0]}: the empty queue must activate`);
  for (let q = 0; q <= K; q++) {
    require(targets[q] >= 0 && targets[q] <= crawlers, `target ${targets[q]} at ${q} is outside 0..${crawlers}`);
  }
  require(cost === classes[0].cost, 'the cost is not that of the most expensive class');
  require(bound === null || bound <= cost, `the bound ${bound} exceeds the cost ${cost}`);
  for (const c of classes) {
    const parts = problem.starvationWeight * c.starvationProbability + c.lossRate + problem.crawlerCost * c.meanActive;
    require(close(c.cost, parts, 1e-12), `the cost ${c.cost} is not the sum of its parts ${parts}`);
    // Every page that enters is indexed: λ·E[r] = loss + μ·P(not empty); written without a subtraction.
    const entering = crawlerRate * c.meanActive + indexingRate * c.starvationProbability;
    require(close(entering, indexingRate + c.lossRate, 1e-10), `pages entering and leaving differ: ${entering}`);
    require(c.minActive <= c.meanActive * (1 + 1e-12), `mean active ${c.meanActive} below the least ${c.minActive}`);
    require(c.meanActive <= c.maxActive * (1 + 1e-12), `mean active ${c.meanActive} above the most ${c.maxActive}`);
    require(c.meanQueueLength >= 0 && c.meanQueueLength <= K, `mean queue length ${c.meanQueueLength}`);
  }
  const most = Math.max(...Array.from(targets)) - 1;
  require(answer.maxActivating === most, `departures activate from ${most} at most, not ${answer.maxActivating}`);
  const activates = (q: number, b: number): boolean => b < crawlers && b < targets[q];
  const ends = [curves.afterArrival, curves.afterDeparture].every((curve) => curve.length === crawlers + 1);
  require(ends, `the curves do not end at ${crawlers} crawlers`);
  for (let r = 0; r <= crawlers; r++) {
    const arrival = curves.afterArrival[r];
    const departure = curves.afterDeparture[r];
    require(r === 0
      ? arrival === null
      : isLargest(arrival, 0, K, (q) =>
          activates(Math.min(q + 1, K), r - 1),
        ), `the curve after an arrival says ${arrival} at ${r} active crawlers`);
    require(isLargest(departure, 1, K, (q) =>
      activates(q - 1, r),
    ), `the curve after a departure says ${departure} at ${r} active crawlers`);
  }
  if (stateBand(problem.capacity, crawlers) > mostBandEntries) return faults;
  faults.push(...limitFaults(problem, answer));
  if (isMixed(answer)) return [...faults, ...mixtureFaults(problem, answer)];
  const again = naiveAverages(problem, crawlers, targets)
    .map((c) => ({ ...c, cost: costOf(problem, c) }))
    .sort((a, b) => b.cost - a.cost);
  require(again.length === classes.length, `there are ${again.length} recurrent classes, not ${classes.length}`);
  for (const [index, c] of again.entries()) faults.push(...differences(classes[index], c));
  return [...faults, ...frontFaults(answer.front ?? [], (i) => criteriaOf(problem, answer, i))];
}

/** What targets cost in their most expensive class, measured again; null where the chain is too large for that. */
export function costOfTargets(problem: ActivationTask, crawlers: number, targets: ArrayLike<number>): number | null {
  if (problem.phased !== undefined) {
    const found = writtenOut(problem, { crawlers, targets });
    return found === null ? null : costOf(problem, found);
  }
  if (stateBand(problem.capacity, crawlers) > mostBandNumbers) return null;
  return Math.max(...naiveAverages(problem, crawlers, targets).map((each) => costOf(problem, each)));
}

/** The criteria of a point of the front; null where its policy has several recurrent classes. */
function criteriaOf(problem: ActivationTask, { crawlers, front = [] }: CheckedActivation, index: number) {
  const found = naiveAverages(problem, crawlers, front[index].policy.targets);
  if (found.length !== 1) return null;
  const [{ lossRate, starvationProbability, meanActive, meanQueueLength }] = found;
  return { loss: lossRate, starvation: starvationProbability, crawlers: meanActive, queueLength: meanQueueLength };
}

/** Whether `value` is the largest q in from..to that satisfies the condition, −1 when none does. */
function isLargest(value: number | null, from: number, to: number, condition: (q: number) => boolean): boolean {
  for (let q = to; q >= from; q--) if (condition(q)) return value === q;
  return value === -1;
}

/** Numbers that a band of the chain would take. */
function stateBand(capacity: number, crawlers: number): number {
  return (capacity + 1) * (crawlers + 1) * (2 * Math.min(capacity, crawlers) + 3);
}

function costOf(
  { starvationWeight, crawlerCost }: ActivationTask,
  c: Pick<NaiveAverages, 'starvationProbability' | 'lossRate' | 'meanActive'>,
): number {
  return starvationWeight * c.starvationProbability + c.lossRate + crawlerCost * c.meanActive;
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
