import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../schemas/contract/answer.ts';
import {
  crawlerCountBeside,
  crawlerCountConflict,
  crawlerCountRequest,
  crawlerCountSolution,
} from '../schemas/crawler-count.ts';
import type { MeasuredCount } from '../solvers/crawler-count/answer.ts';
import type { CrawlerCountProblem } from '../solvers/crawler-count/problem.ts';
import { createLaw } from '../solvers/laws/index.ts';
import { inContract } from './contract-form.ts';
import { faultList } from './faults.ts';
import { frontFaults, type PricedPoint, pointsIn } from './queue/front-faults.ts';
import { type NaiveMeasures, naiveMeasures } from './queue/naive-cost.ts';
import type { WireObject } from './wire.ts';

interface Checked {
  readonly status: string;
  readonly objective?: { readonly value: number; readonly bound: number | null } | undefined;
  readonly solution?: MeasuredCount | undefined;
  readonly conflict?: { readonly nearest: MeasuredCount } | undefined;
  readonly beside: {
    readonly front?: readonly (PricedPoint & { readonly policy: { readonly crawlers: number } })[] | undefined;
  };
}

const answered = z.object({
  status: statusSchema,
  objective: objectiveSchema.optional(),
  solution: crawlerCountSolution.optional(),
  ...z.object(crawlerCountBeside).partial().shape,
  conflict: crawlerCountConflict.optional(),
});

const limitedMeasures = ['starvationProbability', 'lossRate', 'lossProbability', 'meanQueueLength'] as const;

/**
 * What is wrong with an answer, one sentence each; an empty list when nothing is. Costs and neighbours are computed
 * afresh by another method than the solver's (naive-cost.ts), up to 300 states. No neighbour is cheaper (C is convex,
 * so the count is then optimal among all), and the bound is not above the cost. Probabilities lie in [0, 1]. The flows
 * balance: λN·(1 − P(full)) = μ·(1 − P(empty)) = throughput, λN·P(full) = loss rate. The mean number in system lies
 * between what P(empty) and P(full) allow. A front is one (front-faults.ts). Relative tolerance 1e−9. Cost: three
 * evaluations, and twelve for a front.
 */
export function certifyCrawlerCount(problem: CrawlerCountProblem, answer: Checked): string[] {
  const { solution, objective, conflict } = answer;
  const best = solution ?? conflict?.nearest;
  if (best === undefined) return ['there is neither a solution nor a conflict'];
  const { faults: violations, expect } = faultList();
  const { mean } = createLaw(problem.service);
  const arrivalRate = best.crawlers * problem.crawlerRate;
  const close = (a: number, b: number, scale = Math.max(Math.abs(a), Math.abs(b))): boolean =>
    Math.abs(a - b) <= 1e-9 * scale;
  const most = problem.crawlers ?? Number.MAX_SAFE_INTEGER;
  expect(
    Number.isInteger(best.crawlers) && best.crawlers >= 1 && best.crawlers <= most,
    `crawlers = ${best.crawlers} is not an integer from 1 to ${most}`,
  );
  const again = naiveMeasures(problem, best.crawlers);
  if (objective !== undefined) {
    const { value, bound } = objective;
    expect(
      again === null || close(again.cost, value, value + 1e-4 * problem.costs.loss * arrivalRate),
      `the cost of ${best.crawlers} crawlers is not ${value}`,
    );
    expect(bound === null || bound <= value, `the bound ${bound} is above the cost ${value}`);
    for (const neighbour of [best.crawlers - 1, best.crawlers + 1]) {
      if (answer.status !== 'optimal' || neighbour < 1 || neighbour > most) continue;
      const found = naiveMeasures(problem, neighbour);
      if (found === null || breaksLimits(problem, found)) continue;
      expect(
        found.cost >= value * (1 - 1e-9) - 1e-13 * arrivalRate,
        `${neighbour} crawlers cost ${found.cost}, less than ${value}`,
      );
    }
    expect(again === null || !breaksLimits(problem, again), `${best.crawlers} crawlers do not keep the limits`);
  }
  for (const name of ['starvationProbability', 'lossProbability'] as const) {
    expect(best[name] >= 0 && best[name] <= 1, `${name} = ${best[name]} is no probability`);
  }
  const served = arrivalRate * (1 - best.lossProbability);
  const busy = (1 - best.starvationProbability) / mean;
  expect(close(served, busy, arrivalRate), `accepted ${served} and served ${busy} pages per time unit differ`);
  expect(close(best.throughput, busy, arrivalRate), `throughput ${best.throughput} is not ${busy}`);
  expect(close(best.lossRate, arrivalRate * best.lossProbability), `loss rate ${best.lossRate} is not λN·P(full)`);
  const least = 1 - best.starvationProbability;
  const longest = problem.capacity * least;
  const slack = 1e-9 * problem.capacity;
  expect(
    best.meanQueueLength >= least - slack && best.meanQueueLength <= longest + slack,
    `mean number in system ${best.meanQueueLength} is not between ${least} and ${longest}`,
  );
  if (again !== null) violations.push(...differences(best, again, mean * arrivalRate));
  const { front = [] } = answer.beside;
  const criteriaOf = (crawlers: number) => {
    const found = naiveMeasures(problem, crawlers);
    if (found === null) return null;
    const { lossRate: loss, starvationProbability: starvation, meanQueueLength } = found;
    return { loss, starvation, crawlers, response: meanQueueLength / (crawlers * problem.crawlerRate - loss) };
  };
  return [...violations, ...frontFaults(front, (i) => criteriaOf(front[i].policy.crawlers))];
}

/** The same of a request and an answer of the contract, and of the rows of its sweep and the counts evaluated. */
export function verifyCrawlerCount(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(crawlerCountRequest, request, 'the request');
  const { front, evaluation = [], ...told } = inContract(answered, answer, 'the answer');
  const points = front && pointsIn(front).map((point, i) => ({ ...point, policy: front[i].policy }));
  const wrong = certifyCrawlerCount(problem, { ...told, beside: { front: points } });
  for (const each of evaluation) {
    const { crawlers, cost } = each;
    const again = naiveMeasures(problem, crawlers);
    if (again === null) continue;
    const rate = crawlers * problem.crawlerRate;
    if (Math.abs(again.cost - cost) > 1e-9 * cost + 1e-13 * rate)
      wrong.push(`${crawlers} crawlers cost ${again.cost}, not ${cost}`);
    wrong.push(...differences(each, again, rate * createLaw(problem.service).mean));
  }
  return [...wrong, ...approximationFaults(problem, told.solution)];
}

/** Measures that are not those computed again; probabilities to what is left of them beside 1. */
function differences(told: MeasuredCount, again: NaiveMeasures, load: number): string[] {
  const expected = { ...again, offeredLoad: load };
  return (['offeredLoad', ...limitedMeasures] as const).flatMap((name) => {
    const rare = name === 'lossRate' ? told.throughput : name.endsWith('Probability') ? 1 : 0;
    return Math.abs(told[name] - expected[name]) <= 1e-8 * Math.abs(expected[name]) + 1e-12 * rare
      ? []
      : [`${name} of ${told.crawlers} crawlers is ${expected[name]}, not ${told[name]}`];
  });
}

/** What is said in closed form of exponential service. */
function approximationFaults(
  { costs, capacity, service, crawlerRate }: CrawlerCountProblem,
  solution: z.output<typeof crawlerCountSolution> | undefined,
): string[] {
  if (service.type !== 'exponential' || !solution?.continuous) return [];
  const { continuous, criticalStarvationCost } = solution;
  const balanced = (continuous.offeredLoad * service.rate) / crawlerRate;
  const faults: string[] = [];
  if (Math.abs(continuous.crawlers - balanced) > 1e-9 * balanced)
    faults.push(`at the load ${continuous.offeredLoad} there are ${balanced} crawlers`);
  if (costs.crawler === 0 && criticalStarvationCost !== null) {
    const critical = (costs.loss * service.rate * (capacity + 2)) / capacity;
    if (Math.abs(criticalStarvationCost - critical) > 1e-9 * critical)
      faults.push(`the critical cost of starvation is ${critical}`);
  }
  return faults;
}

/** Beyond rounding. */
function breaksLimits({ constraints = {} }: CrawlerCountProblem, measures: NaiveMeasures): boolean {
  return limitedMeasures.some((name) => measures[name] > (constraints[name] ?? Infinity) * (1 + 1e-9));
}
