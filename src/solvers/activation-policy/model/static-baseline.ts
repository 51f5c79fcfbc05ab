/**
 * The best policy that never switches: N crawlers always active, an M/M/1/K queue (Liu & Nain 2006, section 1.2.1). All
 * of it is the crawler-count solver's; this file only speaks its language. O(log K) to optimise, O(1) to measure.
 */
import { unlimitedBudget } from '../../budget.ts';
import { type CrawlerCountProblem, countEvaluator, solveCrawlerCount } from '../../crawler-count/index.ts';
import type { ActivationModel, PolicyMeasures } from './activation-model.ts';

/** A static count and its cost. */
export interface StaticBaseline {
  readonly crawlers: number;
  readonly cost: number;
}

type StaticModel = Omit<ActivationModel, 'crawlers'>;

function countProblem(model: StaticModel, maxCrawlers: number): CrawlerCountProblem {
  const { crawlerRate, indexingRate, capacity, starvationWeight, crawlerCost } = model;
  const indexing = { type: 'exponential', rate: indexingRate } as const;
  return { crawlerRate, indexing, capacity, starvationWeight, crawlerCost, maxCrawlers };
}

/** Averages of `crawlers` always-active crawlers. */
export function measureStatic(model: StaticModel, crawlers: number): PolicyMeasures {
  const { cost, starvationProbability, lossRate, meanQueueLength } = countEvaluator(countProblem(model, crawlers))(
    crawlers,
  );
  return { cost, starvationProbability, lossRate, meanActive: crawlers, meanQueueLength };
}

/** The best static count of at most `most` crawlers (at least 1), and its cost. */
export function bestStaticCount(model: StaticModel, most = Number.MAX_SAFE_INTEGER): StaticBaseline {
  const { crawlers, cost } = solveCrawlerCount(countProblem(model, most), unlimitedBudget()).best;
  return { crawlers, cost };
}
