export type { ActivationPolicyAnswer } from './answer.ts';
export { bestStaticCount, type CurveMeasures, switchingCurves } from './model.ts';
export { type ActivationProblem, type LimitedAverage, maxCapacity, maxCrawlersAt, maxStates } from './problem.ts';
export { activationPolicyWork, solveActivationPolicy } from './solve.ts';
