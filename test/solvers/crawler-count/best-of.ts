import type { CrawlerCountAnswer } from '../../../src/solvers/crawler-count/index.ts';
import { requireDefined } from '../../require-defined.ts';

/** The best count of an answer, with its cost. */
export function bestOf({ solution, objective }: CrawlerCountAnswer) {
  return { ...requireDefined(solution), cost: requireDefined(objective).value };
}

/** What is known of an answer in closed form, for exponential service. */
export function closedFormOf({ solution }: CrawlerCountAnswer) {
  const { continuous, criticalStarvationCost, largeCapacityApproximation } = requireDefined(solution);
  return {
    continuous: requireDefined(continuous),
    criticalStarvationCost: requireDefined(criticalStarvationCost),
    largeCapacityApproximation: requireDefined(largeCapacityApproximation),
  };
}
