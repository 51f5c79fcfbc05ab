export {
  accessSequence,
  type MethodResult,
  type SequenceAnswer,
  type SequenceQuestion,
  type SequencingMethod,
  sequencingMethods,
} from './access-sequence.ts';
export { type CycleCost, cycleCost } from './cycle-cost.ts';
