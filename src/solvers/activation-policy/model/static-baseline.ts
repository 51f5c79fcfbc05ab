/**
 * The best policy that never switches: N crawlers always active, an M/M/1/K queue (Liu & Nain 2006, section 1.2.1). All
 * of it is the crawler-count solver's; this file only speaks its language. O(log K) to optimise, O(1) to measure.
 */
import { bestStaticCount as bestCount, type CrawlerCountProblem, measureCount } from '../../crawler-count/index.ts';
import type { OpenModel, PolicyMeasures } from './activation-model.ts';

/** A static count and its cost. */
export interface StaticBaseline {
  readonly crawlers: number;
  readonly cost: number;
}

function countProblem(model: OpenModel): CrawlerCountProblem {
  const { crawlerRate, indexingRate, capacity, starvationWeight, crawlerCost } = model;
  const service = { type: 'exponential', rate: indexingRate } as const;
  return { crawlerRate, service, capacity, costs: { loss: 1, starvation: starvationWeight, crawler: crawlerCost } };
}

/** Averages of `crawlers` always-active crawlers. */
export function measureStatic(model: OpenModel, crawlers: number): PolicyMeasures {
  const { cost, starvationProbability, lossRate, meanQueueLength } = measureCount(countProblem(model), crawlers);
  return { cost, starvationProbability, lossRate, meanActive: crawlers, meanQueueLength };
}

/** The best static count of at most `most` crawlers (at least 1), and its cost. */
export function bestStaticCount(model: OpenModel, most = Number.MAX_SAFE_INTEGER): StaticBaseline {
  const { crawlers, cost } = bestCount(countProblem(model), most);
  return { crawlers, cost };
}
