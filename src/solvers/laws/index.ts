export { createLaw, type Distribution } from './create-law.ts';
export type { Law, LawWithLogLaplace, LogLaplace, PhaseTypeForm } from './law.ts';
export {
  asLomax,
  countingForm,
  exponentialRate,
  kinksOf,
  type ScaledForm,
  scaledForm,
  transformSteps,
} from './traits.ts';
