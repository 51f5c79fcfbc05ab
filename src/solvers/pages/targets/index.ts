/** How few crawls leave no more than a target, and what crawls buy. */
export type { AskedMeasure, AskedTarget, OwnTarget } from './asked.ts';
export { type CurvePoint, curveThrough, tradeOff } from './curve.ts';
export { easedHosts, type HostsEased, leastFactor } from './least-factor.ts';
export { leftOf, type MeasureName, measureNames, measureOf, objectiveOf, scaleOf, toldOf } from './measures.ts';
export { meetTarget } from './meet-target.ts';
export {
  askingLess,
  type BindingLimit,
  bindingHosts,
  lesserLimits,
  missedTarget,
  type Repair,
  raisedLimits,
} from './missed-target.ts';
export type { Groups, NearPrices, OneMissed, TargetMet, TargetMissed, TargetProblem, Wanting } from './problem.ts';
export { sampleOf } from './sample.ts';
export { manyPages } from './target-price.ts';
export { ceilingOf, told, toldCurve, toldPrice, toldTargets } from './told.ts';
