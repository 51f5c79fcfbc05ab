/**
 * The best policy that never switches: N crawlers always active, an M/M/1/K queue of load ρ = λN/μ (Liu & Nain 2006,
 * section 1.2.1, equation (1.3)).
 *
 * Cost(N) = γ·P(empty) + λN·P(full) + w·N is convex in N (the throughput of M/M/1/K is concave in the arrival rate), so
 * the best N is where the difference turns positive: O(log N) evaluations.
 */
import type { ActivationModel, PolicyMeasures } from './activation-model.ts';

/** A static count and its cost. */
export interface StaticBaseline {
  readonly crawlers: number;
  readonly cost: number;
}

type StaticModel = Omit<ActivationModel, 'crawlers'>;

/** Averages of `crawlers` always-active crawlers; positive terms only, stable for any load and capacity. O(K). */
export function measureStatic(model: StaticModel, crawlers: number): PolicyMeasures {
  const { capacity: K, crawlerRate, indexingRate, starvationWeight, crawlerCost } = model;
  const arrivalRate = crawlerRate * crawlers;
  const x = Math.log(crawlerRate / indexingRate) + Math.log(crawlers);
  // Powers of ρ counted from the larger end, so that none overflows.
  const ratio = Math.exp(-Math.abs(x));
  let power = 1;
  let total = 0;
  let moment = 0;
  for (let i = 0; i <= K; i++) {
    total += power;
    moment += power * (x > 0 ? K - i : i);
    power *= ratio;
  }
  const rare = Math.exp(-Math.abs(x) * K) / total;
  const starvationProbability = x > 0 ? rare : 1 / total;
  const lossRate = arrivalRate * (x > 0 ? 1 / total : rare);
  const cost = starvationWeight * starvationProbability + lossRate + crawlerCost * crawlers;
  return { cost, starvationProbability, lossRate, meanActive: crawlers, meanQueueLength: moment / total };
}

/** The best static count of at most `most` crawlers (at least 1), and its cost. */
export function bestStaticCount(model: StaticModel, most = Number.MAX_SAFE_INTEGER): StaticBaseline {
  const cost = (crawlers: number): number => measureStatic(model, crawlers).cost;
  const rises = (crawlers: number): boolean => cost(crawlers + 1) >= cost(crawlers);
  let low = 1;
  let high = 1;
  while (high < most && !rises(high)) {
    low = high;
    high = Math.min(most, 2 * high);
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (rises(middle)) high = middle;
    else low = middle + 1;
  }
  return { crawlers: low, cost: cost(low) };
}
