import type { Distribution } from '../laws/create-law.ts';

/**
 * How many always-active crawlers should feed one indexing engine.
 *
 * N crawlers bring pages at rate λ each (Poisson) to a single server of service law F with mean 1/μ. It has room for K
 * pages, the one in service included: an M/G/1/K queue of load ρ = Nλ/μ. Cost per unit time:
 *   C(N) = γ·P(empty) + ℓ·λN·P(full) + c·N.
 * Source: Z. Liu and P. Nain, Optimization issues in web search engines (2006), section 1.2.1, where ℓ = 1. The cost c
 * of a crawler and that of a lost page are additions.
 */
export interface CrawlerCountProblem {
  /** K, integer ≥ 1. */
  readonly capacity: number;
  /** λ, pages per crawler and time unit, > 0. */
  readonly crawlerRate: number;
  /** F, with a finite positive mean. */
  readonly service: Distribution;
  readonly costs: CountCosts;
  /** How many crawlers there are, integer ≥ 1; left out: no cap. */
  readonly crawlers?: number | undefined;
  /** Counts to evaluate next to the answer: one, or a range. */
  readonly evaluate?: number | CountRange | undefined;
  /** Upper limits that the count must keep. */
  readonly constraints?: CountConstraints | undefined;
}

/** Costs, each ≥ 0. Where neither loss nor crawlers cost anything, `crawlers` or a limit must cap the count. */
export interface CountCosts {
  /** ℓ, per page lost. */
  readonly loss: number;
  /** γ, per time unit with an empty system. */
  readonly starvation: number;
  /** c, per crawler and time unit. */
  readonly crawler: number;
}

/** The measures that may be limited. */
export const limitedMeasures = ['starvationProbability', 'lossRate', 'lossProbability', 'meanQueueLength'] as const;
export type LimitedMeasure = (typeof limitedMeasures)[number];

/** Upper limits; a measure without one is not limited. */
type CountConstraints = Readonly<Partial<Record<LimitedMeasure, number | undefined>>>;

/** The counts from, from + 1, …, to. */
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

/** Evaluates counts of one problem; every count is computed once. @throws NothingToReturn once the budget has ended */
export type CountEvaluator = (crawlers: number) => CountEvaluation;

/** C(N) as a sum of nonnegative terms. */
export function costOf({ costs }: CrawlerCountProblem, crawlers: number, measures: QueueMeasures): number {
  return costs.starvation * measures.starvationProbability + costs.loss * measures.lossRate + costs.crawler * crawlers;
}
