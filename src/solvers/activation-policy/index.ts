export type { ActivationPolicyAnswer, ShownActivation } from './answer.ts';
export type { ClassMeasures } from './model/activation-model.ts';
export { maxCapacity, maxPhasedStates, maxStates, mostCrawlers } from './model/model-limits.ts';
export { maxBatch, maxCrawlerPhases, type PhasedDescription } from './model/phased-model.ts';
export { bestStaticCount, measureStatic, type StaticBaseline } from './model/static-baseline.ts';
export { type SwitchingCurves, switchingCurves } from './model/switching-curve.ts';
export type { ActivationCriterion, ActivationProblem } from './problem.ts';
export { solveActivationPolicy } from './solve.ts';
export { activationPolicyWork } from './work.ts';
