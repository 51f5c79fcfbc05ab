import type { Distribution } from '../distributions/distribution.ts';

/**
 * How many always-active crawlers should feed one indexing engine.
 *
 * N crawlers bring pages at rate λ each (Poisson) to a single server with room for K pages, the one in service
 * included, and indexing law F of mean 1/μ: an M/G/1/K queue of load ρ = Nλ/μ. Cost per unit time:
 *   C(N) = γ·P(empty) + λN·P(full) + c·N.
 * Source: Z. Liu and P. Nain, Optimization issues in web search engines (2006), section 1.2.1; c, the cost of a
 * crawler, is an addition.
 */
export interface CrawlerCountProblem {
  /** λ, pages per crawler and time unit, > 0. */
  readonly crawlerRate: number;
  /** F, with a finite positive mean. */
  readonly indexing: Distribution;
  /** K, integer ≥ 1. */
  readonly capacity: number;
  /** γ, cost per time unit with an empty system, > 0. */
  readonly starvationWeight: number;
  /** c, cost per crawler and time unit, ≥ 0. */
  readonly crawlerCost: number;
  /** Largest N allowed, integer ≥ 1. */
  readonly maxCrawlers: number;
  /** A count to evaluate beside the answer. */
  readonly crawlers?: number | undefined;
  /** Counts to evaluate beside the answer. */
  readonly curve?: CountRange | undefined;
  /** Upper limits that the count must keep. */
  readonly constraints?: CountConstraints | undefined;
  /** Answer the counts that are best for some prices of two or three criteria as well. */
  readonly front?: { readonly criteria: readonly CountCriterion[] } | undefined;
}

/**
 * What a front may be between: pages lost per time unit, share of time idle, mean time in the system, the count itself.
 */
export type CountCriterion = 'loss' | 'starvation' | 'response' | 'crawlers';

/** The measures that may be limited. */
export const limitedMeasures = ['starvationProbability', 'lossRate', 'lossProbability', 'meanQueueLength'] as const;
export type LimitedMeasure = (typeof limitedMeasures)[number];

/** Upper limits; what is left out is not limited. */
export type CountConstraints = Readonly<Partial<Record<LimitedMeasure, number | undefined>>>;

/** The counts from..to. */
export interface CountRange {
  readonly from: number;
  readonly to: number;
}

/** Stationary measures of the queue at one arrival rate. */
export interface QueueMeasures {
  /** ρ. */
  readonly offeredLoad: number;
  /** P(empty). */
  readonly starvationProbability: number;
  /** λN·P(full): pages lost per time unit. */
  readonly lossRate: number;
  /** P(full): share of pages lost. */
  readonly lossProbability: number;
  /** Pages indexed per time unit. */
  readonly throughput: number;
  /** Mean number in system, the page in service included. */
  readonly meanQueueLength: number;
}

/** The measures and the cost of a count of crawlers. */
export interface CountEvaluation extends QueueMeasures {
  readonly crawlers: number;
  /** C(N) in cost per time unit. */
  readonly cost: number;
}

/** C(N) as a sum of nonnegative terms. */
export function costOf(problem: CrawlerCountProblem, crawlers: number, measures: QueueMeasures): number {
  return problem.starvationWeight * measures.starvationProbability + measures.lossRate + problem.crawlerCost * crawlers;
}
