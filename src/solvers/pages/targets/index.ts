/** What targets and curves are measured in, and what is said of a target that is out of reach. */
export {
  type MeasureName,
  type MeasureTarget,
  measuredCurve,
  measureNames,
  measureOf,
  objectiveOf,
  residualOf,
  scaleOf,
} from './measures.ts';
export { type BindingLimit, bindingHosts, targetConflict } from './target-conflict.ts';
