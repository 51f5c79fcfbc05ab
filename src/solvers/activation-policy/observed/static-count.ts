/**
 * The best number of always-active crawlers in the model of phased-model.ts, by looking at one after the other. With n
 * active, at least n·(pages of one) − (pages indexed) are lost per unit time. The search ends, with proof, once that
 * alone and the crawlers cost as much as the best.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { phasedChain } from '../evaluate/chain/phased-chain.ts';
import { ChainEvaluator } from '../evaluate/chain/phased-evaluation.ts';
import { decisionsOfTargets } from '../evaluate/chain/plain-chain.ts';
import type { ClassMeasures } from '../model/activation-model.ts';
import type { PhasedModel } from '../model/phased-model.ts';

export interface StaticCount {
  readonly crawlers: number;
  readonly averages: ClassMeasures;
}

/** The best of 1..`model.crawlers`; null when the budget ended before the first was evaluated. */
export function bestPhasedCount(model: PhasedModel, budget: Budget): StaticCount | null {
  let best: StaticCount | null = null;
  for (let n = 1; n <= model.crawlers; n++) {
    // With correlated arrivals each always-active crawler brings its long-run rate too.
    const least = n * (model.process.pageRate + model.crawlerCost) - model.serviceRate;
    if (best !== null && least >= best.averages.cost) break;
    const averages = unlessStopped(null, () => alwaysActive(model, n, budget));
    if (averages === null) break;
    if (best === null || averages.cost < best.averages.cost) best = { crawlers: n, averages };
  }
  return best;
}

export function alwaysActive(model: PhasedModel, n: number, budget: Budget): ClassMeasures {
  const chain = phasedChain({ ...model, crawlers: n }, { fewest: n, most: n });
  const targets = new Int32Array(model.capacity + 1).fill(n);
  return new ChainEvaluator(chain).evaluate(decisionsOfTargets(chain, targets), budget).averages;
}
