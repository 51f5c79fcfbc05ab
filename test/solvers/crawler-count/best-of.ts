import type { CrawlerCountAnswer } from '../../../src/solvers/crawler-count/index.ts';
import { defined } from '../../defined.ts';

/** The best count of an answer, with its cost. */
export function bestOf({ solution, objective }: CrawlerCountAnswer) {
  return { ...defined(solution), cost: defined(objective).value };
}

/** What is known of an answer in closed form, for exponential service. */
export function closedFormOf({ solution }: CrawlerCountAnswer) {
  const { continuous, criticalStarvationCost, largeCapacityApproximation } = defined(solution);
  return {
    continuous: defined(continuous),
    criticalStarvationCost: defined(criticalStarvationCost),
    largeCapacityApproximation: defined(largeCapacityApproximation),
  };
}
