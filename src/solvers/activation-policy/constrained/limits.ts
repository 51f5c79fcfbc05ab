/**
 * Upper limits on long-run averages, as weights of lost pages L, idle time S and active crawlers E[r].
 *
 * The share of pages lost is L/(λE[r]) with λE[r] = μ(1 − S) + L (every page is indexed or lost), so that
 * L/(λE[r]) ≤ x ⇔ (1 − x)L + xμS ≤ xμ: weights that are not negative. The others are averages themselves.
 */
import type { ActivationModel, PolicyMeasures } from '../model/activation-model.ts';

export const activationLimits = ['lossRate', 'lossProbability', 'starvationProbability', 'activeCrawlers'] as const;
export type ActivationLimit = (typeof activationLimits)[number];
export type ActivationConstraints = Readonly<Partial<Record<ActivationLimit, number | undefined>>>;

/** A limit as loss·L + starvation·S + crawler·E[r] ≤ right. */
export interface WeightedLimit {
  readonly name: ActivationLimit;
  readonly limit: number;
  readonly loss: number;
  readonly starvation: number;
  readonly crawler: number;
  readonly right: number;
}

export function weightedLimits(constraints: ActivationConstraints, indexingRate: number): WeightedLimit[] {
  return activationLimits.flatMap((name) => {
    const limit = constraints[name];
    return limit === undefined ? [] : [weighted(name, limit, indexingRate)];
  });
}

function weighted(name: ActivationLimit, limit: number, indexingRate: number): WeightedLimit {
  const none = { name, limit, loss: 0, starvation: 0, crawler: 0, right: limit };
  switch (name) {
    case 'lossRate':
      return { ...none, loss: 1 };
    case 'starvationProbability':
      return { ...none, starvation: 1 };
    case 'activeCrawlers':
      return { ...none, crawler: 1 };
    case 'lossProbability': {
      const x = Math.min(1, limit);
      return { ...none, loss: 1 - x, starvation: x * indexingRate, right: x * indexingRate };
    }
  }
}

type Averages = Pick<PolicyMeasures, 'lossRate' | 'starvationProbability' | 'meanActive'>;

/** By how much averages exceed a limit, in its weighted form. */
export function excessOf({ loss, starvation, crawler, right }: WeightedLimit, averages: Averages): number {
  return loss * averages.lossRate + starvation * averages.starvationProbability + crawler * averages.meanActive - right;
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
    case 'lossProbability':
      return averages.lossRate / (crawlerRate * averages.meanActive);
  }
}

/** Prices of the limits put into a model: minimising `scale`·(its cost) + `constant` prices their excesses too. */
export function pricedModel<Model extends Omit<ActivationModel, 'crawlers'>>(
  model: Model,
  limits: readonly WeightedLimit[],
  prices: readonly number[],
  costWeight: number,
): { readonly model: Model; readonly scale: number; readonly constant: number } {
  const sum = (of: (limit: WeightedLimit) => number): number =>
    limits.reduce((total, limit, i) => total + prices[i] * of(limit), 0);
  const starvation = costWeight * model.starvationWeight + sum((limit) => limit.starvation);
  const crawler = costWeight * model.crawlerCost + sum((limit) => limit.crawler);
  // The solver's unit is a lost page: where none of them is priced, it weighs next to nothing.
  const loss = Math.max(costWeight + sum((limit) => limit.loss), 1e-9 * Math.max(starvation, crawler));
  return {
    model: { ...model, starvationWeight: starvation / loss, crawlerCost: crawler / loss },
    scale: loss,
    constant: -sum((limit) => limit.right),
  };
}
