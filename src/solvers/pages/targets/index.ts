/** What targets and curves are measured in, and what is said of a target that is out of reach. */
export {
  type AskedTarget,
  leftOf,
  type MeasureName,
  measuredCurve,
  measureNames,
  measureOf,
  measureOfLeft,
  objectiveOf,
  scaleOf,
} from './measures.ts';
export { type BindingLimit, bindingHosts, missedTarget } from './missed-target.ts';
