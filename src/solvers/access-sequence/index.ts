export { certifyAccessSequence } from './certify.ts';
export { type CycleCost, cycleCost } from './cycle-cost.ts';
export { fibonacci } from './methods/golden-ratio.ts';
export {
  findSequence,
  type MethodResult,
  type SequenceFound,
  type SequenceTask,
  type SequencingMethod,
  sequencingMethods,
} from './portfolio.ts';
export {
  type AccessSequence,
  type AccessSequenceAnswer,
  type AccessSequenceProblem,
  solveAccessSequence,
} from './solve.ts';
