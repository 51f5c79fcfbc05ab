export { createLaw, type Distribution } from './create-law.ts';
export type { Law, LogTransform, PhaseTypeForm, WrittenLaw } from './law.ts';
export {
  exponentialRate,
  formOf,
  kinksOf,
  powerTail,
  type ScaledForm,
  scaledForm,
  transformSteps,
} from './traits.ts';
