/** What a count of crawlers costs. */
import { type Budget, NothingToReturn } from '../budget.ts';
import { exponentialRateOf, reachedPhases } from '../distributions/exponential-form.ts';
import { createLaw, type Distribution } from '../distributions/index.ts';
import { exponentialQueue } from './exponential-queue.ts';
import { arrivalCounter } from './general/arrivals.ts';
import { generalQueue } from './general/general-queue.ts';
import { type CountEvaluation, type CrawlerCountProblem, costOf, type QueueMeasures } from './model.ts';

/** Lets an evaluation end once nothing is left of the budget. */
export function watching(budget: Budget): () => void {
  return () => {
    if (budget.remainingMs() <= 0) throw new NothingToReturn('the evaluation of a count was not complete');
  };
}

/** Evaluates counts of one problem; every count is computed once. */
export type CountEvaluator = (crawlers: number) => CountEvaluation;

/** The rate of a law that is exponential, under whatever name; else null. */
export function exponentialRate(distribution: Distribution): number | null {
  switch (distribution.type) {
    case 'exponential':
      return distribution.rate;
    case 'erlang':
    case 'gamma':
      return distribution.shape === 1 ? distribution.rate : null;
    case 'weibull':
      return distribution.shape === 1 ? 1 / distribution.scale : null;
    case 'hyperexponential': {
      const rates = distribution.rates.filter((_, i) => distribution.probabilities[i] > 0);
      return rates.every((rate) => rate === rates[0]) ? rates[0] : null;
    }
    case 'phase-type':
      return exponentialRateOf(reachedPhases(distribution));
    default:
      return null;
  }
}

/**
 * C(N) and its measures, in closed form where the law is exponential, else through the M/G/1/K recursion.
 *
 * @param goOn called every few hundred thousand steps; what it throws ends an evaluation
 * @param known measures of this queue by count, which it adds to: whatever the prices, they are the same
 */
export function countEvaluator(
  problem: CrawlerCountProblem,
  goOn: () => void = () => {},
  known = new Map<number, QueueMeasures>(),
): CountEvaluator {
  const { crawlerRate, indexing, capacity } = problem;
  const serviceRate = exponentialRate(indexing);
  const measure =
    serviceRate === null
      ? generalMeasure(problem, goOn)
      : (crawlers: number) => exponentialQueue(crawlers, crawlerRate, serviceRate, capacity);
  return (crawlers) => {
    const measures = known.get(crawlers) ?? measure(crawlers);
    known.set(crawlers, measures);
    return { crawlers, cost: costOf(problem, crawlers, measures), ...measures };
  };
}

function generalMeasure({ crawlerRate, indexing, capacity }: CrawlerCountProblem, goOn: () => void) {
  // Tables of a law take longer than an evaluation: not before a count is asked for that is not known.
  let made: { readonly mean: number; readonly count: ReturnType<typeof arrivalCounter> } | null = null;
  return (crawlers: number): QueueMeasures => {
    made ??= { mean: createLaw(indexing).mean, count: arrivalCounter(indexing, capacity, goOn) };
    const { mean, count } = made;
    goOn();
    const rate = crawlers * crawlerRate;
    return generalQueue(rate, mean, capacity, count(rate), goOn);
  };
}
