/** What the evaluations of one model's curves share: their buffers, and the way they say that the budget has ended. */
import type { ActivationModel } from '../../model/activation-model.ts';
import { newSweep, type Sweep } from './rows-from-above.ts';

/** Buffers for one model, allocated once and used by every evaluation. */
export interface CurveWorkspace {
  /** h(q, r) at r·(K + 1) + q. */
  readonly values: Float64Array;
  /** Interface coefficients of each row, r·(K + 1). */
  readonly interfaces: Float64Array;
  /** Interface constants of each row: cost and time. */
  readonly constants: Float64Array;
  readonly above: Sweep;
  readonly below: Sweep;
}

export function newWorkspace(model: ActivationModel): CurveWorkspace {
  const states = (model.capacity + 1) * (model.crawlers + 1);
  return {
    values: new Float64Array(states),
    interfaces: new Float64Array(states),
    constants: new Float64Array(2 * (model.crawlers + 1)),
    above: newSweep(model.capacity, model.crawlerRate, model.indexingRate, 5),
    below: newSweep(model.capacity, model.crawlerRate, model.indexingRate, 5),
  };
}
