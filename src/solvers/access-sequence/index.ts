export { type CycleCost, cycleCost } from './cycle-cost.ts';
export { type SequenceTask, type SequencingMethod, sequencingMethods } from './cycle-maker.ts';
export { findSequence, type MethodResult, type SequenceFound } from './portfolio.ts';
export type { AccessSequenceProblem } from './problem.ts';
export { type AccessSequence, solveAccessSequence } from './solve.ts';
