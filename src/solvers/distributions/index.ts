export { createLaw } from './create-law.ts';
export type * from './distribution.ts';
export type { Law, PhaseTypeForm } from './law.ts';
export { thinnedLaw } from './laws/thinned.ts';
