/** The chain of activation-model.ts as one in phases, of one phase each, and the policies that targets are. */
import type { ActivationModel } from '../../model/activation-model.ts';
import { maxBandEntries, maxPlainStates, stateCount } from '../../model/model-limits.ts';
import { assemblePhased } from '../../model/phased-model.ts';
import { free, type PhasedChain, phasedChain } from './phased-chain.ts';
import type { PhasedDecisions } from './phased-evaluation.ts';

/** Whether the chain of a plain model is small enough to be eliminated in general. */
export function chainFits({ capacity, crawlers }: ActivationModel): boolean {
  const states = stateCount(capacity, crawlers);
  const band = 2 * (Math.min(capacity, crawlers) + 1) + 1;
  return states <= maxPlainStates && states * band <= maxBandEntries;
}

export function plainChain(model: ActivationModel): PhasedChain {
  return phasedChain(assemblePhased(model, {}), { fewest: 0, most: model.crawlers });
}

/** Calls `visit` with every decision, its queue length, the crawlers active before it and the phase of indexing. */
export function eachDecision(chain: PhasedChain, visit: (d: number, q: number, b: number, m: number) => void): void {
  const { model, active, kinds, decisionOf } = chain;
  for (let q = 0; q <= model.capacity; q++) {
    for (let x = 0; x < active.totals.length; x++) {
      for (let m = 0; m < (q === 0 ? 1 : model.service.phases); m++) {
        for (let kind = 0; kind < kinds; kind++) visit(decisionOf(q, x, m, kind), q, active.totals[x], m);
      }
    }
  }
}

/** The policy that activates iff fewer than R(q), or R(q, m) where targets are by phase of indexing too, are active. */
export function decisionsOfTargets(chain: PhasedChain, targets: ArrayLike<number>): PhasedDecisions {
  const { forced, count } = chain.decisions;
  const decisions = new Uint8Array(count);
  const columns = targets.length / (chain.model.capacity + 1);
  eachDecision(chain, (d, q, b, m) => {
    decisions[d] = forced[d] === free ? (b < targets[q * columns + (columns > 1 ? m : 0)] ? 1 : 0) : forced[d];
  });
  return decisions;
}

/**
 * R(q, m): the first number of active crawlers at which the policy does not activate, at q·M + m; for one arrival
 * phase. At q = 0, where nothing is indexed, the same in all columns.
 */
export function targetsOfDecisions({ model, active, decisionOf }: PhasedChain, decisions: PhasedDecisions): Int32Array {
  const M = model.service.phases;
  return Int32Array.from({ length: (model.capacity + 1) * M }, (_, at) => {
    const q = Math.floor(at / M);
    let b = 0;
    while (b < model.crawlers && decisions[decisionOf(q, b - active.totals[0], at % M, 0)] === 1) b++;
    return b;
  });
}
