/**
 * The objectives by their names in requests. A new objective is one file in this folder, and its name and measure here.
 */
import { delay } from './delay.ts';
import { freshness } from './freshness.ts';
import { harmonic } from './harmonic.ts';
import type { ObjectiveName, StalenessCost } from './staleness-cost.ts';

export { delay } from './delay.ts';
export { freshness, staleTime } from './freshness.ts';
export { changesAtGain, freshnessGain, staleChanges } from './freshness-kernel.ts';
export {
  type BelievedCost,
  type ObjectiveName,
  objectiveNames,
  type StalenessCost,
} from './staleness-cost.ts';

/** By objective: the name in targets and answers of its measure, the mean cost that a plan leaves. */
export const residualMeasure = {
  freshness: 'staleness',
  delay: 'meanDelay',
  harmonic: 'harmonic',
} as const satisfies Readonly<Record<ObjectiveName, string>>;

const costs: Readonly<Record<ObjectiveName, StalenessCost>> = { freshness, delay, harmonic };

export function stalenessCost(name: ObjectiveName): StalenessCost {
  return costs[name];
}
