export type * from './distribution.ts';
export { createLaw, type Law, type PhaseTypeForm } from './law.ts';
