import { createLaw } from '../distributions/index.ts';
import { frontFaults } from '../front-faults.ts';
import { type CrawlerCountProblem, limitedMeasures } from './model.ts';
import { type NaiveMeasures, naiveMeasures } from './naive-cost.ts';
import type { CrawlerCountAnswer } from './solve.ts';

/**
 * What is wrong with an answer, one sentence each; an empty list when nothing is. Costs and neighbours are computed
 * afresh by another method than the solver's (naive-cost.ts), up to 300 states. Neighbours no cheaper (C is convex, so
 * the count is then optimal among all), the bound not above the cost, probabilities in [0, 1], flow balance λN·(1 −
 * P(full)) = μ·(1 − P(empty)) = throughput, λN·P(full) = loss rate, and the mean number in system between what P(empty)
 * and P(full) allow; a front is one (front-faults.ts). Relative tolerance 1e−9. Cost: three evaluations, and twelve for
 * a front.
 */
export function certifyCrawlerCount(problem: CrawlerCountProblem, answer: CrawlerCountAnswer): string[] {
  const violations: string[] = [];
  const { best, bound, proved } = answer;
  const { mean } = createLaw(problem.indexing);
  const arrivalRate = best.crawlers * problem.crawlerRate;
  const close = (a: number, b: number, scale = Math.max(Math.abs(a), Math.abs(b))): boolean =>
    Math.abs(a - b) <= 1e-9 * scale;
  const expect = (holds: boolean, what: string): void => {
    if (!holds) violations.push(what);
  };
  expect(
    Number.isInteger(best.crawlers) && best.crawlers >= 1 && best.crawlers <= problem.maxCrawlers,
    `crawlers = ${best.crawlers} is not an integer from 1 to ${problem.maxCrawlers}`,
  );
  const again = naiveMeasures(problem, best.crawlers);
  expect(
    again === null || close(again.cost, best.cost, best.cost + 1e-4 * arrivalRate),
    `the cost of ${best.crawlers} crawlers is not ${best.cost}`,
  );
  expect(answer.conflict !== undefined || bound <= best.cost, `the bound ${bound} is above the cost ${best.cost}`);
  for (const neighbour of [best.crawlers - 1, best.crawlers + 1]) {
    if (!proved || answer.conflict !== undefined || neighbour < 1 || neighbour > problem.maxCrawlers) continue;
    const found = naiveMeasures(problem, neighbour);
    if (found !== null && breaksLimits(problem, found)) continue;
    const cost = found?.cost ?? null;
    expect(
      cost === null || cost >= best.cost * (1 - 1e-9) - 1e-13 * arrivalRate,
      `${neighbour} crawlers cost ${cost}, less than ${best.cost}`,
    );
  }
  if (answer.conflict === undefined) {
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
  const most = problem.capacity * least;
  const slack = 1e-9 * problem.capacity;
  expect(
    best.meanQueueLength >= least - slack && best.meanQueueLength <= most + slack,
    `mean number in system ${best.meanQueueLength} is not between ${least} and ${most}`,
  );
  const { front = [] } = answer;
  const criteriaOf = (crawlers: number) => {
    const found = naiveMeasures(problem, crawlers);
    if (found === null) return null;
    const { lossRate: loss, starvationProbability: starvation, meanQueueLength } = found;
    return { loss, starvation, crawlers, response: meanQueueLength / (crawlers * problem.crawlerRate - loss) };
  };
  return [...violations, ...frontFaults(front, (i) => criteriaOf(front[i].policy.crawlers))];
}

/** Beyond rounding. */
function breaksLimits({ constraints = {} }: CrawlerCountProblem, measures: NaiveMeasures): boolean {
  return limitedMeasures.some((name) => measures[name] > (constraints[name] ?? Infinity) * (1 + 1e-9));
}
