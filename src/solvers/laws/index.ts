export { createLaw } from './create-law.ts';
export type * from './distribution.ts';
export { thinnedLaw } from './families/thinned.ts';
export type { Law, PhaseTypeForm } from './law.ts';
export { excessOf, exponentialRate, heavyTailed, kinksOf, transformSteps } from './traits.ts';
