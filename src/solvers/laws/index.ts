export { createLaw, type Distribution } from './create-law.ts';
export type { Law, LawWithLogTransform, LogTransform, PhaseTypeForm } from './law.ts';
export {
  asLomax,
  countingForm,
  exponentialRate,
  kinksOf,
  type ScaledForm,
  scaledForm,
  transformSteps,
} from './traits.ts';
