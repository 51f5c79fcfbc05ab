/** How large a model may be, from its numbers alone, and how much time it has. */
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';

/** The largest queue: the meeting row needs (K + 1)² numbers and K³ work. */
export const maxCapacity = 1000;
/** The largest chain, (K + 1)(N + 1) states: two to four numbers each. */
export const maxStates = 5_000_000;

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

/** Elementary steps of an optimisation, about a nanosecond each: for deciding where it runs. */
export function estimatedWork(capacity: number, crawlers: number): number {
  const n = capacity + 1;
  // Eight evaluations of 12·Σ c(K − c) ≈ 2·K²·rows flops, the meeting row, and the passes over all states.
  return 8 * (2 * n * n * crawlers * 0.75 + n * n * n + 20 * n * (crawlers + 1));
}

/** Rows of some hundred thousand states together, to be gone through between two polls: a power of two. */
export function rowsBetweenPolls(capacity: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(1e5 / (capacity + 1))));
}

/** @throws NothingToReturn once the budget has ended */
export function checkBudget(budget: Budget): void {
  if (budget.stopRequested()) throw new NothingToReturn('the policy had not been evaluated');
}
