export type { ActivationPolicyAnswer } from './answer.ts';
export { bestStaticCount, type ClassMeasures, switchingCurves } from './model.ts';
export { type ActivationProblem, type LimitedAverage, maxCapacity, maxCrawlersAt, maxStates } from './problem.ts';
export { activationPolicyWork, solveActivationPolicy } from './solve.ts';
