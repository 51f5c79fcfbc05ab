export { certifyActivation } from './certify.ts';
export type { ClassMeasures } from './decisions/decision-evaluation.ts';
export { MOST_CAPACITY, MOST_STATES, mostCrawlers } from './model/model-limits.ts';
export { bestStaticCount, measureStatic, type StaticBaseline } from './model/static-baseline.ts';
export { type SwitchingCurves, switchingCurves } from './model/switching-curve.ts';
export {
  type ActivationAlgorithm,
  type ActivationAnswer,
  type ActivationProblem,
  DEFAULT_TOLERANCE,
  estimateActivationWork,
  PAPER_RELAXATION,
  PAPER_TOLERANCE,
  solveActivationPolicy,
} from './solve.ts';
