/** The problem: a queue, its crawlers, the costs, and the limits that the policy must keep. */
import { ConditionNotMet } from '../condition.ts';
import type { ModelWithoutCrawlerCount } from './model.ts';

/** The caller's own policy: a count of crawlers that are always active, or the targets R[0..K]. */
type CallersTargets = number | { readonly targets: readonly number[] };

/** The averages that may be limited. */
export const limitedAverages = [
  'lossRate',
  'lossProbability',
  'starvationProbability',
  'activeCrawlers',
  'meanQueueLength',
] as const;
export type LimitedAverage = (typeof limitedAverages)[number];

export interface ActivationProblem {
  /** K ≥ 1. */
  readonly capacity: number;
  /** λ of one active crawler. */
  readonly crawlerRate: number;
  readonly service: { readonly type: 'exponential'; readonly rate: number };
  /** Per lost page (above 0), per time unit of an empty queue, and per crawler and time unit. */
  readonly costs: { readonly loss: number; readonly starvation: number; readonly crawler: number };
  /** N; left out: as many as the optimum can use, or as many as `evaluate` names. */
  readonly crawlers?: number | undefined;
  readonly evaluate?: CallersTargets | undefined;
  /** Upper limits. */
  readonly constraints?: Readonly<Partial<Record<LimitedAverage, number | undefined>>> | undefined;
}

export const modelOf = ({ capacity, crawlerRate, service, costs }: ActivationProblem): ModelWithoutCrawlerCount => ({
  capacity,
  crawlerRate,
  indexingRate: service.rate,
  weights: { ...costs, queue: 0 },
});

/** The caller's own policy as R[0..K]. */
export function targetsOf({ evaluate, capacity }: ActivationProblem): Int32Array | undefined {
  if (evaluate === undefined) return undefined;
  return typeof evaluate === 'number' ? new Int32Array(capacity + 1).fill(evaluate) : Int32Array.from(evaluate.targets);
}

/** Largest capacity K: eliminating the meeting row takes (K + 1)² numbers and K³ steps. */
export const maxCapacity = 1000;
/** Most states (K + 1)(N + 1) of a chain, which keeps a few numbers for each. */
export const maxStates = 5_000_000;
/** Most crawlers N: each number of active crawlers is a row of the chain, with fixed costs of its own. */
const maxCrawlers = 100_000;
/** Largest ratio of crawlerRate to the indexing rate, or its inverse: above it doubles cannot hold the queue. */
const maxRatio = 1e12;

/** States of the chain: (K + 1)·(N + 1). */
export const stateCount = (capacity: number, crawlers: number): number => (capacity + 1) * (crawlers + 1);

/** The most crawlers that are accepted at this capacity. */
export const maxCrawlersAt = (capacity: number): number =>
  Math.min(maxCrawlers, Math.floor(maxStates / (capacity + 1)) - 1);

/** @throws ConditionNotMet when the chain of K and N is too large, saying its size and what to reduce */
export function checkModelSize(capacity: number, crawlers: number): void {
  if (capacity > maxCapacity) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-large',
      `must be at most ${maxCapacity}; got ${capacity}. A longer queue hardly changes the decisions: reduce capacity`,
    );
  }
  if (crawlers <= maxCrawlersAt(capacity)) return;
  throw new ConditionNotMet(
    ['crawlers'],
    'too-large',
    `${crawlers} crawlers and capacity ${capacity} make a chain of ${stateCount(capacity, crawlers)} states; at most ` +
      `${maxStates}, and ${maxCrawlers} crawlers, are accepted. Reduce crawlers to ${maxCrawlersAt(capacity)} or fewer, or reduce capacity`,
  );
}

/** @throws ConditionNotMet when the two rates are so far apart that double precision cannot hold the chain */
export function checkRates(crawlerRate: number, indexingRate: number): void {
  const ratio = crawlerRate / indexingRate;
  if (ratio <= maxRatio && ratio >= 1 / maxRatio) return;
  throw new ConditionNotMet(
    ['crawlerRate'],
    'rates-too-far-apart',
    `${crawlerRate} is ${ratio.toPrecision(3)} times the indexing rate ${indexingRate}; between 1e-12 and 1e12 times is ` +
      'accepted: give both per the same time unit',
  );
}
