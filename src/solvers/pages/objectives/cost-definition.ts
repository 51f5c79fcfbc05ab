/** What certificates know of objectives: their names and definitions, and nothing that a solver calls. */
import { type ObjectiveName, objectiveNames, stalenessCost } from './index.ts';
import type { CostDefinition } from './staleness-cost.ts';

export const costDefinition = (name: ObjectiveName): CostDefinition => stalenessCost(name).definition;

/** Freshness where none is called so. */
export const objectiveNamed = (name: string): ObjectiveName =>
  objectiveNames.find((each) => each === name) ?? 'freshness';
