/**
 * What must hold of an answer, checked from the answer and the problem alone (with the page recursions of tagged-page.ts
 * where they apply): used by every test of the solver, and callable in production.
 */

import { arrivalsByPlace } from './evaluation/memoryless/fifo-page-chain.ts';
import { taggedPage } from './evaluation/memoryless/tagged-page.ts';
import { stationaryLaw } from './evaluation/stationary.ts';
import { assembleQueue } from './model/assemble.ts';
import { limitTolerance, type Measures, violations } from './model/measures.ts';
import { type ModeByLevel, memorylessObsolescence, type Queue } from './model/queue.ts';
import type { ThresholdPolicyAnswer, ThresholdPolicyProblem } from './solve.ts';

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

/** Everything that does not hold, in words; empty when all does. */
export function certify(problem: ThresholdPolicyProblem, answer: ThresholdPolicyAnswer): string[] {
  const faults: string[] = [];
  const { queue } = assembleQueue(problem);
  const { solution, cost, bound } = answer;
  for (const fixed of answer.fixedModes) faults.push(...measureFaults(fixed.measures, `mode ${fixed.crawlers}`));
  if (solution === undefined) {
    if (answer.status !== 'infeasible') faults.push('no solution, and not infeasible');
    return faults;
  }
  const { measures, crawlersByQueueLength, modes, thresholds } = solution;
  faults.push(...measureFaults(measures, 'the policy'));
  const { costs } = problem;
  const recomputed =
    measures.arrivalRate *
      (costs.loss * measures.lossProbability + costs.obsolescence * measures.obsolescenceProbability) +
    costs.response * measures.responseTime +
    costs.crawler * measures.activeCrawlers +
    costs.starvation * measures.starvationProbability;
  if (cost === undefined || !close(cost, recomputed, 1e-10))
    faults.push(`cost ${cost}, from its measures ${recomputed}`);
  if (cost !== undefined && bound !== null && bound !== undefined && bound > cost)
    faults.push(`bound ${bound} above ${cost}`);
  const byLevel = levelsOf(queue, crawlersByQueueLength);
  if (byLevel === null) return [...faults, `crawlers ${crawlersByQueueLength} are no modes of the queue`];
  if (thresholds !== null) faults.push(...thresholdFaults(crawlersByQueueLength, modes, thresholds));
  if (answer.status !== 'evaluated') {
    if (thresholds === null) faults.push('the optimum is not monotone');
    const broken = violations(measures, problem.constraints ?? {});
    if (broken.length > 0) faults.push(`limits not kept: ${broken.map(({ name }) => name).join(', ')}`);
    for (const fixed of answer.fixedModes) {
      if (violations(fixed.measures, problem.constraints ?? {}).length > 0) continue;
      if (cost !== undefined && cost > fixed.cost * (1 + 1e-9)) faults.push(`mode ${fixed.crawlers} alone costs less`);
    }
    for (const subset of answer.subsets ?? []) {
      if (cost !== undefined && cost > subset.cost * (1 + 1e-9)) faults.push(`subset ${subset.modes} costs less`);
    }
  }
  if (memorylessObsolescence(queue) && queue.discipline === 'fifo') {
    faults.push(...sojournFaults(queue, byLevel, measures));
  }
  return faults;
}

/** Conservation and Little's law. */
function measureFaults(measures: Measures, whose: string): string[] {
  const faults: string[] = [];
  const { lossProbability, obsolescenceProbability, successProbability, arrivalRate, queueLength, sojournTime } =
    measures;
  const total = lossProbability + obsolescenceProbability + successProbability;
  if (!close(total, 1, 1e-10)) faults.push(`${whose}: probabilities of a page's fates sum to ${total}`);
  if (!close(queueLength, arrivalRate * sojournTime, 1e-9)) {
    faults.push(`${whose}: queue length ${queueLength}, by Little's law ${arrivalRate * sojournTime}`);
  }
  for (const [name, value] of Object.entries(measures)) {
    if (typeof value === 'number' && !(value >= -limitTolerance && value < Number.POSITIVE_INFINITY)) {
      faults.push(`${whose}: ${name} is ${value}`);
    }
  }
  return faults;
}

function levelsOf(queue: Queue, counts: readonly number[]): ModeByLevel | null {
  if (counts.length !== queue.capacity + 1) return null;
  const byLevel = new Uint8Array(queue.topLevel + 1);
  for (let level = 0; level <= queue.topLevel; level++) {
    const mode = queue.modes.findIndex(({ crawlers }) => crawlers === counts[Math.min(level, queue.capacity)]);
    if (mode < 0) return null;
    byLevel[level] = mode;
  }
  return byLevel;
}

function thresholdFaults(counts: readonly number[], modes: readonly number[], thresholds: readonly number[]): string[] {
  if (thresholds.length !== modes.length - 1) return [`${modes.length} modes with ${thresholds.length} thresholds`];
  let used = 0;
  for (const [level, count] of counts.entries()) {
    while (used < thresholds.length && level > thresholds[used]) used++;
    if (modes[used] !== count) return [`at queue length ${level} the thresholds say ${modes[used]}, the list ${count}`];
  }
  return [];
}

/** V1 and V2 by the recursion over the pages found on arrival, (23) and (24): independent of Little's law. */
function sojournFaults(queue: Queue, byLevel: ModeByLevel, measures: Measures): string[] {
  const tagged = taggedPage(queue);
  const places = arrivalsByPlace(queue, byLevel, stationaryLaw(queue, byLevel));
  let [served, servedTime, expired, expiredTime] = [0, 0, 0, 0];
  for (const [at, rate] of places.entries()) {
    served += rate * tagged.served[at];
    servedTime += rate * tagged.servedTime[at];
    expired += rate * tagged.expired[at];
    expiredTime += rate * tagged.expiredTime[at];
  }
  const faults: string[] = [];
  if (!close(measures.responseTime, servedTime / served, 1e-9)) {
    faults.push(`V1 ${measures.responseTime}, by the recursion ${servedTime / served}`);
  }
  if (measures.obsoleteSojournTime !== null && !close(measures.obsoleteSojournTime, expiredTime / expired, 1e-9)) {
    faults.push(`V2 ${measures.obsoleteSojournTime}, by the recursion ${expiredTime / expired}`);
  }
  return faults;
}
