/**
 * The running cost of crawlers, turned into the other two costs.
 *
 * Under any policy every page that is brought is indexed or lost: λ·E[r] = μ(1 − S) + L. So
 *   γS + L + w·E[r] = wμ/λ + (1 + w/λ)·[γ'S + L],   γ' = (γ − wμ/λ)/(1 + w/λ):
 * the best policy with a running cost is the best one without it at the weight γ'. Solving that one keeps the cost of
 * the pages, the same for all policies, out of the relative values, where it would drown the differences.
 */
import type { ActivationModel } from './activation-model.ts';

/** An equivalent model, and what its costs are in the original, under every policy. */
interface WithoutRunningCost {
  readonly model: ActivationModel;
  readonly isOriginal: boolean;
  /** base + scale·cost. */
  readonly inOriginal: (cost: number) => number;
}

/**
 * The equivalent model without running cost; its γ' may be negative. Where crawlers cost twice what they save or more,
 * base and cost would cancel and the model is left as it is.
 */
export function withoutRunningCost(original: ActivationModel): WithoutRunningCost {
  const { crawlerRate, indexingRate, starvationWeight, crawlerCost } = original;
  const perPage = crawlerCost / crawlerRate;
  const base = perPage * indexingRate;
  if (perPage === 0 || starvationWeight < base / 2) {
    return { model: original, isOriginal: true, inOriginal: (cost) => cost };
  }
  const scale = 1 + perPage;
  const model = { ...original, starvationWeight: (starvationWeight - base) / scale, crawlerCost: 0 };
  const { queueCost } = original;
  return {
    model: queueCost === undefined ? model : { ...model, queueCost: queueCost / scale },
    isOriginal: false,
    inOriginal: (cost) => base + scale * cost,
  };
}
