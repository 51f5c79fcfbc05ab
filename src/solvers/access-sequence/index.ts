export { certifyAccessSequence } from './certify.ts';
export { type CycleCost, cycleCost } from './cycle-cost.ts';
export { type SequenceTask, type SequencingMethod, sequencingMethods } from './cycle-maker.ts';
export { fibonacci } from './methods/golden-ratio.ts';
export { findSequence, type MethodResult, type SequenceFound } from './portfolio.ts';
export {
  type AccessSequence,
  type AccessSequenceAnswer,
  type AccessSequenceProblem,
  solveAccessSequence,
} from './solve.ts';
