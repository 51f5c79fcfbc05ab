export type { ActivationPolicyAnswer, ShownActivation } from './answer.ts';
export type { ClassMeasures } from './model/activation-model.ts';
export { maxCapacity, maxStates, mostCrawlers } from './model/model-limits.ts';
export { bestStaticCount, measureStatic, type StaticBaseline } from './model/static-baseline.ts';
export { type SwitchingCurves, switchingCurves } from './model/switching-curve.ts';
export type { ActivationProblem } from './problem.ts';
export { solveActivationPolicy } from './solve.ts';
export { activationPolicyWork } from './work.ts';
