/** How large a model may be. Its size follows from its numbers alone, before any memory is touched. */
import { ConditionNotMet } from '../../condition.ts';

/** The largest queue: the meeting row needs (K + 1)² numbers and K³ work. */
export const maxCapacity = 1000;
/** The largest chain, (K + 1)(N + 1) states: two to four numbers each. */
export const maxStates = 5_000_000;

/** The largest chain of decisions in phases: two numbers a decision and some twenty a state beside the band. */
export const maxPhasedStates = 400_000;
/** The same without phases, where few events leave a state: some 600 MB. */
export const maxPlainStates = 2_000_000;
/** 256 MB of doubles. */
export const maxBandEntries = 3.2e7;

/** States of the chain: (K + 1)·(N + 1). */
export function stateCount(capacity: number, crawlers: number): number {
  return (capacity + 1) * (crawlers + 1);
}

/** The most crawlers a chain of this capacity can have within the guard. */
export function mostCrawlers(capacity: number): number {
  return Math.floor(maxStates / (capacity + 1)) - 1;
}

/** @throws ConditionNotMet when the chain of K and N is too large, saying its size and what to reduce */
export function checkModelSize(capacity: number, crawlers: number): void {
  if (capacity > maxCapacity) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-large',
      `must be at most ${maxCapacity}; got ${capacity}. A longer queue hardly changes the decisions: reduce capacity`,
    );
  }
  if (stateCount(capacity, crawlers) <= maxStates) return;
  throw new ConditionNotMet(
    ['crawlers'],
    'too-large',
    `${crawlers} crawlers and capacity ${capacity} make a chain of ${stateCount(capacity, crawlers)} states; at most ` +
      `${maxStates} are accepted. Reduce crawlers to ${mostCrawlers(capacity)} or fewer, or reduce capacity`,
  );
}

/** Crawlers this much faster or slower than the index leave no digits for the queue between them. */
const maxRatio = 1e12;

/**
 * @param property where the caller gave a crawler's rate
 * @throws ConditionNotMet when the two rates are so far apart that double precision cannot hold the chain
 */
export function checkRates(
  crawlerRate: number,
  indexingRate: number,
  property: 'crawlerRate' | 'arrivals' = 'crawlerRate',
): void {
  const ratio = crawlerRate / indexingRate;
  if (ratio <= maxRatio && ratio >= 1 / maxRatio) return;
  const given = property === 'arrivals' ? `a rate of ${crawlerRate} pages` : crawlerRate;
  throw new ConditionNotMet(
    [property],
    'rates-too-far-apart',
    `${given} is ${ratio.toPrecision(3)} times the indexing rate ${indexingRate}; between 1e-12 and 1e12 times is ` +
      'accepted: give both per the same time unit',
  );
}

/** Elementary steps of an optimisation, about a nanosecond each: for deciding where it runs. */
export function estimatedWork(capacity: number, crawlers: number): number {
  const n = capacity + 1;
  // Eight evaluations of 12·Σ c(K − c) ≈ 2·K²·rows flops, the meeting row, and the passes over all states.
  return 8 * (2 * n * n * crawlers * 0.75 + n * n * n + 20 * n * (crawlers + 1));
}
