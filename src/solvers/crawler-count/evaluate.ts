/** What a count of crawlers costs. */
import { type Budget, NothingToReturn } from '../budget.ts';
import { exponentialRateOf, reachedPhases } from '../distributions/exponential-form.ts';
import type { Distribution } from '../distributions/index.ts';
import { exponentialQueue } from './exponential-queue.ts';
import { QueuesOfLaw } from './general/queues-of-law.ts';
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
 * @param known what is known of this queue, which it adds to
 */
export function countEvaluator(
  problem: CrawlerCountProblem,
  goOn: () => void = () => {},
  { measures: known, queues }: KnownQueues = knownQueues(problem),
): CountEvaluator {
  const { crawlerRate, indexing, capacity } = problem;
  const serviceRate = exponentialRate(indexing);
  const measure =
    serviceRate === null
      ? (crawlers: number) => queues.measures(crawlers * crawlerRate, capacity, goOn)
      : (crawlers: number) => exponentialQueue(crawlers, crawlerRate, serviceRate, capacity);
  return (crawlers) => {
    const measures = known.get(crawlers) ?? measure(crawlers);
    known.set(crawlers, measures);
    return { crawlers, cost: costOf(problem, crawlers, measures), ...measures };
  };
}

/** What does not change with prices and limits. */
export interface KnownQueues {
  /** Measures by count. */
  readonly measures: Map<number, QueueMeasures>;
  readonly queues: QueuesOfLaw;
}

/** Nothing yet. */
export function knownQueues({ indexing }: CrawlerCountProblem): KnownQueues {
  return { measures: new Map(), queues: new QueuesOfLaw(indexing) };
}
