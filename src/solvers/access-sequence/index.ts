export { type CycleCost, cycleCost } from './cycle-cost.ts';
export {
  findSequence,
  type MethodResult,
  type SequenceResult,
  type SequenceTask,
  type SequencingMethod,
  sequencingMethods,
} from './portfolio.ts';
export type { AccessSequenceProblem } from './problem.ts';
export { type AccessSequence, solveAccessSequence } from './solve.ts';
