/** What staleness may cost, by name on the wire: a fifth objective is one file and its name and measure here. */
import { age } from './age.ts';
import { delay } from './delay.ts';
import { freshness } from './freshness.ts';
import { harmonic } from './harmonic.ts';
import type { StalenessCost } from './staleness-cost.ts';

export { freshness, staleTime } from './freshness.ts';
export { changesAtGain, freshnessGain, freshnessGainRest, staleChanges } from './freshness-kernel.ts';
export type { BelievedCost, ScaleFree, StalenessCost } from './staleness-cost.ts';

export const objectiveNames = ['freshness', 'delay', 'age', 'harmonic'] as const;
export type ObjectiveName = (typeof objectiveNames)[number];

/** The name of what is left, in the mean, as targets and answers say it. */
export const leftUnder = {
  freshness: 'staleness',
  delay: 'meanDelay',
  age: 'meanAge',
  harmonic: 'harmonic',
} as const satisfies Readonly<Record<ObjectiveName, string>>;

const costs: Readonly<Record<ObjectiveName, StalenessCost>> = { freshness, delay, age, harmonic };

export function stalenessCost(name: ObjectiveName): StalenessCost {
  return costs[name];
}
