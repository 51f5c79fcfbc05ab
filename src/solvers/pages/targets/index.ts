/** The measures of targets and curves, and the conflict of a target that is out of reach. */
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
