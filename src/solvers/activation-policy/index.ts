export {
  type ActivationAlgorithm,
  type ActivationAnswer,
  type ActivationProblem,
  DEFAULT_TOLERANCE,
  estimateActivationWork,
  PAPER_RELAXATION,
  PAPER_TOLERANCE,
  solveActivationPolicy,
} from './activation-policy.ts';
export { certifyActivation } from './certify.ts';
export type { ClassMeasures } from './decision-evaluation.ts';
export { MOST_CAPACITY, MOST_STATES, mostCrawlers } from './model-limits.ts';
export { bestStaticCount, measureStatic, type StaticBaseline } from './static-baseline.ts';
export { type SwitchingCurves, switchingCurves } from './switching-curve.ts';
