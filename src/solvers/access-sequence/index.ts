export { type CycleCost, cycleCost } from './cycle-cost.ts';
export {
  accessSequence,
  type MethodResult,
  type SequenceAnswer,
  type SequenceQuestion,
  type SequencingMethod,
  sequencingMethods,
} from './solve.ts';
