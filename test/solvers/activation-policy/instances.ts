/** Random instances for the tests of the activation policy, from a seed. */
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { ActivationTask } from './activation-tasks.ts';

export const integerBetween = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

export type LimitedProblem = ActivationTask & { readonly crawlers: number };

/** Rates over four decades, loads from starving to flooded, half of them with a running cost. */
export function randomProblem(random: Random, largestCapacity: number, mostCrawlers: number): LimitedProblem {
  const indexingRate = 10 ** (4 * random() - 2);
  const crawlerRate = indexingRate * 10 ** (3 * random() - 2.5);
  return {
    capacity: integerBetween(random, 1, largestCapacity),
    crawlers: integerBetween(random, 1, mostCrawlers),
    indexingRate,
    crawlerRate,
    starvationWeight: indexingRate * 10 ** (4 * random() - 2),
    crawlerCost: random() < 0.5 ? 0 : crawlerRate * 10 ** (3 * random() - 2),
  };
}

/** `count` instances of one seed. */
export function* randomProblems(
  seed: number,
  count: number,
  capacity: number,
  crawlers: number,
): Generator<LimitedProblem> {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) yield randomProblem(random, capacity, crawlers);
}

/** Random targets, the first at least 1; non-increasing when asked. */
export function randomTargets(random: Random, problem: LimitedProblem, nonIncreasing: boolean): Int32Array {
  const targets = Int32Array.from({ length: problem.capacity + 1 }, () => integerBetween(random, 0, problem.crawlers));
  if (nonIncreasing) targets.sort().reverse();
  if (targets[0] < 1) targets[0] = 1;
  return targets;
}
