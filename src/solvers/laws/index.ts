export { createLaw, type Distribution } from './create-law.ts';
export { thinnedLaw } from './families/thinned.ts';
export type { Law, PhaseTypeForm } from './law.ts';
export { excessOf, exponentialRate, heavyTailed, kinksOf, transformSteps } from './traits.ts';
