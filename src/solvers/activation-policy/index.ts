export { certifyActivation } from './certify.ts';
export type { ClassMeasures } from './decisions/decision-evaluation.ts';
export { activationPoliciesInTurn } from './in-turn.ts';
export { maxCapacity, maxStates, mostCrawlers } from './model/model-limits.ts';
export { bestStaticCount, measureStatic, type StaticBaseline } from './model/static-baseline.ts';
export { type SwitchingCurves, switchingCurves } from './model/switching-curve.ts';
export { maxBatch, maxCrawlerPhases, type PhasedDescription } from './phased/phased-model.ts';
export { maxPhasedStates } from './phased/solve-phased.ts';
export type { ActivationAlgorithm, ActivationAnswer, ActivationCriterion, ActivationProblem } from './problem.ts';
export { defaultTolerance } from './proved.ts';
export {
  paperRelaxation,
  paperTolerance,
  solveActivationPolicy,
} from './solve.ts';
export { estimateActivationWork } from './work.ts';
