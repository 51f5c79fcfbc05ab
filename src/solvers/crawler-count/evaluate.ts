/** What a count of crawlers costs. */
import { type Budget, NothingToReturn } from '../budget.ts';
import { createLaw, exponentialRate } from '../laws/index.ts';
import { exponentialQueue } from './exponential-queue.ts';
import { type ArrivalCounter, arrivalCounter } from './general/arrivals.ts';
import { generalQueue } from './general/general-queue.ts';
import { type CountEvaluation, type CrawlerCountProblem, costOf, type QueueMeasures } from './problem.ts';

/** Lets an evaluation end once nothing is left of the budget. */
export function watching(budget: Budget): () => void {
  return () => {
    if (budget.remainingMs() <= 0) throw new NothingToReturn('the evaluation of a count was not complete');
  };
}

/** Evaluates counts of one problem; every count is computed once. */
type CountEvaluator = (crawlers: number) => CountEvaluation;

/**
 * C(N) and its measures, in closed form where the law is exponential, else through the M/G/1/K recursion.
 *
 * @param goOn called every few hundred thousand steps; what it throws ends an evaluation
 */
export function countEvaluator(problem: CrawlerCountProblem, goOn: () => void = () => {}): CountEvaluator {
  const { crawlerRate, capacity } = problem;
  const serviceRate = exponentialRate(problem.service);
  const measure =
    serviceRate === null
      ? generalMeasure(problem, goOn)
      : (crawlers: number) => exponentialQueue(crawlers, crawlerRate, serviceRate, capacity);
  const known = new Map<number, CountEvaluation>();
  return (crawlers) => {
    const before = known.get(crawlers);
    if (before !== undefined) return before;
    const measures = measure(crawlers);
    const evaluation = { crawlers, cost: costOf(problem, crawlers, measures), ...measures };
    known.set(crawlers, evaluation);
    return evaluation;
  };
}

/** The measures of an M/G/1/K queue by count. What the counts share is made when the first is asked for. */
function generalMeasure(
  { crawlerRate, service, capacity }: CrawlerCountProblem,
  goOn: () => void,
): (crawlers: number) => QueueMeasures {
  const { mean } = createLaw(service);
  let counter: ArrivalCounter | null = null;
  return (crawlers) => {
    goOn();
    const rate = crawlers * crawlerRate;
    counter ??= arrivalCounter(service, capacity, goOn);
    return generalQueue(rate, mean, capacity, counter(rate), goOn);
  };
}
