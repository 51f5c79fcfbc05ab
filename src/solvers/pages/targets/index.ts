/** How few crawls leave no more than a target, and what crawls buy. */
export { type CurvePoint, tradeOff } from './curve.ts';
export {
  type AskedTarget,
  leftOf,
  type MeasureName,
  measureNames,
  measureOf,
  objectiveOf,
  scaleOf,
  toldCurve,
  toldOf,
} from './measures.ts';
export { meetTarget } from './meet-target.ts';
export { type BindingLimit, bindingHosts, missedTarget } from './missed-target.ts';
export type { HostLimits, NearPrices, TargetMet, TargetMissed, TargetProblem, Wanting } from './problem.ts';
export { sampleOf } from './sample.ts';
export { manyPages } from './target-price.ts';
