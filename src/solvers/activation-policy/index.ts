export type { ActivationPolicy, ActivationPolicyAnswer } from './answer.ts';
export {
  bestStaticCount,
  type ClassMeasures,
  type StaticBaseline,
  type SwitchingCurves,
  switchingCurves,
} from './model.ts';
export { type ActivationProblem, maxCapacity, maxCrawlersAt, maxStates } from './problem.ts';
export { activationPolicyWork, solveActivationPolicy } from './solve.ts';
