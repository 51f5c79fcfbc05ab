/**
 * Upper limits on long-run averages, as weights of lost pages L, idle time S, active crawlers E[r] and the mean queue
 * E[q].
 *
 * The share of pages lost is L/(λE[r]) with λE[r] = μ(1 − S) + L (every page is indexed or lost), so that
 * L/(λE[r]) ≤ x ⇔ (1 − x)L + xμS ≤ xμ: weights that are not negative. The others are averages themselves.
 */
import type { PolicyMeasures } from '../model/activation-model.ts';

export const activationLimits = [
  'lossRate',
  'lossProbability',
  'starvationProbability',
  'activeCrawlers',
  'meanQueueLength',
] as const;
export type ActivationLimit = (typeof activationLimits)[number];
export type ActivationConstraints = Readonly<Partial<Record<ActivationLimit, number | undefined>>>;

/** Whether any limit is set. */
export function isLimited({ constraints }: { readonly constraints?: ActivationConstraints | undefined }): boolean {
  return constraints !== undefined && activationLimits.some((name) => constraints[name] !== undefined);
}

/** A limit as loss·L + starvation·S + crawler·E[r] + queue·E[q] ≤ right. */
export interface WeightedLimit {
  readonly name: ActivationLimit;
  readonly limit: number;
  readonly loss: number;
  readonly starvation: number;
  readonly crawler: number;
  readonly queue: number;
  readonly right: number;
}

export function weightedLimits(constraints: ActivationConstraints, indexingRate: number): WeightedLimit[] {
  return activationLimits.flatMap((name) => {
    const limit = constraints[name];
    return limit === undefined ? [] : [weighted(name, limit, indexingRate)];
  });
}

function weighted(name: ActivationLimit, limit: number, indexingRate: number): WeightedLimit {
  const none = { name, limit, loss: 0, starvation: 0, crawler: 0, queue: 0, right: limit };
  switch (name) {
    case 'lossRate':
      return { ...none, loss: 1 };
    case 'starvationProbability':
      return { ...none, starvation: 1 };
    case 'activeCrawlers':
      return { ...none, crawler: 1 };
    case 'meanQueueLength':
      return { ...none, queue: 1 };
    case 'lossProbability': {
      const x = Math.min(1, limit);
      return { ...none, loss: 1 - x, starvation: x * indexingRate, right: x * indexingRate };
    }
  }
}

type Averages = Omit<PolicyMeasures, 'cost'>;

/** By how much averages exceed a limit, in its weighted form. */
export function excessOf({ loss, starvation, crawler, queue, right }: WeightedLimit, averages: Averages): number {
  const { lossRate, starvationProbability, meanActive, meanQueueLength } = averages;
  return loss * lossRate + starvation * starvationProbability + crawler * meanActive + queue * meanQueueLength - right;
}

/** The measure that a limit is about. */
export function measureOf(name: ActivationLimit, averages: Averages, crawlerRate: number): number {
  switch (name) {
    case 'lossRate':
      return averages.lossRate;
    case 'starvationProbability':
      return averages.starvationProbability;
    case 'activeCrawlers':
      return averages.meanActive;
    case 'meanQueueLength':
      return averages.meanQueueLength;
    case 'lossProbability':
      return averages.lossRate / (crawlerRate * averages.meanActive);
  }
}
