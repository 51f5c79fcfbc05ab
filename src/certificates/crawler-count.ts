/** Checks an answer of crawler-count through its own numbers: the count, its cost, the flows of pages, the limits. */
import * as z from 'zod';
import { objectiveSchema } from '../schemas/contract/answer.ts';
import {
  crawlerCountBeside,
  crawlerCountConflict,
  crawlerCountRequest,
  crawlerCountSolution,
} from '../schemas/crawler-count.ts';
import { createLaw } from '../solvers/laws/index.ts';
import { inContract } from './contract-form.ts';
import { close, faultList } from './faults.ts';
import type { WireObject } from './wire.ts';

const tolerance = 1e-9;
/** Capacity up to which the geometric law of an exponential queue is summed. */
const mostSummed = 10_000;

const answered = z.object({
  objective: objectiveSchema.optional(),
  solution: crawlerCountSolution.optional(),
  ...z.object(crawlerCountBeside).partial().shape,
  conflict: crawlerCountConflict.optional(),
});

type Problem = Omit<z.output<typeof crawlerCountRequest>, 'options' | 'sweep'>;
type Measured = z.output<typeof crawlerCountConflict>['nearest'];

const limited = ['starvationProbability', 'lossRate', 'lossProbability', 'meanQueueLength'] as const;

/** What is wrong with an answer of the contract. */
export function verifyCrawlerCount(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(crawlerCountRequest, request, 'the request');
  return certifyCrawlerCount(problem, answer);
}

/**
 * What is wrong with an answer to a problem; empty where nothing is. The cost is that of its measures. Pages that enter are indexed:
 * λN·(1 − P(full)) = μ·(1 − P(empty)). With exponential service the measures are those of the geometric law. O(K) for
 * that, else O(1) a count.
 */
export function certifyCrawlerCount(problem: Problem, answer: unknown): string[] {
  const { objective, solution, evaluation = [], conflict } = inContract(answered, answer, 'the answer');
  const { faults, expect } = faultList();
  const { constraints = {}, crawlers: most = Number.MAX_SAFE_INTEGER } = problem;
  const best = solution ?? conflict?.nearest;
  if (best !== undefined) {
    const inRange = Number.isInteger(best.crawlers) && best.crawlers >= 1 && best.crawlers <= most;
    expect(inRange, `crawlers = ${best.crawlers} is not an integer from 1 to ${most}`);
    faults.push(...measureFaults(problem, best));
    const kept = limited.every((name) => best[name] <= (constraints[name] ?? Infinity) * (1 + tolerance));
    expect(kept === (solution !== undefined), `${best.crawlers} crawlers ${kept ? 'keep' : 'do not keep'} the limits`);
  }
  if (solution !== undefined && objective !== undefined) {
    const cost = costOf(problem, solution);
    expect(close(cost, objective.value, tolerance), `the measures cost ${cost}, not ${objective.value}`);
    faults.push(...closedFormFaults(problem, solution));
  }
  for (const counted of evaluation) {
    const cost = costOf(problem, counted);
    expect(close(cost, counted.cost, tolerance), `${counted.crawlers} crawlers cost ${cost}, not ${counted.cost}`);
    faults.push(...measureFaults(problem, counted));
  }
  return faults;
}

const costOf = ({ costs }: Problem, { crawlers, starvationProbability, lossRate }: Measured): number =>
  costs.starvation * starvationProbability + costs.loss * lossRate + costs.crawler * crawlers;

function measureFaults({ crawlerRate, service, capacity }: Problem, told: Measured): string[] {
  const { faults, expect } = faultList();
  const { crawlers, offeredLoad, starvationProbability, lossProbability, lossRate, throughput } = told;
  const { mean } = createLaw(service);
  const rate = crawlers * crawlerRate;
  const load = rate * mean;
  const same = (a: number, b: number, scale = 0): boolean => close(a, b, tolerance, tolerance * scale);
  expect(same(offeredLoad, load), `${crawlers} crawlers offer a load of ${load}, not ${offeredLoad}`);
  for (const [name, value] of Object.entries({ starvationProbability, lossProbability })) {
    expect(value >= 0 && value <= 1, `${name} = ${value} is no probability`);
  }
  const [served, busy] = [rate * (1 - lossProbability), (1 - starvationProbability) / mean];
  expect(same(served, busy, rate), `accepted ${served} and served ${busy} pages per time unit differ`);
  expect(same(throughput, busy, rate), `throughput ${throughput} is not ${busy}`);
  expect(same(lossRate, rate * lossProbability), `loss rate ${lossRate} is not λN·P(full)`);
  const least = 1 - starvationProbability;
  const length = told.meanQueueLength;
  const between = length >= least * (1 - tolerance) && length <= capacity * least * (1 + tolerance) + tolerance;
  expect(between, `mean number in system ${length} is not between ${least} and ${capacity * least}`);
  if (service.type !== 'exponential' || capacity > mostSummed) return faults;
  const geometric = geometricMeasures(load, capacity);
  for (const name of ['starvationProbability', 'lossProbability', 'meanQueueLength'] as const) {
    expect(close(told[name], geometric[name], 1e-8, 1e-12), `${name} is ${geometric[name]}, not ${told[name]}`);
  }
  return faults;
}

/** Of ρ^i on 0..K, summed from the likelier end. */
function geometricMeasures(load: number, capacity: number) {
  const ratio = Math.min(load, 1 / load);
  let [total, weighted, weight] = [0, 0, 1];
  for (let i = 0; i <= capacity; i++, weight *= ratio) {
    total += weight;
    weighted += i * weight;
  }
  const [likely, rare, fromEnd] = [1 / total, weight / ratio / total, weighted / total];
  return load <= 1
    ? { starvationProbability: likely, lossProbability: rare, meanQueueLength: fromEnd }
    : { starvationProbability: rare, lossProbability: likely, meanQueueLength: capacity - fromEnd };
}

/** What is said in closed form of exponential service. */
function closedFormFaults(
  { costs, capacity, service, crawlerRate }: Problem,
  { continuous, criticalStarvationCost }: z.output<typeof crawlerCountSolution>,
): string[] {
  const { faults, expect } = faultList();
  if (service.type !== 'exponential' || !continuous) return faults;
  const balanced = (continuous.offeredLoad * service.rate) / crawlerRate;
  expect(close(continuous.crawlers, balanced, tolerance), `at its load there are ${balanced} crawlers`);
  if (costs.crawler > 0 || criticalStarvationCost === null) return faults;
  const critical = (costs.loss * service.rate * (capacity + 2)) / capacity;
  expect(close(criticalStarvationCost, critical, tolerance), `the critical cost of starvation is ${critical}`);
  return faults;
}
