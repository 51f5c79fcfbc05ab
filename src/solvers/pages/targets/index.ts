/** How few crawls leave no more than a target, and what crawls buy. */
export { type CurvePoint, type CurveProblem, tradeOff } from './curve.ts';
export { easedHosts, type HostsEased, leastFactor } from './least-factor.ts';
export { meetTarget } from './meet-target.ts';
export type {
  GroupMet,
  Groups,
  NearPrices,
  OneMissed,
  TargetMet,
  TargetMissed,
  TargetProblem,
  Wanting,
} from './problem.ts';
export { sampleOf } from './sample.ts';
export { manyPages } from './target-price.ts';
